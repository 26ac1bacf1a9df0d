import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { migrateTenantDatabase } from '../../../db/migrate.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { createEmptyDatabase, withClient } from '../../../testing/databases.ts';
import { queryTenant } from '../../../testing/tenant-query.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();

/** Functions that PostgreSQL would call instead of its own if it searched `public`, because their parameter types fit better. */
const PLANTED = [
  'pg_total_relation_size(text)',
  'pg_table_size(text)',
  'pg_relation_size(text)',
  'quote_ident(name)',
  'lower(varchar)',
];

/** A function of the tenant's role. When an administrator calls it, it makes that role a superuser. */
const plant = (signature: string, roleName: string) => `
  create function public.${signature} returns text language plpgsql as $$
  begin
    alter role ${roleName} superuser;
    return '1';
  end $$`;

let tenantId = '';

beforeAll(async () => {
  tenantId = (await test.call(tenantRoutes.create, { body: tenantInput('LAX') })).result.id;
  const row = await getDatabaseByName(test.context, 'LAX');
  // The default before PostgreSQL 15.
  await queryTenant(test, 'LAX', 'grant all on schema public to public');
  await withClient(await connectionStringOf(test.context, row), async (client) => {
    await insertSampleRows(client, { patients: 3, seed: 4 });
    for (const signature of PLANTED) await client.query(plant(signature, row.roleName));
    await client.query(
      `alter role ${row.roleName} in database ${row.physicalName} set search_path = public, pg_catalog`,
    );
  });
  const inLax = `alter database ${row.physicalName} set search_path = public, pg_catalog`;
  await withClient(withDatabaseName(test.databaseUrl, 'postgres'), (client) => client.query(inLax));
});

/** Whether an administrator has called a function of the tenant. */
async function isSuperuser(): Promise<boolean> {
  const { roleName } = await getDatabaseByName(test.context, 'LAX');
  const { rows } = await test.context.pool.query('select rolsuper from pg_roles where rolname = $1', [roleName]);
  return rows[0]?.rolsuper;
}

const ofLax = { query: { databaseName: 'LAX' } };

it.each([
  ['details', () => test.call(databaseRoutes.details, ofLax)],
  ['the plan of a deletion', () => test.call(tenantRoutes.planDeletion, { query: { id: tenantId } })],
  [
    'the plan of a purge',
    () => test.call(purgeRoutes.planPurge, { query: { databaseName: 'LAX', tables: 'wslogs,otps' } }),
  ],
  ['the plan of anonymizing', () => test.call(anonymizationRoutes.planAnonymization, ofLax)],
  ['a sync', () => test.call(permissionRoutes.sync, { query: { tenantId } })],
  ['a purge', () => test.call(purgeRoutes.purge, { ...ofLax, body: ['wslogs', 'otps'] })],
  ['the purges', () => test.call(purgeRoutes.listPurges, ofLax)],
  ['anonymizing', () => test.call(anonymizationRoutes.anonymize, ofLax)],
  ['a backup', () => test.call(backupRoutes.create, ofLax)],
])('%s calls no function that a tenant has created in public [DECISIONS §6]', async (_, call) => {
  expect(await call()).toMatchObject({ status: 200 });
  expect(await isSuperuser()).toBe(false);
});

it('the first migration revokes PUBLIC’s right to create in public [DECISIONS §6]', async () => {
  const lax = await createEmptyDatabase();
  await withClient(lax.url, (client) => client.query('grant all on schema public to public'));
  await migrateTenantDatabase(lax.url, 1);
  const { rows } = await withClient(lax.url, (client) =>
    client.query("select has_schema_privilege('public', 'public', 'create') as may"),
  );
  expect(rows).toEqual([{ may: false }]);
  await lax.drop();
});
