import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startProcess } from './processes.ts';
import { compare, type Table } from './tables.ts';

const ROUNDS = 5;

/** From `npm start` to the line that says it is ready, with everything installed, built and migrated. */
export async function benchWarmStart(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-start-'));
  const environment = { APOTHECA_DATA_DIR: folder, APOTHECA_DEMO: 'off', PORT: '0' };
  const seconds: number[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const server = await startProcess('npm', ['start'], environment);
      await server.stop();
      await databaseStopped(folder);
      if (round > 0) seconds.push(server.readyAfter / 1000);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return [
    compare('Start', [{ name: 'warm npm start, until ready', unit: ' s', ours: seconds, target: { atMost: 1.2 } }]),
  ];
}

/** npm ends at the signal; the server and its database take a moment longer. */
async function databaseStopped(folder: string): Promise<void> {
  while (existsSync(join(folder, 'postgres/postmaster.pid'))) await setTimeout(50);
}
