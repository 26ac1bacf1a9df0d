import type { FileHandle } from 'node:fs/promises';
import {
  addressOf,
  ProgramError,
  type ProgramOptions,
  runProgram,
  THIRD_FILE,
  writeArchive,
} from '../../../../db/client-programs/client-program.ts';
import type { PostgresTools } from '../../../../db/client-programs/postgres-tools.ts';
import { fullDisk, isDatabaseAway } from '../../../../db/errors/postgres-errors.ts';
import { newestTenantSchemaVersion } from '../../../../db/migrate.ts';
import { AppError } from '../../../../errors.ts';
import { withFile } from './archive-store.ts';
import { damaged } from './damaged-archive.ts';

/** How long reading or loading an archive may take, in milliseconds, and how much more for each MiB. */
const DEADLINE = 600_000;
const DEADLINE_PER_MEBIBYTE = 4_000;
/** The most bytes that are read of an archive's list or versions: an archive from elsewhere could fill the memory with them. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/** The first schema version that grants a database's role its rights. Rows are loaded with these rights. */
const OLDEST_SCHEMA = 8;
const SCHEMA_VERSIONS = '\nCOPY apotheca.schema_version (version, ';
/** Far more rows than schema_version has: one for each version. */
const MAX_VERSIONS = 1_000;

/** Errors of the machine or of PostgreSQL that say nothing about the archive. */
const NOT_THE_ARCHIVE = new RegExp(
  [
    // strerror(3)
    'No space left on device|Disk quota exceeded|File too large|Read-only file system|Input/output error',
    'No such file or directory|Permission denied|Cannot allocate memory|Too many open files|Stale file handle',
    // SQLSTATE 53200, 40P01, 57014, and what libpq says
    'out of (shared )?memory|deadlock detected|canceling statement|connection to server',
    // The system, such as for want of memory, or an administrator. An archive can make pg_restore crash: that is another signal.
    'ended by SIG(KILL|TERM|INT|HUP|QUIT|XCPU|XFSZ)',
  ].join('|'),
);

/** What an older pg_restore says of an archive of a newer pg_dump. */
const OF_NEWER_PG_DUMP = /unsupported version \([1-9]\d*\.\d+\) in file header/;

/** The rows of one table, or the value of one sequence, in an archive. */
export interface ArchiveEntry {
  /** Number within the archive. */
  id: string;
  kind: 'TABLE DATA' | 'SEQUENCE SET';
  schema: string;
  name: string;
}

/** A key, another constraint or an index that an archive lists. */
export interface ArchiveKey {
  kind: 'CONSTRAINT' | 'FK CONSTRAINT' | 'INDEX';
  schema: string;
  /** Of a constraint with its table's name before it. */
  name: string;
}

/** What an archive contains. */
export interface ArchiveContents {
  schemaVersion: number;
  entries: ArchiveEntry[];
  keys: ArchiveKey[];
}

interface DumpOptions {
  /** Connection string of an administrator. */
  url: string;
  /** Exported by another session (pg_export_snapshot). */
  snapshot: string;
  /** An existing file, whose content is replaced. */
  path: string;
  signal: AbortSignal;
  /** Called with each table when its rows begin to be written. */
  onTable(name: string): void;
}

/**
 * Writes a database into an archive. It leaves out rows that purges and adoptions keep, and large objects, which no table of the platform has and no
 * restore loads.
 * @throws ProgramError
 */
export async function dumpArchive({ pgDump, ask }: PostgresTools, options: DumpOptions): Promise<void> {
  const { address, environment } = addressOf(options.url);
  const args = [
    '--compress=1',
    '--no-owner',
    '--no-password',
    // No large objects. The long option has another name from PostgreSQL 16 on.
    '-B',
    '--verbose',
    `--snapshot=${options.snapshot}`,
  ];
  const leftOut = [
    '--exclude-schema=apotheca_purged',
    '--exclude-schema=apotheca_adopted',
    '--exclude-table-data=apotheca.purged_tables',
  ];
  const onLine = (line: string) => {
    const [, table] = /dumping contents of table "public\.(\w+)"/.exec(line) ?? [];
    if (table) options.onTable(table);
  };
  const { signal } = options;
  await withFile(options.path, 'r+', (file) =>
    writeArchive(pgDump, [...args, ...leftOut, `--dbname=${address}`], file, { environment, signal, ask, onLine }),
  );
}

/**
 * Reads what an archive contains. Refuses a file that is no archive, and one whose schema is too old or newer than the platform's.
 * @throws AppError damaged-archive; conflict where a newer version made it, tools-missing where a newer pg_dump did; internal for other causes,
 *   such as a file that cannot be opened
 */
export async function readContents(tools: PostgresTools, path: string, signal?: AbortSignal): Promise<ArchiveContents> {
  const listing = await readArchive(tools, path, ['--list'], signal);
  const versions = ['--data-only', '--no-owner', '--schema=apotheca', '--table=schema_version', '--file=-'];
  const rows = await readArchive(tools, path, versions, signal);
  const schemaVersion = newestVersionIn(rows);
  if (schemaVersion === undefined) throw damaged('This is an archive, but not one of a database of this platform.');
  refuseOldVersion(schemaVersion);
  refuseNewerVersion(schemaVersion);
  return { schemaVersion, entries: parseListing(listing), keys: parseKeys(listing) };
}

/** Refuses a schema version that this version does not know: a newer one restores it. @throws AppError conflict */
function refuseNewerVersion(version: number): void {
  const newest = newestTenantSchemaVersion();
  if (version <= newest) return;
  const message = `The archive has schema version ${version}; this platform knows versions up to ${newest}.`;
  throw new AppError('conflict', { message });
}

/** Refuses a schema version that no restore accepts. @throws AppError damaged-archive */
export function refuseOldVersion(version: number): void {
  if (version < OLDEST_SCHEMA) {
    throw damaged(
      `The archive has schema version ${version}; this platform restores versions from ${OLDEST_SCHEMA} on.`,
    );
  }
}

/** The physical name of the database that an archive was made of. @throws as {@link readContents} */
export async function readSourceName(tools: PostgresTools, path: string): Promise<string> {
  const [, name = ''] = /^;\s+dbname: (\S+)$/m.exec(await readArchive(tools, path, ['--list'])) ?? [];
  return name;
}

/**
 * The highest version among the rows of apotheca.schema_version. It reads each byte once, because an archive from elsewhere may be made
 * to be slow to search.
 * @param sql pg_restore's output for that table
 * @returns undefined when there are no such rows
 */
export function newestVersionIn(sql: string): number | undefined {
  const opening = sql.indexOf(SCHEMA_VERSIONS);
  const from = opening < 0 ? -1 : sql.indexOf('\n', opening + SCHEMA_VERSIONS.length);
  const end = from < 0 ? -1 : sql.indexOf('\n\\.\n', from);
  if (end <= from || !sql.slice(opening, from).endsWith(' FROM stdin;')) return undefined;
  const lines = sql.slice(from + 1, end).split('\n', MAX_VERSIONS + 1);
  if (lines.length > MAX_VERSIONS) throw tooLong();
  return Math.max(...lines.map((line) => Number.parseInt(line, 10) || 0));
}

interface LoadOptions {
  /** Connection string of the role with whose rights the archive's SQL runs. */
  url: string;
  path: string;
  /** The entries to load (openEntryList). */
  list: FileHandle;
  signal: AbortSignal;
  /** Called with each table when its rows begin to be loaded. */
  onTable(name: string): void;
}

/**
 * Loads rows and sequence values into existing tables, on one session.
 * @throws AppError damaged-archive; internal for other causes, such as a full disk; ProgramError of class 08 when pg_restore says that
 *   PostgreSQL went away
 */
export async function loadArchive({ pgRestore, loading, ask }: PostgresTools, options: LoadOptions): Promise<void> {
  const { url, path, list, signal, onTable } = options;
  const { address, environment } = addressOf(url);
  const flags = ['--data-only', ...loading.flags, '--no-owner', '--no-privileges', '--no-password', '--verbose'];
  const what = [`--use-list=${THIRD_FILE}`, `--dbname=${address}`];
  const onLine = (line: string) => {
    const [, table] = /processing data for table "\w+\.(\w+)"/.exec(line) ?? [];
    if (table) onTable(table);
  };
  const program = { environment, signal, ask, onLine, harmless: loading.harmless, files: { third: list.fd } };
  await runOnArchive(pgRestore, path, [...flags, ...what], program).catch((error: unknown) => {
    throw isDatabaseAway(error) ? error : refusalOf(error);
  });
}

/**
 * Makes objects with their rows in an existing database, in the order of the list, on one session.
 * @throws as {@link loadArchive}
 */
export async function loadObjects(
  { pgRestore, loading, ask }: PostgresTools,
  options: Omit<LoadOptions, 'onTable'>,
): Promise<void> {
  const { url, path, list, signal } = options;
  const { address, environment } = addressOf(url);
  const flags = [...loading.flags, '--no-owner', '--no-privileges', '--no-tablespaces', '--no-password'];
  const what = [`--use-list=${THIRD_FILE}`, `--dbname=${address}`];
  const program = { environment, signal, ask, harmless: loading.harmless, files: { third: list.fd } };
  await runOnArchive(pgRestore, path, [...flags, ...what], program).catch((error: unknown) => {
    throw isDatabaseAway(error) ? error : refusalOf(error);
  });
}

async function readArchive(
  { pgRestore }: PostgresTools,
  path: string,
  args: string[],
  signal?: AbortSignal,
): Promise<string> {
  const tooMuch = new AbortController();
  let text = '';
  const onOutput = (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (text.length > MAX_OUTPUT) tooMuch.abort(tooLong());
  };
  const stop = AbortSignal.any([tooMuch.signal, ...(signal ? [signal] : [])]);
  // It does not connect to PostgreSQL, so even a message about a lost connection comes from the archive.
  await runOnArchive(pgRestore, path, args, { onOutput, signal: stop }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  return text;
}

/** Runs pg_restore on an archive. It gets an open file, because its account may not read the folder and its other archives. */
async function runOnArchive(
  pgRestore: string,
  path: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<void> {
  await withFile(path, 'r', async (file) => {
    const deadline = deadlineOf((await file.stat()).size);
    const files = { ...options.files, input: file.fd };
    await runProgram(pgRestore, ['--format=custom', ...args], { ...options, deadline, files });
  });
}

/** How long work on an archive may take, as its SQL could run for ever. @param bytes of its file. @returns milliseconds */
export const deadlineOf = (bytes: number): number => DEADLINE + Math.ceil(bytes / 1024 ** 2) * DEADLINE_PER_MEBIBYTE;

function parseListing(listing: string): ArchiveEntry[] {
  const lines = listing.matchAll(/^(\d+); \d+ \d+ (TABLE DATA|SEQUENCE SET) (\w+) (\w+) /gm);
  return [...lines].map(([, id = '', kind, schema = '', name = '']) => ({
    id,
    kind: kind === 'TABLE DATA' ? kind : 'SEQUENCE SET',
    schema,
    name,
  }));
}

/** How pg_restore lists keys and indexes with plain names, as all of the platform's are. */
const KEY_LINES: [ArchiveKey['kind'], RegExp][] = [
  ['CONSTRAINT', /^\d+; \d+ \d+ CONSTRAINT (\w+) (\w+ \w+) /gm],
  ['FK CONSTRAINT', /^\d+; \d+ \d+ FK CONSTRAINT (\w+) (\w+ \w+) /gm],
  ['INDEX', /^\d+; \d+ \d+ INDEX (\w+) (\w+) /gm],
];

const parseKeys = (listing: string): ArchiveKey[] =>
  KEY_LINES.flatMap(([kind, line]) =>
    [...listing.matchAll(line)].map(([, schema = '', name = '']) => ({ kind, schema, name })),
  );

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ProgramError)) return error;
  if (OF_NEWER_PG_DUMP.test(error.message)) return olderTools(error);
  if (!NOT_THE_ARCHIVE.test(error.message)) return damaged(`This archive cannot be restored. ${error.message}`);
  const message = `The archive could not be read or restored, but may be undamaged: ${error.message.replace(/\.$/, '')}.`;
  return new AppError(fullDisk(error) ? 'disk-full' : 'internal', { message }, { cause: error });
}

const olderTools = (cause: ProgramError) => {
  const message =
    'A newer pg_dump made this archive than the pg_restore on this machine can read: install PostgreSQL client programs of the version that made it, or newer ones (Debian: postgresql-client), or set PG_BIN_DIR to their folder.';
  return new AppError('tools-missing', { message }, { cause });
};

const tooLong = () => damaged('This archive lists more than a database of this platform has.');
