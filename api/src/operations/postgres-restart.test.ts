import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { tenantInput } from '../testing/builders.ts';
import { killPostgres } from '../testing/killable-installation.ts';
import { holdAt, installStops, removeStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';
import { callServer, signInToServer, startServer, withDataDir } from '../testing/server-process.ts';

const PASSWORD = 'correct horse';
const POLL = 50;

/** Waits until a server answers that its database is there. */
async function isReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await setTimeout(POLL);
}

it('a server whose PostgreSQL is killed and comes back goes on, and ends what it was doing [DECISIONS §8]', async () => {
  await withDataDir(async (dataDir) => {
    const options = { dataDir: join(dataDir, 'cluster'), password: 'test', settings: { fsync: 'off' } };
    const first = await startEmbeddedPostgres(options);
    const server = await startServer({
      DATABASE_URL: first.url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_ADMIN_PASSWORD: PASSWORD,
      APOTHECA_DEMO: 'off',
      LOG_LEVEL: 'silent',
    });
    const token = await signInToServer(server.url, PASSWORD);
    const clone = { copyFrom: 'SURVIVOR', databaseName: 'COPY' };
    await callServer(server.url, tenantRoutes.create, { token, body: tenantInput('SURVIVOR') });
    await installStops(first.url);
    await holdAt(
      first.url,
      { kind: 'clone', point: 'step 1' },
      () => callServer(server.url, databaseRoutes.copy, { token, query: clone }),
      () => killPostgres(options.dataDir),
    );
    const second = await startEmbeddedPostgres({ ...options, port: Number(new URL(first.url).port) });
    await isReady(server.url);
    await removeStops(second.url);
    await operationsEnded(second.url);
    expect((await callServer(server.url, operationRoutes.list, { token })).result).toMatchObject([
      { kind: 'clone', databaseName: 'COPY', state: 'succeeded' },
    ]);
    for (const databaseName of ['SURVIVOR', 'COPY']) {
      const details = await callServer(server.url, databaseRoutes.details, { token, query: { databaseName } });
      expect(details.status).toBe(200);
    }
    expect(await server.interrupt()).toBe(0);
    await second.stop();
  });
});
