import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { damaged } from './archive.ts';
import { type Compression, readTableOfContents, type TableOfContents } from './archive-format.ts';
import { type ArchiveReader, FormatError, withArchive } from './archive-reader.ts';

const ROWS = 1;
const LARGE_OBJECTS = 3;
/** Compressed bytes that are gathered before they are unpacked. */
const PORTION = 256 * 1024;
/** A block that goes on behind the end of its stream is damaged; pg_restore would turn in circles there. */
const INFLATING = { chunkSize: PORTION, rejectGarbageAfterEnd: true };

/**
 * Reads an archive from end to end, and holds every block of rows against its checksum and the table of contents. pg_restore alone
 * would not do: it takes a table whose rows a changed entry disowns for an empty one, and some damaged blocks keep it busy for ever.
 * @param end how much of the file belongs to the archive, in bytes
 * @returns how its rows are compressed: only zlib's streams carry a checksum
 * @throws AppError damaged-archive
 */
export async function readThrough(path: string, end: number): Promise<Compression> {
  try {
    return await withArchive(path, end, async (reader) => {
      const contents = await readTableOfContents(reader);
      await readBlocks(reader, contents);
      return contents.compression;
    });
  } catch (error) {
    if (error instanceof FormatError) {
      throw damaged(`This is no whole archive of pg_dump's custom format: ${error.message}.`);
    }
    throw error;
  }
}

async function readBlocks(reader: ArchiveReader, { compression, rows, ids }: TableOfContents): Promise<void> {
  const missing = new Set(rows.keys());
  while (!reader.isAtEnd()) {
    const position = reader.position();
    const kind = await reader.byte();
    const id = await reader.int();
    const announced = rows.get(id);
    if (kind === LARGE_OBJECTS && ids.has(id)) {
      while ((await reader.int()) !== 0) await readBlock(reader, compression);
    } else if (kind === ROWS && announced && missing.delete(id)) {
      if (!announced.isPresent || (announced.position ?? position) !== position) throw lost(announced);
      await readBlock(reader, compression).catch((error: unknown) => {
        throw isZlibError(error) ? new FormatError(`the rows of ${announced.name} are damaged`) : error;
      });
    } else throw new FormatError(`what stands at byte ${position} belongs to nothing`);
  }
  for (const id of missing) throw lost(rows.get(id));
}

const lost = (announced?: { name: string }) =>
  new FormatError(`the rows of ${announced?.name} are not where they should be`);

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM_PREMATURE|ERR_TRAILING)/.test(String(error.code));

async function readBlock(reader: ArchiveReader, compression: Compression): Promise<void> {
  if (compression !== 'zlib') {
    for (let length = await reader.int(); length !== 0; length = await reader.int()) reader.skip(length);
    return;
  }
  const inflate = createInflate(INFLATING);
  await pipeline(Readable.from(portionsOf(reader), { objectMode: false }), inflate, async (unpacked) => {
    for await (const _ of unpacked);
  });
}

/** The bytes of a block, whose chunks are of 4 KiB mostly. */
async function* portionsOf(reader: ArchiveReader): AsyncGenerator<Buffer> {
  let portion: Buffer[] = [];
  let gathered = 0;
  for (let length = await reader.int(); length !== 0; length = await reader.int()) {
    portion.push(await reader.take(length));
    gathered += length;
    if (gathered < PORTION) continue;
    yield Buffer.concat(portion);
    portion = [];
    gathered = 0;
  }
  yield Buffer.concat(portion);
}
