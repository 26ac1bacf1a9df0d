import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { testTools } from './postgres-version.ts';

const run = promisify(execFile);

/** Bytes of a sign and a length, or of a sign and a value. */
const HEAD = 5;

/** A text in the custom format of pg_dump: a sign, four bytes of length, then its bytes (pg_backup_archiver.c: WriteStr). */
function encodedText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([encodedNumber(bytes.length), bytes]);
}

export function encodedNumber(value: number): Buffer {
  const bytes = Buffer.alloc(HEAD);
  bytes.writeUInt32LE(value, 1);
  return bytes;
}

const numberIn = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at + 1);

/** The length of a value at a position; an absent text has a negative length. */
const lengthOf = {
  number: () => HEAD,
  text: (bytes: Buffer, at: number) => HEAD + (bytes[at] === 0 ? numberIn(bytes, at) : 0),
  /** A list of texts, which ends with an absent one. */
  texts(bytes: Buffer, at: number): number {
    let end = at;
    while (bytes[end] === 0) end += lengthOf.text(bytes, end);
    return end + HEAD - at;
  },
  /** A flag and eight bytes of position. */
  position: () => 9,
};

/**
 * The fields of an entry in the table of contents, in order, and the version of the format that introduced them
 * (pg_backup_archiver.c: WriteToc).
 */
const FIELDS = [
  ['id', 'number', 12],
  ['hasRows', 'number', 12],
  ['catalogue', 'text', 12],
  ['object', 'text', 12],
  ['name', 'text', 12],
  ['kind', 'text', 12],
  ['section', 'number', 12],
  ['definition', 'text', 12],
  ['drop', 'text', 12],
  ['copy', 'text', 12],
  ['namespace', 'text', 12],
  ['tablespace', 'text', 12],
  ['accessMethod', 'text', 14],
  ['relationKind', 'number', 16],
  ['owner', 'text', 12],
  ['withOids', 'text', 12],
  ['dependencies', 'texts', 12],
  ['position', 'position', 12],
] as const;

type Field = (typeof FIELDS)[number][0];

/** Each field with its bytes in the file. */
export type Entry = Record<Field, Buffer>;

/** The parts of an archive, of which all except the rows can be changed. */
export interface Parts {
  /** Minor version of the format 1. */
  minor: number;
  /** The bytes between the version and the compression of rows. */
  sizes: Buffer;
  compression: number;
  /** When and from which database it was made. */
  origin: Buffer;
  entries: Entry[];
  rows: Buffer;
}

/** The text of a field. */
export const textIn = (field: Buffer): string => field.toString('utf8', HEAD);

const fieldsOf = (minor: number) => FIELDS.filter(([, , since]) => since <= minor);

/** Splits an archive that pg_dump wrote to a pipe. Such an archive has no positions, so an entry can change without further changes. */
export function partsOf(archive: Buffer): Parts {
  const minor = archive[6] ?? 0;
  let at = 0;
  const take = (length: number) => {
    at += length;
    return archive.subarray(at - length, at);
  };
  const takeValue = (kind: keyof typeof lengthOf) => take(lengthOf[kind](archive, at));
  // 'PGDMP' and the version.
  take(8);
  const sizes = take(3);
  const compression = minor < 15 ? numberIn(takeValue('number'), 0) : take(1).readUInt8();
  const from = at;
  for (let count = 0; count < 7; count += 1) takeValue('number');
  for (let count = 0; count < 3; count += 1) takeValue('text');
  const origin = archive.subarray(from, at);
  const entries = Array.from({ length: numberIn(takeValue('number'), 0) }, () => {
    const fields = fieldsOf(minor).map(([name, kind]) => [name, takeValue(kind)]);
    // Defaults for fields that older versions lack.
    return { accessMethod: encodedText(''), relationKind: encodedNumber(0), ...Object.fromEntries(fields) } as Entry;
  });
  return { minor, sizes, compression, origin, entries, rows: archive.subarray(at) };
}

/** Joins the parts of an archive. */
export function archiveOf({ minor, sizes, compression, origin, entries, rows }: Parts): Buffer {
  return Buffer.concat([
    Buffer.from('PGDMP'),
    Buffer.from([1, minor, 0]),
    sizes,
    minor < 15 ? encodedNumber(compression) : Buffer.from([compression]),
    origin,
    encodedNumber(entries.length),
    ...entries.flatMap((entry) => fieldsOf(minor).map(([name]) => entry[name])),
    rows,
  ]);
}

/** The fields of an entry that hold texts. */
export const PLACES = FIELDS.flatMap(([name, kind]) => (kind === 'text' || kind === 'texts' ? [name] : []));

export type Place = (typeof PLACES)[number];

/** Changes texts in the entries of the table of contents that `where` selects. */
export function withTexts(
  archive: Buffer,
  where: (entry: Entry) => boolean,
  textsFor: (entry: Entry) => [Place, string][],
): Buffer {
  const changed = (entry: Entry): Entry => ({
    ...entry,
    ...Object.fromEntries(textsFor(entry).map(([place, text]) => [place, encodedFor(place, text)])),
  });
  const parts = partsOf(archive);
  return archiveOf({ ...parts, entries: parts.entries.map((entry) => (where(entry) ? changed(entry) : entry)) });
}

/** The list of dependencies ends with an absent text. */
function encodedFor(place: Place, text: string): Buffer {
  return place === 'dependencies'
    ? Buffer.concat([encodedText(text), Buffer.from([1, 1, 0, 0, 0])])
    : encodedText(text);
}

/** Whether an entry holds the rows of a table. */
export const isRowsOf =
  (table: string) =>
  ({ kind, name }: Entry): boolean =>
    textIn(kind) === 'TABLE DATA' && textIn(name) === table;

/** Adds statements before the rows of `locations` are loaded. */
export const withSql = (archive: Buffer, sql: string): Buffer =>
  withTexts(archive, isRowsOf('locations'), ({ copy }) => [['copy', `${sql}; ${textIn(copy)}`]]);

/** Replaces the rows of `locations`. @param text as COPY reads it; repeated bytes are compressed to almost nothing */
export function withRows(archive: Buffer, text: Buffer): Buffer {
  const { entries, rows } = partsOf(archive);
  const id = entries.find(isRowsOf('locations'))?.id ?? encodedNumber(0);
  // A block begins with a 1 and the number of its entry. A chunk and an empty chunk follow.
  const chunk = rows.indexOf(Buffer.concat([Buffer.from([1]), id])) + 1 + HEAD;
  const packed = deflateSync(text);
  const behind = rows.subarray(chunk + HEAD + numberIn(rows, chunk));
  return Buffer.concat([
    archive.subarray(0, archive.length - rows.length),
    rows.subarray(0, chunk),
    encodedNumber(packed.length),
    packed,
    behind,
  ]);
}

/** Replaces the last block of an archive by one with a chunk of so many bytes. */
export function withLongChunk(archive: Buffer, bytes: number): Buffer {
  const chunk = lastChunkOf(archive);
  const start = Buffer.from(archive.subarray(0, chunk + HEAD));
  start.writeUInt32LE(bytes, chunk + 1);
  return Buffer.concat([start, archive.subarray(chunk + HEAD, -HEAD), Buffer.alloc(bytes)]);
}

/** The position of the length of the last block's only chunk: a sign and four bytes, before the two bytes of zlib's header. */
export function lastChunkOf(archive: Buffer): number {
  for (let at = archive.length - 12; at > 0; at -= 1) {
    if (archive[at] === 0 && archive.readUInt32LE(at + 1) === archive.length - HEAD - (at + HEAD)) return at;
  }
  throw new Error('There is no last chunk');
}

/** The archive that pg_dump writes to a pipe. @param url connection string of the database */
export async function dumpToPipe(url: string): Promise<Buffer> {
  const { pgDump } = await testTools();
  return (await run(pgDump, ['-Fc', `--dbname=${url}`], { encoding: 'buffer', maxBuffer: 1e8 })).stdout;
}
