import { randomBytes } from 'node:crypto';
import { createTenant } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { takeTurns, time } from './measurements.ts';
import { startServer } from './processes.ts';
import { fillTenants, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const ROUNDS = 15;

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
