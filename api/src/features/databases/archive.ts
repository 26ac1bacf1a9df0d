import { addressOf, ProgramError, runProgram } from '../../db/client-program.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import type { PostgresTools } from '../../db/postgres-tools.ts';
import { AppError } from '../../errors.ts';

/** Sessions that load rows at a time. */
const JOBS = 2;
/** Bytes of the list, or of the versions, of an archive that somebody made in order to fill the memory. */
const MOST_OUTPUT = 16 * 1024 * 1024;

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

/** Writes a database into an archive, but for what a purge removed from it and still keeps. @throws ProgramError */
export async function dumpArchive({ pgDump }: PostgresTools, options: DumpOptions): Promise<void> {
  const { address, environment } = addressOf(options.url);
  const args = [
    '--format=custom',
    '--compress=1',
    '--no-owner',
    '--no-password',
    '--verbose',
    `--snapshot=${options.snapshot}`,
  ];
  const leftOut = ['--exclude-schema=apotheca_purged', '--exclude-table-data=apotheca.purged_tables'];
  await runProgram(pgDump, [...args, ...leftOut, `--file=${options.path}`, `--dbname=${address}`], {
    environment,
    signal: options.signal,
    onLine: (line) => {
      const [, table] = /dumping contents of table "public\.(\w+)"/.exec(line) ?? [];
      if (table) options.onTable(table);
    },
  });
}

/**
 * Reads what an archive holds, and refuses one that is none or comes from a newer version of the platform.
 * @throws AppError damaged-archive; internal where the archive is not to blame, such as a file that cannot be opened
 */
export async function readContents(tools: PostgresTools, path: string, signal?: AbortSignal): Promise<ArchiveContents> {
  const listing = await readArchive(tools, ['--list', path], signal);
  const rows = await readArchive(
    tools,
    ['--data-only', '--schema=apotheca', '--table=schema_version', '--file=-', path],
    signal,
  );
  const [, versions] = /^COPY apotheca\.schema_version \(version, .*\) FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(rows) ?? [];
  if (!versions) throw damaged('This is an archive, but not one of a database of this platform.');
  const schemaVersion = Math.max(...versions.split('\n').map((line) => Number.parseInt(line, 10) || 0));
  const newest = newestTenantSchemaVersion();
  if (schemaVersion > newest) {
    throw damaged(`The archive has schema version ${schemaVersion}; this platform knows versions up to ${newest}.`);
  }
  return { schemaVersion, entries: parseListing(listing) };
}

interface LoadOptions {
  /** Connection string of the role that loads; the archive's SQL runs with its rights. */
  url: string;
  path: string;
  /** File that names the entries to load. */
  listPath: string;
  signal: AbortSignal;
  /** Is told each table whose rows are in. */
  onTable(name: string): void;
}

/**
 * Loads rows and sequence values into a database that has the tables.
 * @throws AppError damaged-archive; internal where the archive is not to blame, such as a full disk
 */
export async function loadArchive({ pgRestore }: PostgresTools, options: LoadOptions): Promise<void> {
  const { address, environment } = addressOf(options.url);
  const flags = [
    '--format=custom',
    '--data-only',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    '--no-password',
    '--verbose',
  ];
  const what = [`--jobs=${JOBS}`, `--use-list=${options.listPath}`, `--dbname=${address}`, options.path];
  const loading = runProgram(pgRestore, [...flags, ...what], {
    environment,
    signal: options.signal,
    onLine: (line) => {
      const [, table] = /finished item \d+ TABLE DATA (\w+)/.exec(line) ?? [];
      if (table) options.onTable(table);
    },
  });
  await asDamage(loading);
}

async function readArchive({ pgRestore }: PostgresTools, args: string[], signal?: AbortSignal): Promise<string> {
  const tooMuch = new AbortController();
  let text = '';
  const onOutput = (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (text.length > MOST_OUTPUT)
      tooMuch.abort(damaged('This archive lists more than a database of this platform has.'));
  };
  const stop = AbortSignal.any([tooMuch.signal, ...(signal ? [signal] : [])]);
  await asDamage(runProgram(pgRestore, ['--format=custom', ...args], { onOutput, signal: stop }));
  return text;
}

function parseListing(listing: string): ArchiveEntry[] {
  const lines = listing.matchAll(/^(\d+); \d+ \d+ (TABLE DATA|SEQUENCE SET) (\w+) (\w+) /gm);
  return [...lines].map(([, id = '', kind, schema = '', name = '']) => ({
    id,
    kind: kind === 'TABLE DATA' ? kind : 'SEQUENCE SET',
    schema,
    name,
  }));
}

async function asDamage(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ProgramError)) throw error;
    if (!NOT_THE_ARCHIVE.test(error.message)) throw damaged(`This archive cannot be restored. ${error.message}`);
    const message = `The archive could not be read or restored, but may be whole: ${error.message}.`;
    throw new AppError('internal', { message }, { cause: error });
  });
}

/** The refusal of an archive. */
export const damaged = (message: string): AppError => new AppError('damaged-archive', { message });
