import type { FileHandle } from 'node:fs/promises';
import {
  addressOf,
  ProgramError,
  type ProgramOptions,
  runProgram,
  THIRD_FILE,
} from '../../../../db/client-programs/client-program.ts';
import type { PostgresTools } from '../../../../db/client-programs/postgres-tools.ts';
import { fullDisk, isDatabaseAway } from '../../../../db/errors/postgres-errors.ts';
import { newestTenantSchemaVersion } from '../../../../db/migrate.ts';
import { AppError } from '../../../../errors.ts';
import { withFile } from './archive-store.ts';

/** How long reading or loading an archive may take, in milliseconds, and what is added for each MiB of it. */
const DEADLINE = 600_000;
const DEADLINE_PER_MEBIBYTE = 4_000;
/** Bytes of the list, or of the versions, of an archive that somebody made in order to fill the memory. */
const MOST_OUTPUT = 4 * 1024 * 1024;

/** The first version of the schema that says what the role of a database may do in it: rows are loaded by such a role. */
const OLDEST_ARCHIVE = 8;
const SCHEMA_VERSIONS = '\nCOPY apotheca.schema_version (version, ';
/** A version of the schema is a row; so many are many times what there is. */
const MOST_VERSIONS = 1_000;

/** What the machine, or PostgreSQL for its own sake, says to an archive that may be whole. */
const NOT_THE_ARCHIVE = new RegExp(
  [
    // strerror(3)
    'No space left on device|Disk quota exceeded|File too large|Read-only file system|Input/output error',
    'No such file or directory|Permission denied|Cannot allocate memory|Too many open files|Stale file handle',
    // SQLSTATE 53200, 40P01, 57014, and what libpq says
    'out of (shared )?memory|deadlock detected|canceling statement|connection to server',
  ].join('|'),
);

/** The rows of one table, or the value of one sequence, in an archive. */
export interface ArchiveEntry {
  /** Number within the archive. */
  id: string;
  kind: 'TABLE DATA' | 'SEQUENCE SET';
  schema: string;
  name: string;
}

/** What an archive tells of itself. */
export interface ArchiveContents {
  schemaVersion: number;
  entries: ArchiveEntry[];
}

interface DumpOptions {
  /** Connection string of an administrator. */
  url: string;
  /** Exported by another session (pg_export_snapshot). */
  snapshot: string;
  /** File to write; only its content is replaced. */
  path: string;
  signal: AbortSignal;
  /** Is told each table whose rows are being written. */
  onTable(name: string): void;
}

/**
 * Writes a database into an archive, but for what a purge removed from it and still keeps, and for large objects: no table of the
 * platform has any, and no restore takes them.
 * @throws ProgramError
 */
export async function dumpArchive({ pgDump }: PostgresTools, options: DumpOptions): Promise<void> {
  const { address, environment } = addressOf(options.url);
  const args = [
    '--format=custom',
    '--compress=1',
    '--no-owner',
    '--no-password',
    // In words it has another name from PostgreSQL 16 on.
    '-B',
    '--verbose',
    `--snapshot=${options.snapshot}`,
  ];
  const leftOut = ['--exclude-schema=apotheca_purged', '--exclude-table-data=apotheca.purged_tables'];
  const onLine = (line: string) => {
    const [, table] = /dumping contents of table "public\.(\w+)"/.exec(line) ?? [];
    if (table) options.onTable(table);
  };
  await withFile(options.path, 'r+', ({ fd }) =>
    runProgram(pgDump, [...args, ...leftOut, `--dbname=${address}`], {
      environment,
      signal: options.signal,
      onLine,
      files: { output: fd },
    }),
  );
}

/**
 * Reads what an archive holds, and refuses one that is none, or whose schema is newer than the platform or too old.
 * @throws AppError damaged-archive; internal where the archive is not to blame, such as a file that cannot be opened
 */
export async function readContents(tools: PostgresTools, path: string, signal?: AbortSignal): Promise<ArchiveContents> {
  const listing = await readArchive(tools, path, ['--list'], signal);
  const versions = ['--data-only', '--schema=apotheca', '--table=schema_version', '--file=-'];
  const rows = await readArchive(tools, path, versions, signal);
  const schemaVersion = newestVersionIn(rows);
  if (schemaVersion === undefined) throw damaged('This is an archive, but not one of a database of this platform.');
  const newest = newestTenantSchemaVersion();
  if (schemaVersion > newest) {
    throw damaged(`The archive has schema version ${schemaVersion}; this platform knows versions up to ${newest}.`);
  }
  if (schemaVersion < OLDEST_ARCHIVE) {
    throw damaged(
      `The archive has schema version ${schemaVersion}; this platform restores versions from ${OLDEST_ARCHIVE} on.`,
    );
  }
  return { schemaVersion, entries: parseListing(listing) };
}

/**
 * The highest version among the rows of apotheca.schema_version. It looks at each byte once, as their number is the choice of whoever
 * made the archive.
 * @param sql as pg_restore writes it for that table
 * @returns undefined where there are no such rows
 */
export function newestVersionIn(sql: string): number | undefined {
  const opening = sql.indexOf(SCHEMA_VERSIONS);
  const from = opening < 0 ? -1 : sql.indexOf('\n', opening + SCHEMA_VERSIONS.length);
  const end = from < 0 ? -1 : sql.indexOf('\n\\.\n', from);
  if (end <= from || !sql.slice(opening, from).endsWith(' FROM stdin;')) return undefined;
  const lines = sql.slice(from + 1, end).split('\n', MOST_VERSIONS + 1);
  if (lines.length > MOST_VERSIONS) throw tooLong();
  return Math.max(...lines.map((line) => Number.parseInt(line, 10) || 0));
}

interface LoadOptions {
  /** Connection string of the role that loads; the archive's SQL runs with its rights. */
  url: string;
  path: string;
  /** Names the entries to load (openEntryList). */
  list: FileHandle;
  signal: AbortSignal;
  /** Is told each table whose rows begin to come in. */
  onTable(name: string): void;
}

/**
 * Loads rows and sequence values into a database that has the tables, over one session.
 * @throws AppError damaged-archive; internal where the archive is not to blame, such as a full disk; ProgramError of class 08 where
 *   pg_restore says that PostgreSQL went away
 */
export async function loadArchive({ pgRestore }: PostgresTools, options: LoadOptions): Promise<void> {
  const { url, path, list, signal, onTable } = options;
  const { address, environment } = addressOf(url);
  const flags = ['--data-only', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password', '--verbose'];
  const what = [`--use-list=${THIRD_FILE}`, `--dbname=${address}`];
  const onLine = (line: string) => {
    const [, table] = /processing data for table "\w+\.(\w+)"/.exec(line) ?? [];
    if (table) onTable(table);
  };
  const program = { environment, signal, onLine, files: { third: list.fd } };
  await runOnArchive(pgRestore, path, [...flags, ...what], program).catch((error: unknown) => {
    throw isDatabaseAway(error) ? error : asDamage(error);
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
    if (text.length > MOST_OUTPUT) tooMuch.abort(tooLong());
  };
  const stop = AbortSignal.any([tooMuch.signal, ...(signal ? [signal] : [])]);
  // It connects to nothing: whatever it says of PostgreSQL is in the archive.
  await runOnArchive(pgRestore, path, args, { onOutput, signal: stop }).catch((error: unknown) => {
    throw asDamage(error);
  });
  return text;
}

/** Runs pg_restore on an archive, which it is given open: its account has no right to the folder, nor to other archives. */
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

/** How long work on an archive may take: as its SQL is run, it may never end. @param bytes of its file. @returns milliseconds */
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

function asDamage(error: unknown): unknown {
  if (!(error instanceof ProgramError)) return error;
  if (!NOT_THE_ARCHIVE.test(error.message)) return damaged(`This archive cannot be restored. ${error.message}`);
  const message = `The archive could not be read or restored, but may be whole: ${error.message}.`;
  return new AppError(fullDisk(error) ? 'disk-full' : 'internal', { message }, { cause: error });
}

const tooLong = () => damaged('This archive lists more than a database of this platform has.');

/** The refusal of an archive. */
export const damaged = (message: string): AppError => new AppError('damaged-archive', { message });
