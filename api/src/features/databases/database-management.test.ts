import { backupRoutes } from '@apotheca/contract/backups';
import { database, databaseRoutes } from '@apotheca/contract/databases';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allowConnections } from '../../db/cluster/database-sessions.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { insertSampleRows } from '../../demo/sample-rows.ts';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { type Answer, useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../testing/operation-stops.ts';
import { connectionStringOf, getDatabaseByName } from './databases.service.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });

beforeAll(() => installStops(test.databaseUrl));

const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const clone = (copyFrom: string, databaseName: string) =>
  test.call(databaseRoutes.copy, { query: { copyFrom, databaseName } });
const list = async (sortDirection = 'asc') =>
  (await test.call(databaseRoutes.list, { query: { sortDirection } })).result;
const names = async () => (await list()).map(({ databaseName }: { databaseName: string }) => databaseName);
const details = (databaseName: string) => test.call(databaseRoutes.details, { query: { databaseName } });
const check = (databaseName: string) => test.call(databaseRoutes.planDeletion, { query: { databaseName } });
const remove = (databaseName: string, plan?: string) =>
  test.call(databaseRoutes.delete, { query: { databaseName, ...(plan && { plan }) } });
const rename = (databaseName: string, newName: string) =>
  test.call(databaseRoutes.rename, { query: { databaseName, newName } });
const asTenant = async (name: string) => connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const addLocation = async (name: string, code: string) =>
  withClient(await asTenant(name), (client) =>
    client.query("insert into locations (code, name, kind) values ($1, $1, 'clinic')", [code]),
  );
const audited = (entityId: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'changes'])
    .where('entityId', '=', entityId)
    .execute();

describe('GET /managedatabase/getalldatabase', () => {
  it('lists tenants’ databases and clones in the shape of the contract, sorted by name in both directions [§2.13]', async () => {
    await createTenant('LISTED-B');
    await clone('LISTED-B', 'LISTED-A');
    const rows = await list();
    expect(z.array(database).parse(rows)).toEqual(rows);
    expect(rows).toMatchObject([
      { databaseName: 'LISTED-A', tenantCode: null, copiedFrom: 'LISTED-B' },
      { databaseName: 'LISTED-B', tenantCode: 'LISTED-B', customerCode: 'Clinic LISTED-B', copiedFrom: null },
    ]);
    expect(await list('desc')).toEqual(rows.toReversed());
  });
});

describe('GET /managedatabase/details', () => {
  it('gives size, connections, schema version and the exact rows of all 37 tables [§2.13]', async () => {
    await createTenant('VIEWED');
    const url = await asTenant('VIEWED');
    const inserted = await withClient(url, (client) => insertSampleRows(client, { patients: 3, seed: 1 }));
    const { result } = await withClient(url, () => details('viewed'));
    expect(result).toMatchObject({
      databaseName: 'VIEWED',
      tenantCode: 'VIEWED',
      schemaVersion: newestTenantSchemaVersion(),
      connections: 1,
    });
    expect(result.physicalName).toMatch(/^db_[0-9a-f]{32}_viewed$/);
    expect(result.sizeBytes).toBeGreaterThan(5_000_000);
    expect(result.tables.map(({ name }: { name: string }) => name).sort()).toEqual([...TENANT_TABLE_NAMES].sort());
    expect(result.tables.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(inserted);
  });

  it('is a 409 for a database whose connections are blocked while it is copied [§2.13]', async () => {
    await createTenant('CLOSED');
    const { physicalName } = await getDatabaseByName(test.context, 'CLOSED');
    await allowConnections(test.context.clusters.home.platform, physicalName, false);
    expect(await details('CLOSED')).toMatchObject({ status: 409, title: 'Busy' });
    await allowConnections(test.context.clusters.home.platform, physicalName, true);
    expect(await details('CLOSED')).toMatchObject({ status: 200 });
  });

  it('is a 404 for an unknown database, and for one that is no tenant’s [§2.13]', async () => {
    expect(await details('NOWHERE')).toMatchObject({ status: 404, message: "There is no database 'NOWHERE'." });
    expect(await details('postgres')).toMatchObject({ status: 404 });
    expect(await test.call(databaseRoutes.details)).toMatchObject({
      status: 400,
      errors: { databaseName: ['databaseName is required'] },
    });
  });
});

describe('a clone', () => {
  it('has all rows, its own role and no tenant, and is audited [§7.3]', async () => {
    await createTenant('ORIGINAL');
    await addLocation('ORIGINAL', 'FRONT');
    const answer = await clone('original', 'my clone');
    const message = 'Success! Database MY CLONE has been created as a copy of ORIGINAL.';
    expect(answer).toMatchObject({ status: 200, message });
    const { rows } = await withClient(await asTenant('MY CLONE'), (client) =>
      client.query('select code from locations'),
    );
    expect(rows).toEqual([{ code: 'FRONT' }]);
    expect(await audited(answer.result.id)).toEqual([
      { action: 'databases.clone', changes: { name: 'MY CLONE', copyFrom: 'ORIGINAL' } },
    ]);
    expect((await test.call(tenantRoutes.list)).result.map(({ code }: { code: string }) => code)).not.toContain(
      'MY CLONE',
    );
  });

  it('needs a name that no database has in any case [§5]', async () => {
    await createTenant('TAKEN');
    expect(await clone('TAKEN', '')).toMatchObject({
      status: 400,
      errors: { databaseName: ['Duplicate Database Name is Required'] },
    });
    expect(await clone('TAKEN', 'taken')).toMatchObject({ status: 409, errors: { databaseName: expect.any(Array) } });
    expect(await clone('TAKEN', 'Postgres')).toMatchObject({ status: 409, title: 'Reserved name' });
    expect(await clone('TAKEN', 'X'.repeat(257))).toMatchObject({ status: 400 });
    expect(await clone('TAKEN', 'X'.repeat(256))).toMatchObject({ status: 200 });
    expect(await clone('NOBODY', 'ANY')).toMatchObject({ status: 404 });
  });

  it('is made once when ten calls clone one source at once; the others are told what is being done [DECISIONS §8]', async () => {
    await createTenant('POPULAR');
    let calls: Promise<Answer>[] = [];
    let ended = 0;
    const start = async () => {
      calls = Array.from({ length: 10 }, (_, index) => clone('POPULAR', `POPULAR ${index}`));
      for (const call of calls) void call.finally(() => (ended += 1));
      return { status: 202 };
    };
    // Else the first could be done before the last has begun.
    await holdAt(test.databaseUrl, { kind: 'clone', point: 'running' }, start, () => expect.poll(() => ended).toBe(9));
    await removeStops(test.databaseUrl);
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      title: 'Busy',
      message: expect.stringMatching(/^POPULAR is being cloned as POPULAR \d \(started by admin\)\./),
    });
    expect((await names()).filter((name: string) => name.startsWith('POPULAR '))).toHaveLength(1);
  });
});

describe('GET /managedatabase/deletedatabase', () => {
  it('plans to leave all backups of the database, not the newest alone [§2.13]', async () => {
    await createTenant('KEPT');
    await clone('KEPT', 'KEPT COPY');
    for (const databaseName of ['KEPT COPY', 'KEPT COPY'])
      expect((await test.call(backupRoutes.create, { query: { databaseName } })).status).toBe(200);
    expect((await check('KEPT COPY')).message).toMatch(/\. Its backups stay\.$/);
  });

  it('plans the deletion, then deletes the database and its role although a session is open [§2.13]', async () => {
    await createTenant('SOURCE');
    await clone('SOURCE', 'DOOMED');
    await addLocation('DOOMED', 'ONE');
    const { physicalName } = await getDatabaseByName(test.context, 'DOOMED');
    await withClient(await asTenant('DOOMED'), async (client) => {
      client.on('error', () => {});
      const plan = await check('DOOMED');
      expect(plan).toMatchObject({ status: 200, result: { databaseName: 'DOOMED', rows: 1, connections: 1 } });
      expect(plan.message).toBe(
        'Deleting DOOMED erases 1 row with the database and its role. 1 open session will be ended. There is no backup of it.',
      );
      expect(await remove('DOOMED', plan.result.digest)).toMatchObject({
        status: 200,
        message: 'Successfully deleted database.',
      });
    });
    expect(await names()).not.toContain('DOOMED');
    const left = await withClient(test.databaseUrl, (client) =>
      client.query(
        'select datname from pg_database where datname = $1 union select rolname from pg_roles where rolname = $1',
        [physicalName],
      ),
    );
    expect(left.rowCount).toBe(0);
  });

  it('changes nothing when the plan has changed [DECISIONS §8]', async () => {
    await createTenant('PLANNED');
    await clone('PLANNED', 'CHANGING');
    const { result } = await check('CHANGING');
    await addLocation('CHANGING', 'NEW');
    expect(await remove('CHANGING', result.digest)).toMatchObject({
      status: 409,
      message: 'CHANGING has changed since it was looked at: please check again.',
    });
    expect(await names()).toContain('CHANGING');
    expect(await remove('CHANGING')).toMatchObject({ status: 200 });
  });

  it('refuses the database of a tenant [§2.13]', async () => {
    await createTenant('OWNED');
    const refusal = 'OWNED is the database of a tenant: it is deleted with the tenant, on the Tenants screen.';
    expect(await check('OWNED')).toMatchObject({ status: 409, message: refusal });
    expect(await remove('OWNED')).toMatchObject({ status: 409, message: refusal });
    expect(await names()).toContain('OWNED');
  });

  it('keeps the clones of a deleted database [§2.13]', async () => {
    await createTenant('ROOT');
    await clone('ROOT', 'BRANCH');
    await clone('BRANCH', 'LEAF');
    await remove('BRANCH');
    expect((await list()).find(({ databaseName }: { databaseName: string }) => databaseName === 'LEAF')).toMatchObject({
      copiedFrom: null,
    });
  });
});

describe('PUT /managedatabase/renamedatabase', () => {
  it('changes the name, also of a tenant’s database, and keeps its sessions [§2.13]', async () => {
    const { result } = await createTenant('BEFORE');
    const { id } = await getDatabaseByName(test.context, 'BEFORE');
    await withClient(await asTenant('BEFORE'), async (client) => {
      expect(await rename('before', 'after')).toMatchObject({
        status: 200,
        message: 'Success! Database has been renamed to AFTER.',
      });
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
    const tenants = (await test.call(tenantRoutes.list)).result;
    expect(tenants.find((tenant: { id: string }) => tenant.id === result.id)).toMatchObject({
      code: 'BEFORE',
      databaseName: 'AFTER',
    });
    expect(await audited(id)).toEqual([{ action: 'databases.rename', changes: { name: ['BEFORE', 'AFTER'] } }]);
  });

  it('refuses a taken, a reserved and an empty name [§5]', async () => {
    await createTenant('MINE');
    await createTenant('YOURS');
    expect(await rename('MINE', 'yours')).toMatchObject({ status: 409, errors: { databaseName: expect.any(Array) } });
    expect(await rename('MINE', 'template1')).toMatchObject({ status: 409, title: 'Reserved name' });
    expect(await rename('MINE', ' ')).toMatchObject({
      status: 400,
      errors: { newName: ['Database Name is Required'] },
    });
    expect(await rename('MINE', 'MINE')).toMatchObject({ status: 200 });
  });

  it('renames no other database that got the name while it waited [§2.13]', async () => {
    const { result } = await createTenant('WAITING');
    await createTenant('OTHER');
    let answer: Promise<Answer> | undefined;
    const start = async () => {
      answer = rename('WAITING', 'RENAMED');
      return { status: 202 };
    };
    await holdAt(test.databaseUrl, { kind: 'rename', point: 'running' }, start, async () => {
      const body = { ...tenantInput('WAITING', { databaseName: 'ELSEWHERE' }), id: result.id };
      expect((await test.call(tenantRoutes.edit, { body })).status).toBe(200);
      expect((await clone('OTHER', 'WAITING')).status).toBe(200);
    });
    await removeStops(test.databaseUrl);
    expect(await answer).toMatchObject({
      status: 409,
      message: 'WAITING has been renamed to ELSEWHERE meanwhile.',
    });
    expect(await names()).toEqual(expect.arrayContaining(['ELSEWHERE', 'WAITING']));
    expect(await names()).not.toContain('RENAMED');
  });
});

it('a role that may clone but not create tenants cannot duplicate one [DECISIONS §5]', async () => {
  await createTenant('GUARDED');
  const { platform } = test.context;
  const role = await platform.insertInto('roles').values({ name: 'Cloner' }).returning('id').executeTakeFirstOrThrow();
  const permission = await platform
    .selectFrom('permissions')
    .select('id')
    .where('identifier', '=', 'databases.write')
    .executeTakeFirstOrThrow();
  await platform.insertInto('rolePermissions').values({ roleId: role.id, permissionId: permission.id }).execute();
  const { accessToken: token } = await signInTo(test, await insertAccount(test, { role: 'Cloner' }));
  const query = { copyFrom: 'GUARDED', databaseName: 'GUARDED2' };
  const asTenantToo = { ...query, tenantCode: 'GUARDED2', isCreateTenant: 'true' };
  expect(await test.call(databaseRoutes.copy, { query: asTenantToo, token })).toMatchObject({
    status: 403,
    message: "You do not have the permission 'tenants.write'.",
  });
  expect(await test.call(databaseRoutes.copy, { query, token })).toMatchObject({ status: 200 });
});
