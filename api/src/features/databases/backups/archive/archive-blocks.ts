import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { damaged, deadlineOf } from './archive.ts';
import { type AnnouncedRows, type Compression, readTableOfContents, type TableOfContents } from './archive-format.ts';
import { type ArchiveReader, FormatError, withArchive } from './archive-reader.ts';

const ROWS = 1;
const LARGE_OBJECTS = 3;
const LINE_END = 10;
/** pg_dump ends the rows of a table with '\\.' and two empty lines. */
const LINES_BEHIND = 3;
/** Compressed bytes that are gathered before they are unpacked, and bytes that are unpacked at once. */
const PORTION = 64 * 1024;
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
  const late = AbortSignal.timeout(deadlineOf(end));
  try {
    return await withArchive(path, end, async (reader) => {
      const contents = await readTableOfContents(reader);
      await readBlocks(reader, contents, late);
      return contents.compression;
    });
  } catch (error) {
    if (late.aborted) throw damaged('This archive unpacks to far more than one of its size should.');
    if (error instanceof FormatError) {
      throw damaged(`This is no whole archive of pg_dump's custom format: ${error.message}.`);
    }
    throw error;
  }
}

async function readBlocks(
  reader: ArchiveReader,
  { compression, rows, ids }: TableOfContents,
  late: AbortSignal,
): Promise<void> {
  const missing = new Set(rows.keys());
  while (!reader.isAtEnd()) {
    const position = reader.position();
    const kind = await reader.byte();
    const id = await reader.int();
    const announced = rows.get(id);
    if (kind === LARGE_OBJECTS && ids.has(id)) {
      while ((await reader.int()) !== 0) await readBlock(reader, compression, late);
    } else if (kind === ROWS && announced && missing.delete(id)) {
      if (!announced.isPresent || (announced.position ?? position) !== position) throw lost(announced);
      await readBlock(reader, compression, late).catch((error: unknown) => {
        throw isZlibError(error) ? new FormatError(`the rows of ${announced.name} are damaged`) : error;
      });
    } else throw new FormatError(`what stands at byte ${position} belongs to nothing`);
  }
  for (const id of missing) throw lost(rows.get(id));
}

/**
 * Goes to the rows of a table, from block to block where their place is not known.
 * @returns whether they were found in time
 */
export async function findBlock(reader: ArchiveReader, id: number, from: number, late: AbortSignal): Promise<boolean> {
  reader.seek(from);
  while (!reader.isAtEnd() && !late.aborted) {
    const kind = await reader.byte();
    if (kind !== ROWS && kind !== LARGE_OBJECTS) return false;
    if ((await reader.int()) === id) return kind === ROWS;
    if (kind === LARGE_OBJECTS) while ((await reader.int()) !== 0) await skipBlock(reader);
    else await skipBlock(reader);
  }
  return false;
}

/**
 * Counts the rows of the block at which the reader is.
 * @returns null where they cannot be counted: they are statements, compressed in another way than zlib's, damaged, or too many to be
 *   counted in time
 */
export async function countRows(
  reader: ArchiveReader,
  compression: Compression,
  { isCopied }: AnnouncedRows,
  late: AbortSignal,
): Promise<number | null> {
  if (!isCopied || (compression !== 'zlib' && compression !== 'none')) return null;
  const portions = Readable.from(portionsOf(reader), { objectMode: false });
  let lines = 0;
  const count = async (unpacked: AsyncIterable<Buffer>) => {
    for await (const chunk of unpacked) {
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
    }
  };
  const counting =
    compression === 'zlib'
      ? pipeline(portions, createInflate(INFLATING), count, { signal: late })
      : pipeline(portions, count, { signal: late });
  return counting.then(
    () => Math.max(0, lines - LINES_BEHIND),
    () => null,
  );
}

const lost = (announced?: { name: string }) =>
  new FormatError(`the rows of ${announced?.name} are not where they should be`);

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM_PREMATURE|ERR_TRAILING)/.test(String(error.code));

async function readBlock(reader: ArchiveReader, compression: Compression, late: AbortSignal): Promise<void> {
  late.throwIfAborted();
  if (compression !== 'zlib') return skipBlock(reader);
  const inflate = createInflate(INFLATING);
  const discard = async (unpacked: AsyncIterable<Buffer>) => {
    for await (const _ of unpacked);
  };
  await pipeline(Readable.from(portionsOf(reader), { objectMode: false }), inflate, discard, { signal: late });
}

async function skipBlock(reader: ArchiveReader): Promise<void> {
  for (let length = await reader.int(); length !== 0; length = await reader.int()) reader.skip(length);
}

/** The bytes of a block, whose chunks are of 4 KiB mostly. */
async function* portionsOf(reader: ArchiveReader): AsyncGenerator<Buffer> {
  let portion: Buffer[] = [];
  let gathered = 0;
  for (let length = await reader.int(); length !== 0; length = await reader.int()) {
    for await (const part of reader.parts(length)) {
      portion.push(Buffer.from(part));
      gathered += part.length;
      if (gathered < PORTION) continue;
      yield Buffer.concat(portion);
      portion = [];
      gathered = 0;
    }
  }
  yield Buffer.concat(portion);
}
