import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { tenantInput } from '../testing/builders.ts';
import { choosePort } from '../testing/chosen-port.ts';
import { createPlatformDatabase, withClient } from '../testing/databases.ts';
import { killPostgres } from '../testing/killable-installation.ts';
import { holdAt, installStops, removeStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';
import { callServer, signInToServer, startServer, withDataDir } from '../testing/server-process.ts';

const PASSWORD = 'correct horse';
const POLL = 50;
/** More than the lives of an operation. */
const CUTS = 4;

/** Waits until a server can reach its database. */
async function isReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await setTimeout(POLL);
}

it('a server whose PostgreSQL is killed and restarted goes on, and finishes its operation [DECISIONS §8]', async () => {
  await withDataDir(async (dataDir) => {
    const options = {
      dataDir: join(dataDir, 'cluster'),
      password: 'test',
      settings: { fsync: 'off' },
      // It comes back on it.
      port: await choosePort(),
    };
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
    const second = await startEmbeddedPostgres(options);
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

it('the embedded PostgreSQL that ends is started again, and outlives a second server that stops [DECISIONS §2]', async () => {
  await withDataDir(async (dataDir) => {
    const environment = {
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_DEMO: 'off',
      LOG_LEVEL: 'silent',
      APOTHECA_DRAIN_SECONDS: '0',
    };
    const server = await startServer(environment);
    await killPostgres(join(dataDir, 'postgres'));
    await isReady(server.url);
    // It sees that the first one is there, by a connection that was made anew.
    const second = await startServer(environment);
    expect(await second.interrupt()).toBe(0);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.interrupt()).toBe(0);
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** Records the pauses between runs, and shortens them. */
const HURRY = `
  create table pauses (id serial, seconds float8);
  create function hurry() returns trigger language plpgsql as $$
  begin
    insert into pauses (seconds) values (extract(epoch from new.resume_at - now()));
    new.resume_at := now();
    return new;
  end $$;
  create trigger hurry before update on operations for each row when (new.resume_at > now()) execute function hurry()`;

it('an operation that PostgreSQL interrupts many times runs again after longer and longer pauses, and succeeds [DECISIONS §8]', async () => {
  await withDataDir(async (dataDir) => {
    const { url, drop } = await createPlatformDatabase();
    const server = await startServer({
      DATABASE_URL: url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_ADMIN_PASSWORD: PASSWORD,
      APOTHECA_DEMO: 'off',
      LOG_LEVEL: 'silent',
    });
    const token = await signInToServer(server.url, PASSWORD);
    await callServer(server.url, tenantRoutes.create, { token, body: tenantInput('SURVIVOR') });
    await installStops(url);
    await withClient(url, (client) => client.query(HURRY));
    const copy = { token, query: { copyFrom: 'SURVIVOR', databaseName: 'COPY' } };
    await holdAt(
      url,
      { kind: 'clone', point: 'step 1' },
      () => callServer(server.url, databaseRoutes.copy, copy),
      async ({ untilHeld }) => {
        for (let cut = 1; cut <= CUTS; cut += 1) {
          await endSessionsOfServer(url);
          await untilHeld();
        }
      },
    );
    await operationsEnded(url);
    expect((await callServer(server.url, operationRoutes.list, { token })).result).toMatchObject([
      { kind: 'clone', databaseName: 'COPY', state: 'succeeded' },
    ]);
    const { rows } = await withClient(url, (client) => client.query('select seconds from pauses order by id'));
    // A pause may be recorded twice, if the answer to its statement is lost.
    const pauses = [...new Set<number>(rows.map(({ seconds }) => seconds))];
    expect(pauses.length).toBeGreaterThanOrEqual(CUTS);
    expect(pauses).toEqual(pauses.map((_, index) => Math.min(32, 2 ** index)));
    expect(await server.interrupt()).toBe(0);
    await drop();
  });
});

/** Ends every session of a server in its control database, and waits until they are gone. */
async function endSessionsOfServer(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `select pg_terminate_backend(pid, 60000) from pg_stat_activity
       where datname = current_database() and application_name like 'apotheca%'`,
    ),
  );
}
