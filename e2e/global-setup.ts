import { ensureServerBuilt } from '../scripts/setup.mjs';
import { startServer } from './server-process.ts';

/** Builds the server if its sources have changed, starts the one that the tests share, and stops it after the run. */
export default async function setup(): Promise<() => Promise<void>> {
  ensureServerBuilt();
  const { url, dataDir, stop } = await startServer();
  process.env.APOTHECA_E2E_DATA_DIR = dataDir;
  process.env.APOTHECA_E2E_URL = url;
  return stop;
}
