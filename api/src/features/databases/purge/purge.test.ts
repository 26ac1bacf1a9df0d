import { type Purge, purgePlan, purgeRoutes } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import fc from 'fast-check';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { addressOf, runProgram } from '../../../db/client-programs/client-program.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { stateOfTables } from '../../../testing/tenant-state.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();

type Options = { plan?: string; token?: string };
const ask = (databaseName: string, body: unknown, { plan, token }: Options = {}) =>
  test.call(purgeRoutes.purge, { query: { databaseName, ...(plan && { plan }) }, body, ...(token && { token }) });
const planOf = (databaseName: string, tables: readonly string[]) =>
  test.call(purgeRoutes.planPurge, { query: { databaseName, tables: tables.join(',') } });
const purges = async (databaseName: string): Promise<Purge[]> =>
  (await test.call(purgeRoutes.listPurges, { query: { databaseName } })).result;
const putBack = (databaseName: string, operationId: string, body: unknown) =>
  test.call(purgeRoutes.putBack, { query: { databaseName, operationId }, body });
const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const asTenant = async (name: string) => connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const asAdministrator = async (name: string) =>
  withDatabaseName(test.databaseUrl, (await getDatabaseByName(test.context, name)).physicalName);

async function createFilled(code: string, patients = 5): Promise<string> {
  await createTenant(code);
  const url = await asTenant(code);
  await withClient(url, (client) => insertSampleRows(client, { patients, seed: 1 }));
  return url;
}

/** Checks all rows against every foreign key. @returns the number of foreign keys */
async function revalidateForeignKeys(name: string): Promise<number> {
  return withClient(await asAdministrator(name), async (client) => {
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter table %s drop constraint %I; alter table %1$s add constraint %2$I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as statement
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    );
    await client.query(['begin', ...rows.map(({ statement }) => statement), 'rollback'].join(';'));
    return rows.length;
  });
}

const insertLocation = (client: pg.Client, code: string, id?: number) =>
  client
    .query(
      `insert into locations (${id ? 'id, ' : ''}code, name, kind) values (${id ? `${id}, ` : ''}$1, $1, 'clinic') returning id`,
      [code],
    )
    .then(({ rows }) => rows[0].id);

describe('POST /managedatabase/deletetablesdata', () => {
  it('empties all tables in one call, and numbers new rows from 1 [DECISIONS §9]', async () => {
    const url = await createFilled('ALL');
    const answer = await ask('all', TENANT_TABLE_NAMES);
    expect(answer).toMatchObject({
      status: 200,
      result: { deletedTables: TENANT_TABLE_NAMES, invalidTables: [], tablesNotDeleted: [] },
    });
    expect(answer.message).toMatch(/^Success! 37 tables of ALL with [\d,]+ rows were emptied\.$/);
    await withClient(url, async (client) => {
      for (const table of await stateOfTables(client)) {
        expect(table).toMatchObject({ rows: 0, lastValue: '1', isCalled: false });
      }
      expect(await insertLocation(client, 'FIRST')).toBe('1');
    });
  });

  it('lists all names that are no tables [DECISIONS §9]', async () => {
    await createFilled('NAMES', 1);
    const strange = [
      'apotheca.permissions',
      'permissions',
      'schema_version',
      'pg_class',
      'otps; drop table otps',
      'OTPS',
      '',
      '"',
      '😀',
      'x'.repeat(5000),
    ];
    const answer = await ask('NAMES', ['otps', ...strange, 'otps']);
    expect(answer).toMatchObject({
      status: 200,
      result: { deletedTables: ['otps'], invalidTables: strange, tablesNotDeleted: [] },
    });
    expect(answer.message).toContain("'permissions'");
    expect(answer.message).toContain(`'${'x'.repeat(100)}…'`);
    expect(await ask('NAMES', ['otps', 'o\0tps'])).toMatchObject({ status: 400 });
    const nothing = await ask('NAMES', ['purged_tables', 'applied_operations']);
    expect(nothing).toMatchObject({ status: 200, result: { deletedTables: [] } });
    expect(nothing.message).toBe(
      "Nothing of NAMES was emptied. 'purged_tables' and 'applied_operations' are no tables.",
    );
  });

  it('keeps a table to which others refer and the tables to which it refers, with the reason [DECISIONS §9]', async () => {
    await createTenant('KEPT');
    const url = await asTenant('KEPT');
    await withClient(url, async (client) => {
      const home = await insertLocation(client, 'HOME');
      await client.query(
        "insert into users (user_name, first_name, last_name, email, clinical_role, home_location_id) values ('a', 'A', 'B', 'a@b.test', 'Pharmacist', $1)",
        [home],
      );
      await client.query(
        `insert into otps (user_id, purpose, channel, code_hash, expires_at)
         select 1, 'sign-in', 'email', repeat('0', 64), now() + interval '1 hour' from generate_series(1, 3)`,
      );
    });
    const before = await withClient(url, stateOfTables);
    const answer = await ask('KEPT', ['locations', 'users', 'units']);
    expect(answer.result).toMatchObject({ deletedTables: ['units'], tablesNotDeleted: ['locations', 'users'] });
    expect(answer.message).toBe(
      'Success! 1 table of KEPT with 0 rows was emptied. locations stays: users has 1 row that refers to it. users stays: otps has 3 rows that refer to it.',
    );
    expect(await withClient(url, stateOfTables)).toEqual(before);
    expect((await ask('KEPT', ['locations', 'users', 'otps'])).result).toMatchObject({
      deletedTables: ['locations', 'users', 'otps'],
    });
  });

  it('puts every requested table into one list, changes no other table and keeps all foreign keys [DECISIONS §9]', async () => {
    await createFilled('MODEL', 2);
    const template = await withClient(await asTenant('MODEL'), stateOfTables);
    const name = fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom<string>(...TENANT_TABLE_NAMES) },
      { weight: 1, arbitrary: fc.constantFrom('nothing', 'permissions') },
    );
    const request = fc.uniqueArray(name, { minLength: 1, maxLength: 39 });
    await fc.assert(
      fc.asyncProperty(request, async (tables) => {
        const plan = (await planOf('MODEL', tables)).result;
        const { status, result } = await ask('MODEL', tables, { plan: plan.digest });
        expect(status).toBe(200);
        const inOrder = (list: string[]) => tables.filter((each) => list.includes(each));
        expect(inOrder(result.deletedTables)).toEqual(result.deletedTables);
        expect([...result.deletedTables, ...result.invalidTables, ...result.tablesNotDeleted].sort()).toEqual(
          tables.toSorted(),
        );
        expect(plan.tables.map((table: { name: string }) => table.name)).toEqual(result.deletedTables);
        const after = await withClient(await asTenant('MODEL'), stateOfTables);
        expect(after).toEqual(
          template.map((table) =>
            result.deletedTables.includes(table.name)
              ? { ...table, rows: 0, checksum: null, lastValue: '1', isCalled: false }
              : table,
          ),
        );
        expect(await revalidateForeignKeys('MODEL')).toBeGreaterThan(70);
        if (result.deletedTables.length === 0) return;
        expect((await putBack('MODEL', result.operationId, result.deletedTables)).status).toBe(200);
        expect(await withClient(await asTenant('MODEL'), stateOfTables)).toEqual(template);
      }),
      { numRuns: 15 },
    );
    // Fifteen purges, each with a checksum of every row before and after.
  });

  it('refuses an outdated plan with the new one, and changes nothing [DECISIONS §8]', async () => {
    const url = await createFilled('MOVED', 1);
    const plan = await planOf('MOVED', ['otps', 'units']);
    expect(plan.result).toEqual(purgePlan.parse(plan.result));
    await withClient(url, (client) => client.query('delete from otps where id = (select min(id) from otps)'));
    const before = await withClient(url, stateOfTables);
    const answer = await ask('MOVED', ['otps', 'units'], { plan: plan.result.digest });
    expect(answer).toMatchObject({ status: 409, title: 'Plan changed', result: { rows: plan.result.rows - 1 } });
    expect(await withClient(url, stateOfTables)).toEqual(before);
    expect(await purges('MOVED')).toEqual([]);
    expect(await ask('MOVED', ['otps', 'units'], { plan: answer.result.digest })).toMatchObject({ status: 200 });
  });

  it('plans what is removed and what stays, and how long rows can be put back [DECISIONS §8]', async () => {
    await createFilled('TOLD', 1);
    const { message, result } = await planOf('told', ['otps', 'nothing', 'vendor_masters']);
    expect(result).toMatchObject({
      databaseName: 'TOLD',
      connections: 0,
      newestBackupOnUtc: null,
      tables: [{ name: 'otps', rows: expect.any(Number) }],
      invalidTables: ['nothing'],
    });
    expect(message).toMatch(
      /^Emptying 1 table of TOLD removes \d+ rows?; .* vendor masters stays: .*purchase orders has .* 'nothing' is no table\./,
    );
    expect(message).toMatch(/The rows can be put back for 7 days\.$/);
  });

  it('fails clearly when another session has locked a table, and changes nothing [DECISIONS §9]', async () => {
    const url = await createFilled('HELD');
    const before = await withClient(url, stateOfTables);
    const busy = { status: 409, title: 'Busy', message: expect.stringMatching(/^otps is in use by another session: /) };
    await withClient(url, (holder) =>
      withClient(url, async (reader) => {
        await holder.query('begin; select from otps limit 1');
        // Who reads something else is in nobody's way.
        await reader.query('begin; select from locations limit 1');
        expect(await ask('HELD', ['otps', 'trlogs'])).toMatchObject(busy);
        expect(await withClient(url, stateOfTables)).toEqual(before);
        await holder.query('rollback');
        const { status, result } = await ask('HELD', ['otps', 'trlogs']);
        expect(status).toBe(200);

        // Nor is who only reads, where rows are put back.
        await holder.query('begin; lock table otps in row exclusive mode');
        await reader.query('select from trlogs limit 1');
        const { operationId } = result;
        expect(await putBack('HELD', operationId, ['otps', 'trlogs'])).toMatchObject(busy);
        await holder.query('rollback');
        expect(await putBack('HELD', operationId, ['otps', 'trlogs'])).toMatchObject({ status: 200 });
        expect(await withClient(url, stateOfTables)).toEqual(before);
      }),
    );
  });

  it('needs a list of names and the permission, which an Operator does not have [§7.3]', async () => {
    await createTenant('GUARDED');
    expect(await ask('GUARDED', [])).toMatchObject({ status: 400, message: 'Select at least one table' });
    expect(await ask('GUARDED', { tables: ['otps'] })).toMatchObject({ status: 400 });
    expect(await ask('GUARDED', 'otps')).toMatchObject({ status: 400 });
    expect(await ask('NOBODY', ['otps'])).toMatchObject({ status: 404 });
    expect(await planOf('GUARDED', [])).toMatchObject({ status: 400 });
    const { token } = await test.signInAs('Operator');
    expect(await ask('GUARDED', ['otps'], { token })).toMatchObject({ status: 403 });
    expect(await test.call(purgeRoutes.putBack, { query: {}, body: [], token })).toMatchObject({ status: 403 });
  });

  it('is audited with tables and counts, and without rows [DECISIONS §12]', async () => {
    const url = await createFilled('AUDITED', 1);
    const { rows } = await withClient(url, (client) => client.query('select count(*)::int as count from otps'));
    const { operationId } = (await ask('AUDITED', ['otps'])).result;
    await putBack('AUDITED', operationId, ['otps']);
    const { id } = await getDatabaseByName(test.context, 'AUDITED');
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select(['action', 'changes'])
      .where('entityId', '=', id)
      .where('action', 'in', ['databases.purge', 'databases.put-back'])
      .orderBy('id')
      .execute();
    const tables = { otps: rows[0].count };
    expect(entries).toEqual([
      { action: 'databases.purge', changes: { databaseName: 'AUDITED', tables } },
      { action: 'databases.put-back', changes: { databaseName: 'AUDITED', purge: operationId, tables } },
    ]);
  });
});

describe('large tables', () => {
  const insertMany = (client: pg.Client, count: number) =>
    client.query(
      `insert into locations (code, name, kind, parent_location_id)
       select 'L' || n, 'Shelf ' || n, 'cabinet', (select min(id) from locations) from generate_series(1, $1) n`,
      [count],
    );

  it('are moved, and put back [DECISIONS §9]', async () => {
    await withClient(await createFilled('LARGE', 2), async (client) => {
      await insertMany(client, 1_500);
      const before = await stateOfTables(client);
      const { result } = await ask('LARGE', TENANT_TABLE_NAMES);
      expect(result.deletedTables).toEqual(TENANT_TABLE_NAMES);
      expect(await filesOf('LARGE', 'locations')).toEqual({ heap: 0, kept: true });
      expect((await stateOfTables(client)).map(({ rows, lastValue }) => [rows, lastValue])).toEqual(
        before.map(() => [0, '1']),
      );
      expect(await putBack('LARGE', result.operationId, TENANT_TABLE_NAMES)).toMatchObject({ status: 200 });
      expect(await stateOfTables(client)).toEqual(before);
      expect(await filesOf('LARGE', 'locations')).toMatchObject({ kept: false });
      expect(await revalidateForeignKeys('LARGE')).toBeGreaterThan(70);
    });
  });

  it('are replaced by tables of exactly the same shape, purge after purge [DECISIONS §9]', async () => {
    const url = await createFilled('SHAPE', 600);
    const before = await schemaOf('SHAPE');
    expect(before).toContain(
      'GRANT SELECT,INSERT,DELETE,TRUNCATE,UPDATE ON TABLE public.locations TO apotheca_tenant;',
    );
    await withClient(url, async (client) => {
      const count = { name: 'count', text: 'select count(*)::int as count from trlogs' };
      expect((await client.query(count)).rows[0].count).toBeGreaterThan(1_000);
      expect((await ask('SHAPE', TENANT_TABLE_NAMES)).status).toBe(200);
      expect(await schemaOf('SHAPE')).toBe(before);
      expect((await client.query(count)).rows).toEqual([{ count: 0 }]);
      await ask('SHAPE', TENANT_TABLE_NAMES);
      await insertSampleRows(client, { patients: 600, seed: 2 });
      expect((await ask('SHAPE', TENANT_TABLE_NAMES)).status).toBe(200);
    });
    expect(await schemaOf('SHAPE')).toBe(before);
  });

  it('are copied and truncated with all referring tables when the tables that they refer to stay [DECISIONS §9]', async () => {
    const url = await createFilled('BRANCH', 600);
    await withClient(url, async (client) => {
      const before = await stateOfTables(client);
      const { result } = await ask('BRANCH', ['trlogs']);
      expect(result.deletedTables).toEqual(['trlogs']);
      expect(await filesOf('BRANCH', 'trlogs')).toEqual({ heap: 0, kept: true });
      expect(await putBack('BRANCH', result.operationId, ['trlogs'])).toMatchObject({ status: 200 });
      expect(await stateOfTables(client)).toEqual(before);
    });
  });

  it('are copied and deleted when an unticked table could refer to them [DECISIONS §9]', async () => {
    await createTenant('ALONE');
    await withClient(await asTenant('ALONE'), async (client) => {
      await insertMany(client, 1_500);
      const before = await stateOfTables(client);
      const { result } = await ask('ALONE', ['locations']);
      expect(result.deletedTables).toEqual(['locations']);
      const files = await filesOf('ALONE', 'locations');
      expect(files.kept).toBe(true);
      expect(files.heap).toBeGreaterThan(0);
      expect(await insertLocation(client, 'NEW')).toBe('1');
      await client.query('delete from locations');
      expect(await putBack('ALONE', result.operationId, ['locations'])).toMatchObject({ status: 200 });
      expect(await stateOfTables(client)).toEqual(before);
    });
  });

  it('are kept where the tenant’s own role has no rights [DECISIONS §9]', async () => {
    await createTenant('PRIVATE');
    await withClient(await asTenant('PRIVATE'), async (client) => {
      await insertMany(client, 1_500);
      await ask('PRIVATE', ['locations', 'otps']);
      const { rows } = await client.query(
        "select relname from pg_class where relname like 'kept\\_%' and relkind = 'r'",
      );
      expect(rows).toHaveLength(1);
      await expect(client.query('select from apotheca.purged_tables')).rejects.toThrow('permission denied');
      await expect(client.query(`select from apotheca_purged.${rows[0].relname}`)).rejects.toThrow('permission denied');
    });
  });
});

/** The definitions of everything in `public`, as SQL. */
async function schemaOf(name: string): Promise<string> {
  const { address, environment } = addressOf(await asAdministrator(name));
  const { pgDump } = await test.context.findTools();
  let text = '';
  const onOutput = (chunk: Buffer) => {
    text += chunk;
  };
  await runProgram(pgDump, ['--schema-only', '--schema=public', `--dbname=${address}`], { environment, onOutput });
  // Newer versions of pg_dump write a random key.
  return text.replaceAll(/^\\(un)?restrict .*$/gm, '');
}

/** How large a table is on disk, and whether apotheca_purged has a table with its rows. */
async function filesOf(name: string, table: string): Promise<{ heap: number; kept: boolean }> {
  const { rows } = await withClient(await asAdministrator(name), (client) =>
    client.query(
      `select pg_relation_size($1::regclass)::int as heap,
         exists (select from pg_class where relnamespace = 'apotheca_purged'::regnamespace and relkind = 'r') as kept`,
      [table],
    ),
  );
  return rows[0];
}
