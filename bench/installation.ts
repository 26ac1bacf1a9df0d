import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabaseName } from '../api/src/db/connections/connection-string.ts';
import { startEmbeddedPostgres } from '../api/src/db/embedded/embedded-postgres.ts';
import type { EarlierCode } from './earlier-code.ts';
import { cpuOfFamily, startServer } from './processes.ts';

type Environment = Record<string, string> & { DATABASE_URL: string; APOTHECA_DATA_DIR: string };

/** A PostgreSQL of the benchmark's own, and how to start Apotheca on it. */
export interface Installation {
  environment: Environment;
  /** Earlier code to compare with, and how to start it on a database of its own on the same PostgreSQL. */
  earlier?: EarlierCode & { environment: Environment };
  /** Milliseconds of processor time that PostgreSQL has used so far. */
  postgresCpu(): number;
  remove(): Promise<void>;
}

export const PASSWORD = 'bench password';

/**
 * Starts a throw-away embedded PostgreSQL.
 * @param settings of the PostgreSQL server; absent: its defaults, fsync and all
 */
export async function makeInstallation({
  earlier,
  settings,
}: {
  earlier?: EarlierCode;
  settings?: Record<string, string>;
} = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-bench-'));
  const dataDir = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, password: 'bench', settings });
  const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const environment = environmentOf(postgres.url, folder);
  // The first start migrates and seeds.
  await (await startServer(environment)).stop();
  return {
    environment,
    ...(earlier && { earlier: { ...earlier, environment: earlierEnvironment(postgres.url, folder) } }),
    postgresCpu: () => cpuOfFamily(pid),
    remove: async () => {
      await postgres.stop();
      // Not by promises: thousands of databases have a million files.
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const earlierEnvironment = (url: string, folder: string) =>
  environmentOf(withDatabaseName(url, 'apotheca_earlier'), join(folder, 'earlier'));

const environmentOf = (url: string, folder: string): Environment => ({
  DATABASE_URL: url,
  APOTHECA_DATA_DIR: folder,
  // A generated one would not start on a trail that a measurement has made up.
  APOTHECA_SECRET: 'a secret that only benchmarks use, long enough',
  APOTHECA_ADMIN_PASSWORD: PASSWORD,
  APOTHECA_DEMO: 'off',
  // Databases of 200 MB are deleted after each turn.
  APOTHECA_PARK_DAYS: '0',
  PORT: '0',
});

export const SIGN_IN = {
  path: '/identity/authenticate/authenticate',
  headers: { 'content-type': 'application/json' },
  bodyFor: (username: string) => JSON.stringify({ username, password: PASSWORD }),
};

/** @returns an access token of the administrator's */
export async function signIn(url: string): Promise<string> {
  const { path, headers, bodyFor } = SIGN_IN;
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: bodyFor('admin') });
  const { result } = (await response.json()) as { result: { accessToken: string } };
  return result.accessToken;
}
