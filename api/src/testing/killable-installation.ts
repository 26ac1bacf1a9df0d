import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ServerProcess, startServer } from './server-process.ts';

const run = promisify(execFile);
const POLL = 20;

/** A server with its embedded PostgreSQL, or with that of its `DATABASE_URL`. Tests kill either of them and start it again. */
export interface KillableInstallation {
  /** Connection string of the control database, which changes with each start of PostgreSQL. */
  databaseUrl(): Promise<string>;
  server(): ServerProcess;
  /** SIGKILL for the server; PostgreSQL goes on. */
  killServer(): Promise<void>;
  /** SIGKILL for every process of PostgreSQL, then for the server. */
  killPostgres(): Promise<void>;
  start(): Promise<void>;
  /** Stops both properly. */
  stop(): Promise<void>;
}

/** @param dataDir folder of the installation */
export function makeKillable(dataDir: string, environment: Record<string, string>): KillableInstallation {
  let server: ServerProcess | undefined;
  const current = () => {
    if (!server) throw new Error('The server is not started.');
    return server;
  };
  const pidFile = () => readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').then((text) => text.split('\n'));
  const killServer = async () => {
    await current().kill();
    server = undefined;
  };
  return {
    server: current,
    killServer,
    async databaseUrl() {
      if (environment.DATABASE_URL) return environment.DATABASE_URL;
      const { postgresPassword } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const port = (await pidFile())[3];
      return `postgresql://postgres:${encodeURIComponent(postgresPassword)}@127.0.0.1:${port}/apotheca`;
    },
    async killPostgres() {
      await killPostgres(join(dataDir, 'postgres'));
      await killServer();
    },
    async start() {
      server = await startServer({ APOTHECA_DATA_DIR: dataDir, ...environment });
    },
    async stop() {
      await current().interrupt();
      server = undefined;
    },
  };
}

/** SIGKILL for every process of a PostgreSQL server. @param dataDir folder of its cluster */
export async function killPostgres(dataDir: string): Promise<void> {
  const postmaster = Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  // It forks no further backend, which would live for a moment longer and still write into the folder.
  signal(postmaster, 'SIGSTOP');
  const pids = [postmaster, ...(await childrenOf(postmaster))];
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (const pid of pids) while (isAlive(pid)) await setTimeout(POLL);
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]);
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Sends a signal to a process, unless it has already ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether there is a process of an id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
