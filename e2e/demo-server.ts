import { setTimeout } from 'node:timers/promises';
import { query } from './postgres.ts';
import { writeIndex } from './screenshots/pictures.ts';
import { startServer } from './server-process.ts';

const POLL = 250;

/** Starts a server with demo data in a folder of its own, and stops it after the pictures were made. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, dataDir, stop } = await startServer({ APOTHECA_DEMO: 'on' });
  process.env.APOTHECA_E2E_DATA_DIR = dataDir;
  process.env.APOTHECA_E2E_URL = url;
  while ((await query('apotheca', `select from installation_marks where name = 'demo'`)).length === 0)
    await setTimeout(POLL);
  return async () => {
    await stop();
    writeIndex();
  };
}
