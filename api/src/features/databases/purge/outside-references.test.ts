import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();

const purge = (databaseName: string, body: string[]) => test.call(purgeRoutes.purge, { query: { databaseName }, body });
const count = async (client: pg.Client, table: string): Promise<number> =>
  (await client.query(`select count(*)::int as rows from ${table}`)).rows[0].rows;

/** Runs `work` in the database of a new tenant, which has locations, and rooms in a schema of an operator. */
async function withRooms(code: string, locations: number, work: (client: pg.Client) => Promise<void>): Promise<void> {
  await test.call(tenantRoutes.create, { body: tenantInput(code) });
  const { physicalName } = await getDatabaseByName(test.context, code);
  await withClient(withDatabaseName(test.databaseUrl, physicalName), async (client) => {
    await client.query(`
      insert into locations (code, name, kind) select 'L' || n, 'L' || n, 'clinic' from generate_series(1, ${locations}) n;
      create schema ext;
      create table ext."Room's" (id int, location_id bigint references public.locations);
      insert into ext."Room's" values (1, 1)`);
    await work(client);
  });
}

// Few rows are deleted, many are moved or truncated.
it.each([2, 1_500])(
  'a table of %i rows to which a row of another schema refers stays, with the reason [DECISIONS §9]',
  async (rows) => {
    const code = `OUTSIDE${rows}`;
    await withRooms(code, rows, async (client) => {
      const reason = `locations stays: ext."Room's" has 1 row that refers to it`;
      const query = { databaseName: code, tables: 'locations,otps' };
      expect((await test.call(purgeRoutes.planPurge, { query })).result).toMatchObject({
        tables: [{ name: 'otps', rows: 0 }],
        tablesNotDeleted: [{ name: 'locations', reason }],
      });
      expect(await purge(code, ['locations', 'otps'])).toMatchObject({
        status: 200,
        message: `Success! 1 table of ${code} with 0 rows was emptied. ${reason}.`,
        result: { deletedTables: ['otps'], tablesNotDeleted: ['locations'] },
      });
      expect(await count(client, 'locations')).toBe(rows);
    });
  },
);

it.each([2, 1_500])(
  'a table of %i rows to which a table of another schema could refer is emptied, and put back [DECISIONS §9]',
  async (rows) => {
    const code = `COULD${rows}`;
    await withRooms(code, rows, async (client) => {
      await client.query(`update ext."Room's" set location_id = null`);
      const { status, result } = await purge(code, ['locations']);
      expect([status, result]).toMatchObject([200, { deletedTables: ['locations'], tablesNotDeleted: [] }]);
      expect(await count(client, 'locations')).toBe(0);
      const query = { databaseName: code, operationId: result.operationId };
      expect(await test.call(purgeRoutes.putBack, { query, body: ['locations'] })).toMatchObject({ status: 200 });
      expect(await count(client, 'locations')).toBe(rows);
    });
  },
);
