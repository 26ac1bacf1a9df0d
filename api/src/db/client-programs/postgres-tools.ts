import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../errors.ts';
import { isOverloaded } from '../errors/postgres-errors.ts';
import { childEnvironment, isWithinReach } from './confinement.ts';

const run = promisify(execFile);
/** Where Debian and its relatives keep a folder for each major version. */
const DEBIAN = '/usr/lib/postgresql';

/** The client programs that back up and restore. */
export interface PostgresTools {
  pgDump: string;
  pgRestore: string;
  /** How pg_restore loads into the server that they were found for. */
  loading: { flags: readonly string[]; harmless?: RegExp };
  /** Asks that server for a sign of life while they work. Absent: it is the home one, which every run of an operation asks by its lock. */
  ask?: () => Promise<unknown>;
}

/** From this version on pg_restore sets `transaction_timeout` before all else, of whatever version the server is. */
const WITH_TRANSACTION_TIMEOUT = 17;

/** An older server does not know that setting. pg_restore is let go on after that refusal, and after no other. */
const OLDER_SERVER = { flags: [], harmless: /could not execute query: .*transaction_timeout/ };
const SAME_SERVER = { flags: ['--exit-on-error'] };

/**
 * Finds pg_dump and pg_restore: in PG_BIN_DIR, else the newest on the PATH and in Debian's folders. An archive that a newer one has made
 * cannot be read by an older one, so all servers' archives are made and read by the newest.
 * @param binDir PG_BIN_DIR
 * @param serverMajor version of the PostgreSQL server: an older pg_dump refuses to dump it
 * @throws AppError tools-missing, saying what to install
 */
export async function findPostgresTools(binDir: string | undefined, serverMajor: number): Promise<PostgresTools> {
  let outOfReach: string | undefined;
  let newest = { pgDump: '', pgRestore: '', major: 0 };
  for (const folder of binDir ? [resolve(binDir)] : await likelyFolders()) {
    const tools = { pgDump: join(folder, 'pg_dump'), pgRestore: join(folder, 'pg_restore') };
    if (!(await isExecutable(tools.pgDump)) || !(await isExecutable(tools.pgRestore))) continue;
    if (!binDir && (await isWrapper(tools.pgDump))) continue;
    const major = await majorOf(tools.pgDump);
    if (major < serverMajor || major <= newest.major) continue;
    if (await isWithinReach(folder)) newest = { ...tools, major };
    else outOfReach = folder;
  }
  const { major, ...tools } = newest;
  const isBeyond = major >= WITH_TRANSACTION_TIMEOUT && serverMajor < WITH_TRANSACTION_TIMEOUT;
  if (major > 0) return { ...tools, loading: isBeyond ? OLDER_SERVER : SAME_SERVER };
  const where = binDir ? ` There are none in PG_BIN_DIR (${binDir}).` : '';
  const reach = outOfReach
    ? ` Those in ${outOfReach} cannot be reached by the account under which they run where the server is root.`
    : '';
  throw new AppError('tools-missing', {
    message: `This needs pg_dump and pg_restore of PostgreSQL ${serverMajor} or newer: install the PostgreSQL client programs (Debian: postgresql-client), or set PG_BIN_DIR to their folder.${where}${reach}`,
  });
}

async function likelyFolders(): Promise<string[]> {
  const found = await readdir(DEBIAN).catch((error: unknown): string[] => unlessOverloaded(error, []));
  const versions = found.sort((one, two) => Number(two) - Number(one));
  return [
    ...(process.env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => resolve(folder)),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
}

/**
 * Whether that is pg_wrapper(1) of Debian, a script that runs the newest program of Debian's folders. These are looked into anyway, and the
 * script takes five times the processor time that pg_dump needs to start.
 */
const isWrapper = async (program: string): Promise<boolean> => basename(await realpath(program)) === 'pg_wrapper';

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    (error: unknown) => unlessOverloaded(error, false),
  );

/** The default, unless no file can be opened: then the program may exist all the same. @throws that error */
function unlessOverloaded<T>(error: unknown, otherwise: T): T {
  if (isOverloaded(error)) throw error;
  return otherwise;
}

/** The major version that `pg_dump --version` prints; 0 if it cannot be run. */
async function majorOf(program: string): Promise<number> {
  const version = run(program, ['--version'], { env: childEnvironment() });
  const output = await version.catch((error: unknown) => unlessOverloaded(error, undefined));
  return Number(/(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(output?.stdout ?? '')?.[1] ?? 0);
}
