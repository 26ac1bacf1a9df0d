import type { SpawnOptions } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

/** The variables of this process's environment that programs get: only what they need, and no secret of the server. */
const PASSED_ON = [
  'PATH',
  'LD_LIBRARY_PATH',
  'TMPDIR',
  'TZ',
  'PGCHANNELBINDING',
  'PGCONNECT_TIMEOUT',
  'PGGSSENCMODE',
  'PGSSLCRL',
];
/** The user `nobody` of Linux, as whom programs run where the server is root. */
const NOBODY = 65_534;
/** Limit of the address space in bytes: a field of PostgreSQL has at most 1 GiB. */
const MOST_MEMORY = 2 * 1024 ** 3;
const MOST_FILES = 256;

/**
 * The environment of a program that the server starts.
 * @param own variables in addition to those that every program gets
 */
export function childEnvironment(own: Record<string, string> = {}): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), LC_ALL: 'C', ...own };
}

const isRoot = () => process.getuid?.() === 0;

/** How to run a program that reads files of others: without rights if the server is root, and with limits if the system has prlimit(1). */
export async function confined(
  program: string,
  args: readonly string[],
): Promise<{ command: string; args: readonly string[]; options: SpawnOptions }> {
  // The account may have no access to the working directory; it always has to the root directory.
  const options = isRoot() ? { uid: NOBODY, gid: NOBODY, cwd: '/' } : {};
  const prlimit = await findPrlimit();
  if (prlimit === undefined) return { command: program, args, options };
  const memory = await atMost('Max address space', MOST_MEMORY);
  const files = await atMost('Max open files', MOST_FILES);
  const limits = [`--as=${memory}`, `--nofile=${files}`, '--core=0'];
  return { command: prlimit, args: [...limits, '--', program, ...args], options };
}

/** A limit, or this process's own if that is lower: only root could raise it. @see proc(5), /proc/pid/limits */
async function atMost(name: string, limit: number): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, hard = 'unlimited'] = new RegExp(`^${name} +\\S+ +(\\S+)`, 'm').exec(limits) ?? [];
  return hard === 'unlimited' ? limit : Math.min(limit, Number(hard));
}

/** Whether the account of a confined program can reach what is in a folder. */
export const isWithinReach = async (folder: string): Promise<boolean> => !isRoot() || isOpen(folder);

/** Whether every account can reach a folder. */
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

/** Path of a program on the PATH. */
export async function findProgram(program: string): Promise<string | undefined> {
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
