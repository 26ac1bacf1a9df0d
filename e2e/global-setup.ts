import { startServer } from './server-process.ts';

/** Starts the server that the tests share, and stops it after the run. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, dataDir, stop } = await startServer();
  process.env.APOTHECA_E2E_DATA_DIR = dataDir;
  process.env.APOTHECA_E2E_URL = url;
  return stop;
}
