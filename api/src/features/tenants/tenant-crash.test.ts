import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenantInput } from '../../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, whenUnused, withClient } from '../../testing/databases.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { operationsEnded } from '../../testing/operations.ts';
import {
  callServer,
  type ServerProcess,
  signInToServer,
  startServer,
  withDataDir,
} from '../../testing/server-process.ts';

const KILLS = IS_LONG_RUN ? 30 : 2;
/** The longest time before a kill, in milliseconds. It is about how long the calls of a round take, so kills come at all their steps. */
const MAX_DELAY = 250;
const POLL = 5;
/** What the tenants of this test begin with, and no others: tests that run at the same time have databases in the same cluster. */
const MARK = `CRASH${randomBytes(4).toString('hex').toUpperCase()}`;
const SEED = `${MARK}SEED`;
const OWN = `%\\_${MARK.toLowerCase()}%`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createPlatformDatabase();
});
afterAll(() => database.drop());

const query = (text: string) => withClient(database.url, async (client) => (await client.query(text)).rows);

/** The tenants, and what registry and cluster have for them. All four lists must be equal. */
async function inventory() {
  const names = async (text: string) => (await query(text)).map(({ name }) => name);
  return {
    tenants: await names(
      "select d.physical_name as name from tenants t left join databases d on d.tenant_id = t.id and d.state = 'ready' order by 1",
    ),
    registry: await names('select physical_name as name from databases order by 1'),
    databases: await names(
      `select datname as name from pg_database where datname like '${OWN}' and datallowconn and datconnlimit <> -2 order by 1`,
    ),
    roles: await names(`select rolname as name from pg_roles where rolname like '${OWN}' order by 1`),
  };
}

/** Creates, duplicates and deletes tenants at the same time. @returns the codes that the server reported as created */
async function disturb(server: ServerProcess, token: string, round: number): Promise<string[]> {
  const [victim] = await query(`select id from tenants where code <> '${SEED}' order by created_at limit 1`);
  const create = async (code: string) => {
    const { success } = await callServer(server.url, tenantRoutes.create, { token, body: tenantInput(code) });
    return success ? [code] : [];
  };
  const duplicate = async (code: string) => {
    const copy = { copyFrom: SEED, tenantCode: code, databaseName: code, isCreateTenant: 'true' };
    const { success } = await callServer(server.url, databaseRoutes.copy, { token, query: copy });
    return success ? [code] : [];
  };
  const deleteIt = async () => {
    if (victim) await callServer(server.url, tenantRoutes.delete, { token, query: { id: victim.id } });
    return [];
  };
  const calls = [create(`${MARK}_${round}A`), create(`${MARK}_${round}B`), duplicate(`${MARK}_${round}D`), deleteIt()];
  // Calls that were killed have reported nothing.
  const answers = await Promise.all(calls.map((call) => call.catch(() => [])));
  return answers.flat();
}

/** Waits until a creation is between its steps, or all calls of a round have ended. */
async function inCreation(calls: Promise<unknown>): Promise<void> {
  let areEnded = false;
  void calls.then(() => {
    areEnded = true;
  });
  await withClient(database.url, async (client) => {
    const creating = "select from databases where state = 'creating'";
    while (!areEnded && (await client.query(creating)).rowCount === 0) await setTimeout(POLL);
  });
}

it(`leaves every tenant with one database and every database with one owner, killed ${KILLS} times [§4]`, async () => {
  await withDataDir(async (dataDir) => {
    const environment = {
      DATABASE_URL: database.url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_DEMO: 'off',
      // Nothing is left of a deleted tenant; the matrix of crashes has parked databases.
      APOTHECA_PARK_DAYS: '0',
    };
    const states = new Set<string>();
    let server = await startServer(environment);
    let token = await signInToServer(server.url);
    await callServer(server.url, tenantRoutes.create, { token, body: tenantInput(SEED) });
    // It also goes on until one kill has come between the steps of a creation, which is then waited for.
    for (let round = 0; round < KILLS || !states.has('creating'); round += 1) {
      const created = disturb(server, token, round);
      if (round < KILLS) await setTimeout(Math.random() * MAX_DELAY);
      else await inCreation(created);
      await server.kill();
      const promised = await created;
      for (const { state } of await query('select state from databases')) states.add(state);
      server = await startServer(environment);
      token = await signInToServer(server.url);
      await operationsEnded(database.url);
      const { tenants, registry, databases, roles } = await inventory();
      expect({ registry, databases, roles }, `round ${round}`).toEqual({
        registry: tenants,
        databases: tenants,
        roles: tenants,
      });
      const codes = (await query('select code from tenants')).map(({ code }) => code);
      // Each reported tenant exists: rounds delete the oldest tenant, so no later round has deleted it yet.
      expect(codes, `round ${round}`).toEqual(expect.arrayContaining(promised));
    }
    await server.interrupt();
    await dropAll();
  });
});

async function dropAll(): Promise<void> {
  const { databases, roles } = await inventory();
  for (const name of databases) await whenUnused(() => query(`drop database "${name}" with (force)`));
  for (const name of roles) await query(`drop role "${name}"`);
}
