import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../api/src/db/embedded/embedded-postgres.ts';

export interface SecondServer {
  port: number;
  password: string;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL beside the server's own. */
export async function startSecondServer(): Promise<SecondServer> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-second-'));
  const password = 'of the second server';
  const running = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    password,
    settings: { fsync: 'off' },
  });
  return {
    port: Number(new URL(running.url).port),
    password,
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
