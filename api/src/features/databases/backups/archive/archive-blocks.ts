import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { printable } from '../../../../wording.ts';
import { deadlineOf } from './archive.ts';
import { type Compression, type ListedRows, readTableOfContents, type TableOfContents } from './archive-format.ts';
import { type ArchiveReader, FormatError, withArchive } from './archive-reader.ts';
import { damaged } from './damaged-archive.ts';

const ROWS = 1;
const LARGE_OBJECTS = 3;
const LINE_END = 10;
/** pg_dump writes '\\.' and two empty lines after the rows of a table. */
const TRAILING_LINES = 3;
/** How many compressed bytes are collected before they are unpacked, and how many bytes are unpacked at once. */
const CHUNK = 64 * 1024;
/** Bytes after the end of a block's stream are damage; pg_restore would read them for ever. */
const INFLATE_OPTIONS = { chunkSize: CHUNK, rejectGarbageAfterEnd: true };

/**
 * Reads an archive from start to end, and compares each block of rows with its checksum and with the table of contents. pg_restore does
 * not find all damage: it restores an empty table when a changed entry says that there are no rows, and loops on some damaged blocks.
 * @param end length of the archive within the file, in bytes
 * @returns how its rows are compressed: only zlib's streams have a checksum
 * @throws AppError damaged-archive
 */
export async function verifyBlocks(path: string, end: number): Promise<Compression> {
  const timeout = AbortSignal.timeout(deadlineOf(end));
  try {
    return await withArchive(path, end, async (reader) => {
      const contents = await readTableOfContents(reader);
      await readBlocks(reader, contents, timeout);
      return contents.compression;
    });
  } catch (error) {
    if (timeout.aborted) throw damaged('This archive unpacks to far more than one of its size should.');
    if (error instanceof FormatError) {
      const message = `This is not a complete archive of pg_dump's custom format: ${error.message}.`;
      throw damaged(message, error.table === undefined ? [] : [error.table]);
    }
    throw error;
  }
}

async function readBlocks(
  reader: ArchiveReader,
  { compression, rows, entries }: TableOfContents,
  timeout: AbortSignal,
): Promise<void> {
  const missing = new Set(rows.keys());
  const byPosition = new Map([...rows.values()].map((table) => [table.position, table]));
  while (!reader.isAtEnd()) {
    const position = reader.position();
    const kind = await reader.byte();
    const id = await reader.int();
    const listed = rows.get(id);
    if (kind === LARGE_OBJECTS && entries.has(id)) {
      while ((await reader.int()) !== 0) await readBlock(reader, compression, timeout);
    } else if (kind === ROWS && listed && missing.delete(id)) {
      if (!listed.isPresent || (listed.position ?? position) !== position) {
        throw misplacedRows(listed, byPosition.get(position));
      }
      await readBlock(reader, compression, timeout).catch((error: unknown) => {
        throw damageOf(error, listed);
      });
    } else {
      throw new FormatError(`the block at byte ${position} belongs to no entry`, nameOf(byPosition.get(position)));
    }
  }
  for (const id of missing) throw misplacedRows(rows.get(id));
}

/**
 * Moves the reader to the rows of a table.
 * @param from where the rows are, or where a search for them, block by block, begins
 * @returns whether they were found in time
 */
export async function findBlock(
  reader: ArchiveReader,
  id: number,
  from: number,
  timeout: AbortSignal,
): Promise<boolean> {
  reader.seek(from);
  while (!reader.isAtEnd() && !timeout.aborted) {
    const kind = await reader.byte();
    if (kind !== ROWS && kind !== LARGE_OBJECTS) return false;
    if ((await reader.int()) === id) return kind === ROWS;
    if (kind === LARGE_OBJECTS) while (!timeout.aborted && (await reader.int()) !== 0) await skipBlock(reader, timeout);
    else await skipBlock(reader, timeout);
  }
  return false;
}

/**
 * Counts the rows of the block at the reader's position.
 * @returns null when they cannot be counted: they are INSERT statements, not compressed by zlib, damaged, or too many to count in time
 */
export async function countRows(
  reader: ArchiveReader,
  compression: Compression,
  { isCopied }: ListedRows,
  timeout: AbortSignal,
): Promise<number | null> {
  if (!isCopied || (compression !== 'zlib' && compression !== 'none')) return null;
  let lines = 0;
  const count = async (unpacked: AsyncIterable<Buffer>) => {
    for await (const chunk of unpacked) {
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
    }
  };
  return unpack(reader, compression, count, timeout).then(
    () => Math.max(0, lines - TRAILING_LINES),
    () => null,
  );
}

/** Unpacks the block at the reader's position for `take`. @param compression zlib, or none */
export async function unpack(
  reader: ArchiveReader,
  compression: Compression,
  take: (unpacked: AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const chunks = Readable.from(chunksOf(reader), { objectMode: false });
  if (compression === 'zlib') await pipeline(chunks, createInflate(INFLATE_OPTIONS), take, { signal });
  else await pipeline(chunks, take, { signal });
}

/** @param found the rows that should be there instead */
const misplacedRows = (listed: ListedRows | undefined, found = listed) =>
  new FormatError(`the rows of ${printable(String(listed?.name))} are not where they should be`, nameOf(found));

function damageOf(error: unknown, listed: ListedRows): unknown {
  if (isZlibError(error)) return new FormatError(`the rows of ${printable(listed.name)} are damaged`, nameOf(listed));
  return error instanceof FormatError ? new FormatError(error.message, nameOf(listed)) : error;
}

/** The name for people. */
function nameOf(listed?: ListedRows): string | undefined {
  return listed && printable(listed.schema === 'public' ? listed.name : `${listed.schema}.${listed.name}`);
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM_PREMATURE|ERR_TRAILING)/.test(String(error.code));

async function readBlock(reader: ArchiveReader, compression: Compression, timeout: AbortSignal): Promise<void> {
  timeout.throwIfAborted();
  if (compression !== 'zlib') {
    await skipBlock(reader, timeout);
    return timeout.throwIfAborted();
  }
  const discard = async (unpacked: AsyncIterable<Buffer>) => {
    for await (const _ of unpacked);
  };
  await unpack(reader, compression, discard, timeout);
}

/** Moves the reader behind a block, which may be most of an archive, unless the time ends before. */
async function skipBlock(reader: ArchiveReader, timeout: AbortSignal): Promise<void> {
  for (let length = await reader.int(); length !== 0 && !timeout.aborted; length = await reader.int())
    reader.skip(length);
}

/** The bytes of a block in larger chunks: pg_dump writes mostly 4 KiB at a time. */
async function* chunksOf(reader: ArchiveReader): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let collected = 0;
  for (let length = await reader.int(); length !== 0; length = await reader.int()) {
    for await (const part of reader.parts(length)) {
      parts.push(Buffer.from(part));
      collected += part.length;
      if (collected < CHUNK) continue;
      yield Buffer.concat(parts);
      parts = [];
      collected = 0;
    }
  }
  yield Buffer.concat(parts);
}
