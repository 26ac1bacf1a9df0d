/** A text as the custom format of pg_dump has it: a sign, four bytes of length, then its bytes (pg_backup_archiver.c: WriteStr). */
function encoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Sign and length. */
const HEAD = 5;

/** The places of a table of contents where statements stand, of the entry with the rows of `locations` unless they say otherwise. */
export const PLACES = ['definition', 'drop', 'copy', 'sequence', 'name'] as const;

/**
 * Puts a statement into the table of contents of an archive that pg_dump wrote to a pipe: it notes no positions, so nothing else need
 * change.
 */
export function withStatement(archive: Buffer, place: (typeof PLACES)[number], sql: string): Buffer {
  const copy = textAt(archive, /COPY public\.locations \([^)]*\) FROM stdin;\n/);
  switch (place) {
    // Both are empty there, so that nothing but their lengths stands before the next one.
    case 'definition':
      return replaced(archive, { from: copy.from - 2 * HEAD, to: copy.from - HEAD }, sql);
    case 'drop':
      return replaced(archive, { from: copy.from - HEAD, to: copy.from }, sql);
    case 'copy':
      return replaced(archive, copy, sql);
    case 'sequence':
      return replaced(archive, textAt(archive, /SELECT pg_catalog\.setval\('public\.locations_id_seq'[^\n]*\n/), sql);
    case 'name':
      return replaced(archive, textAt(archive, /locations(?=[\s\S]{5}TABLE DATA)/), sql);
  }
}

/** Where a text stands, with its length before it. */
function textAt(archive: Buffer, pattern: RegExp): { from: number; to: number } {
  const found = pattern.exec(archive.toString('latin1'));
  if (!found) throw new Error(`There is no ${pattern} in the archive`);
  const [text] = found;
  if (archive.readUInt32LE(found.index - HEAD + 1) !== text.length) throw new Error(`${pattern} is not a whole text`);
  return { from: found.index - HEAD, to: found.index + text.length };
}

const replaced = (archive: Buffer, { from, to }: { from: number; to: number }, text: string): Buffer =>
  Buffer.concat([archive.subarray(0, from), encoded(text), archive.subarray(to)]);

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

/** Another version of the format in an archive's head. */
export function withVersion(archive: Buffer, minor: number): Buffer {
  const copy = Buffer.from(archive);
  copy[6] = minor;
  return copy;
}
