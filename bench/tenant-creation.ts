import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { type Access, createTenant } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { takeTurns, time } from './measurements.ts';
import { startServer } from './processes.ts';
import { withServer } from './real-tenants.ts';
import { fillTenants, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const ROUNDS = 15;
/** Tenants that are created at once, and how often. */
const AT_ONCE = 200;
const ROUNDS_AT_ONCE = 3;
/** Before a creation that was refused is tried again, in milliseconds. */
const PAUSE = 200;

const newCode = () => `B${randomBytes(6).toString('hex')}`;

/** POST /tenant/create beside the bare CREATE DATABASE … TEMPLATE. */
export function benchTenantCreation({ environment }: Installation): Promise<Table[]> {
  return withClient(environment.DATABASE_URL, async (client) => {
    await fillTenants(client, 0);
    const server = await startServer(environment);
    try {
      const access = { url: server.url, token: await signIn(server.url) };
      const { rows } = await client.query(
        "select datname from pg_database where datname like 'apotheca\\_template\\_%'",
      );
      const template = rows[0].datname;
      const figures = await takeTurns(ROUNDS, {
        ours: () => time(() => createTenant(access, newCode())),
        floor: () => time(() => client.query(`create database "${newCode()}" template "${template}"`)),
      });
      const name = 'POST /tenant/create beside CREATE DATABASE … TEMPLATE';
      return [compare('A new tenant', [{ name, unit: ' ms', target: { atMost: 1.2 }, ...figures }])];
    } finally {
      await server.stop();
    }
  });
}

/** Many tenants created at once, beside the same where no trigger notes which lists have changed (decision 029). */
export function benchCreationsAtOnce(installation: Installation): Promise<Table[]> {
  return withClient(installation.environment.DATABASE_URL, (client) =>
    withServer(installation, async (access) => {
      const createAll = async () => {
        const codes = Array.from({ length: AT_ONCE }, newCode);
        const took = await time(() => Promise.all(codes.map((code) => createPatiently(access, code))));
        await dropTenants(client);
        return took;
      };
      const figures = await takeTurns(ROUNDS_AT_ONCE, {
        ours: createAll,
        floor: async () => {
          await setListTriggers(client, 'disable');
          return createAll().finally(() => setListTriggers(client, 'enable'));
        },
      });
      const name = `${AT_ONCE} at once, beside the same without versions of lists`;
      return [compare('New tenants at once', [{ name, unit: ' ms', ...figures }])];
    }),
  );
}

/** As clients do that are told that there is too much to do at once. */
async function createPatiently(access: Access, code: string): Promise<void> {
  for (;;) {
    try {
      return await createTenant(access, code);
    } catch (error) {
      if (!String(error).includes('"status":503')) throw error;
      await setTimeout(PAUSE);
    }
  }
}

/** Drops the databases of all tenants, and forgets both. */
async function dropTenants(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select physical_name as name from databases');
  for (const { name } of rows) await client.query(`drop database if exists "${name}" with (force)`);
  await fillTenants(client, 0);
}

async function setListTriggers(client: pg.Client, state: 'enable' | 'disable'): Promise<void> {
  const { rows } = await client.query(`
    select tgrelid::regclass as table, tgname as trigger from pg_trigger where tgfoid = 'note_table_change'::regproc`);
  for (const { table, trigger } of rows) await client.query(`alter table ${table} ${state} trigger ${trigger}`);
}
