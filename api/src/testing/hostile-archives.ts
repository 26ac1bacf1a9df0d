import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { findPostgresTools } from '../db/client-programs/postgres-tools.ts';

const run = promisify(execFile);

/** Sign and length, or sign and value. */
const HEAD = 5;

/** A text as the custom format of pg_dump has it: a sign, four bytes of length, then its bytes (pg_backup_archiver.c: WriteStr). */
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

/** How long a value is that stands at a byte; a text that is absent has a length below 0. */
const lengthOf = {
  number: () => HEAD,
  text: (bytes: Buffer, at: number) => HEAD + (bytes[at] === 0 ? numberIn(bytes, at) : 0),
  /** Texts up to one that is absent. */
  texts(bytes: Buffer, at: number): number {
    let end = at;
    while (bytes[end] === 0) end += lengthOf.text(bytes, end);
    return end + HEAD - at;
  },
  /** A flag, then eight bytes of position. */
  position: () => 9,
};

/** What an entry of a table of contents consists of, in its order, and since which version of the format (pg_backup_archiver.c: WriteToc). */
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

/** Each field as it stands in the file. */
export type Entry = Record<Field, Buffer>;

/** An archive of which everything can be changed but the rows. */
export interface Parts {
  /** Version of the format, behind its 1. */
  minor: number;
  /** Between the version and how the rows are compressed. */
  sizes: Buffer;
  compression: number;
  /** When and from what it was made. */
  origin: Buffer;
  entries: Entry[];
  rows: Buffer;
}

/** The text of a field. */
export const textIn = (field: Buffer): string => field.toString('utf8', HEAD);

const fieldsOf = (minor: number) => FIELDS.filter(([, , since]) => since <= minor);

/** Takes an archive apart that pg_dump wrote to a pipe: it notes no positions, so nothing else need change where an entry does. */
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
    // What an older version lacks.
    return { accessMethod: encodedText(''), relationKind: encodedNumber(0), ...Object.fromEntries(fields) } as Entry;
  });
  return { minor, sizes, compression, origin, entries, rows: archive.subarray(at) };
}

/** Puts it together again. */
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

/** The places of an entry where a text stands. */
export const PLACES = FIELDS.flatMap(([name, kind]) => (kind === 'text' || kind === 'texts' ? [name] : []));

export type Place = (typeof PLACES)[number];

/** Puts other texts into those entries of a table of contents that `where` takes. */
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

/** Behind what an entry depends on stands a text that is absent. */
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

/** Lets the rows of `locations` be loaded after other statements. */
export const withSql = (archive: Buffer, sql: string): Buffer =>
  withTexts(archive, isRowsOf('locations'), ({ copy }) => [['copy', `${sql}; ${textIn(copy)}`]]);

/** Puts other rows in the place of those of `locations`. @param text as COPY reads it; the same bytes again and again take next to no room */
export function withRows(archive: Buffer, text: Buffer): Buffer {
  const { entries, rows } = partsOf(archive);
  const id = entries.find(isRowsOf('locations'))?.id ?? encodedNumber(0);
  // A block begins with a 1 and the number of its entry; a chunk and an empty one follow.
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

/** Lets the last block of an archive announce a chunk of so many bytes, which come. */
export function withLongChunk(archive: Buffer, bytes: number): Buffer {
  const chunk = lastChunkOf(archive);
  const start = Buffer.from(archive.subarray(0, chunk + HEAD));
  start.writeUInt32LE(bytes, chunk + 1);
  return Buffer.concat([start, archive.subarray(chunk + HEAD, -HEAD), Buffer.alloc(bytes)]);
}

/** Where the length of the last block's only chunk stands: a sign and four bytes, before the two of zlib's head. */
export function lastChunkOf(archive: Buffer): number {
  for (let at = archive.length - 12; at > 0; at -= 1) {
    if (archive[at] === 0 && archive.readUInt32LE(at + 1) === archive.length - HEAD - (at + HEAD)) return at;
  }
  throw new Error('There is no last chunk');
}

/** What pg_dump writes to a pipe. @param url connection string of the database */
export async function dumpToPipe(url: string): Promise<Buffer> {
  const { pgDump } = await findPostgresTools(undefined, 15);
  return (await run(pgDump, ['-Fc', `--dbname=${url}`], { encoding: 'buffer', maxBuffer: 1e8 })).stdout;
}
