// Starts the programs, and kills those of PostgreSQL.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, openSync, readlinkSync, writeFileSync } from 'node:fs';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder of the newest PostgreSQL's programs. */
export function postgresFolder(): string {
  const [newest = ''] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse();
  return dirname(newest);
}

/** Where Debian has what is needed, and in which packages. */
const PROGRAMS = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/python3/dist-packages/etcd': 'python3-etcd',
  '/usr/sbin/haproxy': 'haproxy',
  [join(postgresFolder(), 'postgres')]: 'postgresql',
};

/** @throws Error with the packages that are missing */
export function requirePrograms(): void {
  const missing = Object.entries(PROGRAMS).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (missing.length > 0) throw new Error(`Please install first: apt-get install ${missing.join(' ')}`);
}

/** Starts programs in a folder that they may write to. */
export interface Runner {
  folder: string;
  /** @param name of the files with its log and its id in the folder @param environment of the program, and nothing else */
  start(name: string, command: readonly string[], environment?: Record<string, string>): ChildProcess;
}

/** PostgreSQL refuses to run as root: then everything runs as `postgres`, the account of Debian's package. */
export async function makeRunner(folder: string): Promise<Runner> {
  await mkdir(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, idOf('-u'), idOf('-g'));
  const account = isRoot ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
  return {
    folder,
    start(name, command, environment = {}) {
      const log = openSync(join(folder, `${name}.log`), 'a');
      // They end with this process, even if that is killed.
      const child = spawn('setpriv', [...account, '--pdeathsig=TERM', ...command], {
        cwd: folder,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...environment },
        stdio: ['ignore', log, log],
        // The terminal's Ctrl-C is for Apotheca first.
        detached: true,
      });
      writeFileSync(join(folder, `${name}.pid`), String(child.pid ?? ''));
      return child;
    },
  };
}

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** Ends a program, if it runs. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Kills all processes of a PostgreSQL at once. @param dataDir of its cluster */
export async function killPostgres(dataDir: string): Promise<void> {
  const pidFile = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = pidFile.split('\n')[0] ?? '';
  if (!isOf(postmaster, dataDir)) return;
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' });
  const children = stdout.split('\n').map((line) => line.trim());
  for (const pid of [postmaster, ...children]) if (isOf(pid, dataDir)) process.kill(Number(pid), 'SIGKILL');
}

/** Whether a process works in a folder, as PostgreSQL's do. The number in a file that was left may be another process's by now. */
function isOf(pid: string, folder: string): boolean {
  try {
    return pid !== '' && readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}
