import type { SpawnOptions } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

/** What programs are given of this process's environment: nothing that they do not need, and no secret of the server. */
const PASSED_ON = [
  'PATH',
  'LD_LIBRARY_PATH',
  'TMPDIR',
  'TZ',
  'PGCHANNELBINDING',
  'PGCONNECT_TIMEOUT',
  'PGGSSENCMODE',
  'PGSSLCERT',
  'PGSSLCRL',
  'PGSSLKEY',
  'PGSSLMODE',
  'PGSSLROOTCERT',
];
/** The user `nobody` of Linux: where the server is root, its programs are not. */
const NOBODY = 65_534;
/** Address space in bytes: a field of PostgreSQL ends at 1 GiB. */
const MOST_MEMORY = 2 * 1024 ** 3;
const MOST_FILES = 256;

/**
 * The environment of a program that the server starts.
 * @param own variables besides those that every program is given
 */
export function childEnvironment(own: Record<string, string> = {}): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), LC_ALL: 'C', ...own };
}

const isRoot = () => process.getuid?.() === 0;

/** Runs a program that reads what others have made: without rights where the server is root, and with limits where prlimit(1) is there. */
export async function confined(
  program: string,
  args: readonly string[],
): Promise<{ command: string; args: readonly string[]; options: SpawnOptions }> {
  // The working directory may be closed to the account; the root directory never is.
  const options = isRoot() ? { uid: NOBODY, gid: NOBODY, cwd: '/' } : {};
  const prlimit = await findPrlimit();
  if (prlimit === undefined) return { command: program, args, options };
  const memory = await atMost('Max address space', MOST_MEMORY);
  const files = await atMost('Max open files', MOST_FILES);
  const limits = [`--as=${memory}`, `--nofile=${files}`, '--core=0'];
  return { command: prlimit, args: [...limits, '--', program, ...args], options };
}

/** A limit, unless this process has a lower one: nobody but root may raise that again. @see proc(5), /proc/pid/limits */
async function atMost(name: string, limit: number): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, hard = 'unlimited'] = new RegExp(`^${name} +\\S+ +(\\S+)`, 'm').exec(limits) ?? [];
  return hard === 'unlimited' ? limit : Math.min(limit, Number(hard));
}

/** Whether the account of a confined program can reach what is in a folder. */
export const isWithinReach = async (folder: string): Promise<boolean> => !isRoot() || isOpen(folder);

/** Whether everybody may walk down to a folder. */
export async function isOpen(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & constants.S_IXOTH) === 0) return false;
  return dirname(folder) === folder || isOpen(dirname(folder));
}

let prlimitPath: Promise<string | undefined> | undefined;

/** Path of prlimit(1) of util-linux. */
function findPrlimit(): Promise<string | undefined> {
  prlimitPath ??= findProgram('prlimit');
  return prlimitPath;
}

async function findProgram(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, program);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
