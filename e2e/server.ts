import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The administrator of the server under test. */
export const ADMINISTRATOR = { username: 'admin', password: 'correct horse' };

/** The data that the global setup passes to the tests through the environment. */
export const server = {
  url: () => read('APOTHECA_E2E_URL'),
  dataDir: () => read('APOTHECA_E2E_DATA_DIR'),
  log: () => readFileSync(join(server.dataDir(), 'server.log'), 'utf8'),
};

/** The lines of the server's log, or of a part of it, that report an error. */
export const errorLines = (log: string): string[] =>
  log.split('\n').filter((line) => /"level":(50|60)|Error/.test(line));

/** Connection string of the embedded PostgreSQL's superuser, from the server's data folder. */
export function postgresUrl(database: string): string {
  const { postgresPassword } = JSON.parse(readFileSync(join(server.dataDir(), 'secrets.json'), 'utf8'));
  // Line 4 of postmaster.pid is the port.
  const port = readFileSync(join(server.dataDir(), 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  return `postgresql://postgres:${postgresPassword}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

function read(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is set by global-setup.ts`);
  return value;
}
