import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ADMINISTRATOR } from './server.ts';

const MAIN = fileURLToPath(new URL('../api/src/main.ts', import.meta.url));
const POLL = 50;

/** Starts the real server with the embedded PostgreSQL in a folder of its own, and stops it after the run. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'apotheca-e2e-'));
  const log = join(dataDir, 'server.log');
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      // The folder of the client programs, if they are not on the path.
      ...(process.env.PG_BIN_DIR && { PG_BIN_DIR: process.env.PG_BIN_DIR }),
      PORT: '0',
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_DEMO: 'off',
      APOTHECA_ADMIN_USERNAME: ADMINISTRATOR.username,
      APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
    },
  });
  const exited = once(child, 'exit');
  process.env.APOTHECA_E2E_DATA_DIR = dataDir;
  process.env.APOTHECA_E2E_URL = await readyAddress(log, () => child.exitCode !== null);
  return async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function readyAddress(log: string, hasEnded: () => boolean): Promise<string> {
  for (;;) {
    const text = readFileSync(log, 'utf8');
    const address = /ready on (http\S+)/.exec(text)?.[1];
    if (address) return address;
    if (hasEnded()) throw new Error(`The server ended before it was ready: ${text}`);
    await setTimeout(POLL);
  }
}
