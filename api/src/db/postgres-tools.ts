import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../errors.ts';

const run = promisify(execFile);
/** Where Debian and its relatives keep a folder for each major version. */
const DEBIAN = '/usr/lib/postgresql';

/** The client programs that back up and restore. */
export interface PostgresTools {
  pgDump: string;
  pgRestore: string;
}

/**
 * Finds pg_dump and pg_restore: in PG_BIN_DIR, else on the PATH, else in Debian's folders, the newest version first.
 * @param binDir PG_BIN_DIR
 * @param serverMajor version of the PostgreSQL server: an older pg_dump refuses to dump it
 * @throws AppError tools-missing, saying what to install
 */
export async function findPostgresTools(binDir: string | undefined, serverMajor: number): Promise<PostgresTools> {
  for (const folder of binDir ? [binDir] : await likelyFolders()) {
    const tools = { pgDump: join(folder, 'pg_dump'), pgRestore: join(folder, 'pg_restore') };
    if ((await isExecutable(tools.pgDump)) && (await isExecutable(tools.pgRestore))) {
      if ((await majorOf(tools.pgDump)) >= serverMajor) return tools;
    }
  }
  const where = binDir ? ` There are none in PG_BIN_DIR (${binDir}).` : '';
  throw new AppError('tools-missing', {
    message: `This needs pg_dump and pg_restore of PostgreSQL ${serverMajor} or newer: install the PostgreSQL client programs (Debian: postgresql-client), or set PG_BIN_DIR to their folder.${where}`,
  });
}

async function likelyFolders(): Promise<string[]> {
  const versions = (await readdir(DEBIAN).catch(() => [])).sort((one, two) => Number(two) - Number(one));
  return [
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The major version that `pg_dump --version` tells; 0 when it does not run. */
async function majorOf(program: string): Promise<number> {
  const output = await run(program, ['--version']).catch(() => undefined);
  return Number(/(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(output?.stdout ?? '')?.[1] ?? 0);
}
