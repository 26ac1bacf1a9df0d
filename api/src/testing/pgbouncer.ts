import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePgBouncer } from '../../../scripts/pgbouncer.mjs';
import { choosePort } from './chosen-port.ts';

/** Who runs PgBouncer where the tests run as root, as it refuses to. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

export interface RunningPgBouncer {
  port: number;
  /** The texts of its files. */
  files(): Promise<string>;
  /** What it has said, and how it ended. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts Debian's PgBouncer in a folder of its own.
 * @param configure writes pgbouncer.ini, and what it names, into the folder
 */
export async function startPgBouncer(
  configure: (folder: string, port: number) => Promise<unknown>,
): Promise<RunningPgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-pgbouncer-'));
  const port = await choosePort();
  await configure(folder, port);
  if (isRoot) for (const path of ['.', ...(await readdir(folder))]) await chown(join(folder, path), NOBODY, NOBODY);
  const account = isRoot ? ['-u', 'nobody'] : [];
  const child = spawn(ensurePgBouncer(), [...account, join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const ended = once(child, 'exit').then(([code, signal]) => {
    log += `It ended: ${code ?? signal}`;
  });
  await new Promise<void>((fulfil, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk;
      if (log.includes('process up')) fulfil();
    });
    void ended.then(() => reject(new Error(log)));
  });
  return {
    port,
    files: async () => {
      const names = await readdir(folder);
      return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    },
    log: () => log,
    stop: async () => {
      // At once: by SIGTERM it waits for programs that are still there.
      child.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
