import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { useTestApp } from '../../../testing/app.ts';
import { useArchives } from '../../../testing/archives.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });
const archives = useArchives(test);

const inDatabase = async <Row extends object>(name: string, text: string): Promise<Row[]> => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  const url = withDatabaseName(test.databaseUrl, physicalName);
  return withClient(url, async (client) => (await client.query<Row>(text)).rows);
};
const objectsIn = async (name: string) =>
  (await inDatabase<{ count: number }>(name, 'select count(*)::int as count from pg_largeobject_metadata'))[0]?.count;

/** Makes large objects and default privileges in a database that belong to a role. */
async function createObjectsOf(databaseName: string, roleName: string, count: number): Promise<void> {
  await inDatabase(
    databaseName,
    `do $$ begin
       for n in 1..${count} loop execute format('alter large object %s owner to %I', lo_create(0), '${roleName}'); end loop;
     end $$;
     alter default privileges for role ${roleName} grant select on tables to public`,
  );
}
const roleNameOf = async (name: string) => (await getDatabaseByName(test.context, name)).roleName;
const remove = (databaseName: string) => test.call(databaseRoutes.delete, { query: { databaseName } });

it('a clone has no objects of its source’s role, which still works and can be deleted with its tenant [§2.13]', async () => {
  const { id } = (await test.call(tenantRoutes.create, { body: tenantInput('OWNER') })).result;
  await createObjectsOf('OWNER', await roleNameOf('OWNER'), 1_200);
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'OWNER', databaseName: 'OWNED' } });
  expect([await objectsIn('OWNER'), await objectsIn('OWNED')]).toEqual([1_200, 0]);
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'OWNER'));
  await withClient(url, (client) => client.query('select 1 from locations'));
  expect(await test.call(tenantRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
  expect(await remove('OWNED')).toMatchObject({ status: 200 });
  expect(test.background).toEqual([]);
});

it('a role with objects in an older clone can be deleted with its tenant, and the clone stays [§2.13]', async () => {
  const { id } = (await test.call(tenantRoutes.create, { body: tenantInput('FORMER') })).result;
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'FORMER', databaseName: 'OLDER' } });
  await createObjectsOf('OLDER', await roleNameOf('FORMER'), 3);
  expect(await test.call(tenantRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
  expect(await objectsIn('OLDER')).toBe(0);
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'OLDER'));
  await withClient(url, (client) => client.query('select 1 from locations'));
});

it('a backup has no large objects, and can be restored [§2.13]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('LOBS') });
  await createObjectsOf('LOBS', await roleNameOf('LOBS'), 50);
  const { result } = await test.call(backupRoutes.create, { query: { databaseName: 'LOBS' } });
  expect(await archives.restore(result.id, 'LOBLESS')).toMatchObject({ status: 200 });
  expect(await objectsIn('LOBLESS')).toBe(0);
});

it('a backup that no restore would accept fails, and leaves nothing [§2.13]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('UNFIT') });
  await inDatabase('UNFIT', 'delete from apotheca.schema_version where version > 7');
  const before = await archives.everything();
  expect(await test.call(backupRoutes.create, { query: { databaseName: 'UNFIT' } })).toMatchObject({
    status: 400,
    message: 'The archive has schema version 7; this platform restores versions from 8 on.',
  });
  expect(await archives.everything()).toEqual(before);
});
