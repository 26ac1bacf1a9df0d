import { type ArchiveReader, FormatError } from './archive-reader.ts';

/** How the rows of an archive are compressed. */
export type Compression = 'none' | 'zlib' | 'lz4' | 'zstd' | 'unknown';

/** What the table of contents says about the rows of one table. */
export interface ListedRows {
  schema: string;
  name: string;
  /** Whether they are lines for COPY. If not, they are INSERT statements. */
  isCopied: boolean;
  /** The columns of these lines, in order. */
  columns: readonly string[];
  /** Whether the archive has them. */
  isPresent: boolean;
  /** Where they begin. undefined: pg_dump wrote to a pipe, so it could not go back and note it. */
  position: number | undefined;
}

/** An entry of the table of contents. */
export interface ListedEntry extends ListedRows {
  id: number;
  /** As pg_dump calls it: 'TABLE', 'TABLE DATA', 'FK CONSTRAINT'. */
  kind: string;
  /** The language of a function, as its definition writes it. */
  language: string | undefined;
  /** Whether it is a policy for roles that it names. */
  isForRoles: boolean;
  /** The numbers of the entries that it depends on. An archive may name some that it does not have. */
  needs: number[];
}

export interface TableOfContents {
  compression: Compression;
  /** The encoding of its texts, as PostgreSQL calls it. */
  encoding: string;
  /** The entries with rows, by their number. */
  rows: ReadonlyMap<number, ListedRows>;
  /** All entries by their number, in the archive's order. */
  entries: ReadonlyMap<number, ListedEntry>;
}

/** Versions of the format, as 100 × major + minor, from that of PostgreSQL 9.0 to the newest. */
const OLDEST = 112;
const NEWEST = 116;
const CUSTOM = 1;
const MAX_ENTRIES = 100_000;
/** The longest name in PostgreSQL (NAMEDATALEN), in characters. */
const MAX_NAME = 63;
/** How many bytes are kept of a name, such as that of a function with its arguments. */
const KEPT_NAME = 512;
/** How many dependencies an archive may list. */
const MAX_NEEDS = 1_000_000;
/** How many columns an archive may list: far more than those of any database that is made by people. */
const MAX_COLUMNS = 200_000;
/** The flags of an entry's position (K_OFFSET_…). */
const NO_ROWS = 3;
const KNOWN_POSITION = 2;

/** Reads head and table of contents of an archive (pg_backup_archiver.c: ReadHead, ReadToc). @throws FormatError */
export async function readTableOfContents(reader: ArchiveReader): Promise<TableOfContents> {
  const { version, compression } = await readHead(reader);
  const rows = new Map<number, ListedRows>();
  const entries = new Map<number, ListedEntry>();
  let needs = 0;
  let columns = 0;
  let encoding = 'SQL_ASCII';
  const count = await reader.int();
  if (count < 0 || count > MAX_ENTRIES) throw new FormatError('its table of contents is too long');
  for (let index = 0; index < count; index += 1) {
    const { definition, ...entry } = await readEntry(reader, version);
    const { id, kind } = entry;
    if (entries.has(id)) throw new FormatError(`it has entry ${id} twice`);
    needs += entry.needs.length;
    columns += entry.columns.length;
    if (needs > MAX_NEEDS || columns > MAX_COLUMNS) throw new FormatError('its table of contents is too long');
    entries.set(id, entry);
    if (kind === 'ENCODING') encoding = firstOf(/^SET client_encoding = '(\w{1,63})'/, definition) ?? encoding;
    if (kind !== 'TABLE DATA') continue;
    if (entry.schema.length > MAX_NAME || entry.name.length > MAX_NAME) {
      throw new FormatError('a name in it is too long');
    }
    rows.set(id, entry);
  }
  return { compression, encoding, rows, entries };
}

async function readHead(reader: ArchiveReader): Promise<{ version: number; compression: Compression }> {
  const isCustom = reader.isAtEnd() ? false : (await reader.take(5)).toString('latin1') === 'PGDMP';
  if (!isCustom) throw new FormatError('it does not begin as one');
  const version = 100 * (await reader.byte()) + (await reader.byte());
  await reader.byte();
  if (version < OLDEST || version > NEWEST) throw new FormatError('its version is not known');
  const sizes = { int: await reader.byte(), offset: await reader.byte() };
  if (sizes.int < 1 || sizes.int > 8 || sizes.offset < 1 || sizes.offset > 8) {
    throw new FormatError('its numbers have no size that is known');
  }
  reader.setSizes(sizes);
  if ((await reader.byte()) !== CUSTOM) throw new FormatError('it has another format of pg_dump');
  const compression = await readCompression(reader, version);
  // The time of the dump, in seven numbers. Then the names of the database and of PostgreSQL's and pg_dump's versions.
  for (let index = 0; index < 7; index += 1) await reader.int();
  for (let index = 0; index < 3; index += 1) await reader.skipText();
  return { version, compression };
}

async function readCompression(reader: ArchiveReader, version: number): Promise<Compression> {
  if (version < 115) return (await reader.int()) === 0 ? 'none' : 'zlib';
  const algorithms: Compression[] = ['none', 'zlib', 'lz4', 'zstd'];
  return algorithms[await reader.byte()] ?? 'unknown';
}

async function readEntry(reader: ArchiveReader, version: number): Promise<ListedEntry & { definition: string }> {
  const id = await reader.int();
  const hasRows = (await reader.int()) !== 0;
  // Object ids of the table and of the object.
  await reader.skipText();
  await reader.skipText();
  const name = (await reader.text(KEPT_NAME)) ?? '';
  const kind = (await reader.text(KEPT_NAME)) ?? '';
  // The section.
  await reader.int();
  // The statements that create it, drop it, and copy rows into it.
  const definition = (await reader.text()) ?? '';
  await reader.skipText();
  const copy = (await reader.text()) ?? '';
  const schema = (await reader.text(KEPT_NAME)) ?? '';
  // Table space; access method; kind of relation.
  await reader.skipText();
  if (version >= 114) await reader.skipText();
  if (version >= 116) await reader.int();
  // Owner; whether it has object ids.
  await reader.skipText();
  await reader.skipText();
  const needs: number[] = [];
  for (let need = await reader.text(); need !== undefined; need = await reader.text()) {
    if (needs.length > MAX_NEEDS) throw new FormatError('its table of contents is too long');
    needs.push(Number.parseInt(need, 10));
  }
  const { flag, position } = await reader.offset();
  return {
    id,
    kind,
    schema,
    name,
    definition,
    language: /FUNCTION|PROCEDURE/.test(kind) ? firstOf(/\n {4}LANGUAGE "?(\w{1,63})/, definition) : undefined,
    isForRoles: kind === 'POLICY' && / TO (?!PUBLIC)/.test(definition.split(/ USING \(| WITH CHECK \(/, 1)[0] ?? ''),
    needs,
    isCopied: copy !== '',
    columns: kind === 'TABLE DATA' ? columnsOf(copy) : [],
    isPresent: hasRows && flag !== NO_ROWS,
    position: flag === KNOWN_POSITION ? position : undefined,
  };
}

/** The columns that a COPY statement of pg_dump names, in order. */
function columnsOf(copy: string): string[] {
  const words = [...copy.matchAll(/"(?:[^"]|"")*"|[^\s"(),.;]+|[(),.;]/g)].map(([word]) => word);
  const from = words.indexOf('(');
  const list = from < 0 ? [] : words.slice(from + 1, words.indexOf(')', from));
  return list
    .filter((word) => word !== ',')
    .map((word) => {
      const name = unquoted(word);
      if (name.length > MAX_NAME) throw new FormatError('a name in it is too long');
      return copyOf(name);
    });
}

const unquoted = (word: string): string => (word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word);

/** What the first brackets of a pattern find in a text. */
function firstOf(pattern: RegExp, text: string): string | undefined {
  const [, found] = pattern.exec(text) ?? [];
  return found === undefined ? undefined : copyOf(found);
}

/** A copy of a part of a text, which would keep the whole of it in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();
