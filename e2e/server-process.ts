import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root, SERVER } from '../scripts/setup.mjs';
import { ADMINISTRATOR } from './server.ts';

const MAIN = join(root, SERVER);
const POLL = 50;
/** Another site, whose pages may show public FAQs in frames. Nothing listens there: tests answer for it. */
export const FRAMING_SITE = 'http://localhost:4999';

interface RunningServer {
  url: string;
  dataDir: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Starts the real server with the embedded PostgreSQL in a folder of its own. */
export async function startServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'apotheca-e2e-'));
  const log = join(dataDir, 'server.log');
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      // The folder of the client programs, if they are not on the path.
      ...(process.env.PG_BIN_DIR && { PG_BIN_DIR: process.env.PG_BIN_DIR }),
      // What `npm test` keeps compiled for all processes.
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      PORT: '0',
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_DEMO: 'off',
      APOTHECA_PUBLIC_FAQ: 'on',
      APOTHECA_PUBLIC_FAQ_FRAMES: FRAMING_SITE,
      // A backup cannot be deleted while it is proved, and tests delete theirs at any moment.
      APOTHECA_PROOF_MINUTES: '0',
      APOTHECA_ADMIN_USERNAME: ADMINISTRATOR.username,
      APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
      ...settings,
    },
  });
  const exited = once(child, 'exit');
  const url = await readyAddress(log, () => child.exitCode !== null || child.signalCode !== null);
  return {
    url,
    dataDir,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
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
