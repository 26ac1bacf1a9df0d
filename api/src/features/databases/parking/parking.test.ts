import { auditRoutes } from '@apotheca/contract/audit';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { aheadByYear } from '../../../testing/clock-ahead.ts';
import { whenUnused, withClient } from '../../../testing/databases.ts';
import { meetAtRow } from '../../../testing/lock-order.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { queryTenant } from '../../../testing/tenant-query.ts';
import { stateOfTables } from '../../../testing/tenant-state.ts';
import { announceExpiries } from '../../tenants/access/tenant-access.service.ts';
import { tenantsAsOwner } from '../../tenants/tenants.service.ts';
import { settleDatabases } from '../database-settling.ts';
import { findDatabaseById } from '../databases.repository.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { removeExpired } from './parking-upkeep.ts';

const test = useTestApp();
const DAY = 86_400;

const query = (text: string, values: unknown[] = []) =>
  withClient(test.databaseUrl, async (client) => (await client.query(text, values)).rows);
/** Loses a database, whose last session may be about to end. */
const lose = (physicalName: string) => whenUnused(() => query(`drop database ${physicalName}`));
const listParked = async () => (await test.call(parkedDatabaseRoutes.listParked)).result;
/** The newest parked database of a name. */
const parkedOf = async (name: string) =>
  (await listParked()).find(({ databaseName }: { databaseName: string }) => databaseName === name);
const putBack = (id: string) => test.call(parkedDatabaseRoutes.putBack, { query: { id } });
const remove = (id: string, databaseName: string) =>
  test.call(parkedDatabaseRoutes.removeParked, { query: { id, databaseName } });
const deleteDatabase = (databaseName: string) => test.call(databaseRoutes.delete, { query: { databaseName } });
const copy = (copyFrom: string, databaseName: string) =>
  test.call(databaseRoutes.copy, { query: { copyFrom, databaseName } });
const names = async () =>
  (await test.call(databaseRoutes.list)).result.map(({ databaseName }: { databaseName: string }) => databaseName);
const tenantOf = async (code: string) =>
  (await test.call(tenantRoutes.list)).result.find((tenant: { code: string }) => tenant.code === code);
const urlOf = async (name: string) => connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const stateOf = async (name: string) => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  return withClient(withDatabaseName(test.databaseUrl, physicalName), stateOfTables);
};
const locations = async (url: string) =>
  (await withClient(url, (client) => client.query('select code from locations order by 1'))).rows.map(
    ({ code }) => code,
  );
const actionsOn = async (entityId: string) =>
  (await query('select action from audit_entries where entity_id = $1 order by id', [entityId])).map(
    ({ action }) => action,
  );
const findings = async () => (await test.call(reconciliationRoutes.reconcile)).result.findings;
const exists = async (physicalName: string) =>
  (
    await query(
      `select (select count(*) from pg_database where datname = $1)::int as databases,
         (select count(*) from pg_roles where rolname = $1)::int as roles`,
      [physicalName],
    )
  )[0];

/** A tenant with one location, named after it. */
async function makeTenant(code: string, subdomain = ''): Promise<string> {
  const { result } = await test.call(tenantRoutes.create, { body: tenantInput(code, { subdomain }) });
  await queryTenant(test, code, `insert into locations (code, name, kind) values ('${code}', 'A', 'clinic')`);
  return result.id;
}

/** A backup of a tenant's database, whose rows then change, restored over it. */
async function replaceRows(code: string): Promise<void> {
  const { result: backup } = await test.call(backupRoutes.create, { query: { databaseName: code } });
  await queryTenant(test, code, "insert into locations (code, name, kind) values ('NEW', 'N', 'clinic')");
  const restored = await test.call(backupRoutes.restore, { query: { id: backup.id, databaseName: code } });
  expect(restored).toMatchObject({ status: 200 });
}

it('a deleted clone is parked: closed, in no list, its name free [DECISIONS §13]', async () => {
  await makeTenant('ORIGIN');
  await copy('ORIGIN', 'CLONE');
  const row = await getDatabaseByName(test.context, 'CLONE');
  const url = await urlOf('CLONE');
  const plan = await test.call(databaseRoutes.planDeletion, { query: { databaseName: 'CLONE' } });
  expect(plan.message).toMatch(/^Deleting CLONE erases .* It can be put back until 2026-11-27 23:20 UTC\.$/);
  expect(await deleteDatabase('CLONE')).toMatchObject({ status: 200, message: 'Successfully deleted database.' });

  expect(await parkedOf('CLONE')).toEqual({
    id: row.id,
    databaseName: 'CLONE',
    tenantCode: null,
    reason: 'deleted',
    goesBackTo: null,
    sizeBytes: expect.any(Number),
    parkedOnUtc: '2026-11-20T23:20:00.000Z',
    keptUntilUtc: '2026-11-27T23:20:00.000Z',
    operation: null,
  });
  expect(await names()).toEqual(['ORIGIN']);
  await expect(withClient(url, async () => {})).rejects.toThrow(/not permitted to log in/);
  const asAdministrator = withDatabaseName(test.databaseUrl, row.physicalName);
  await expect(withClient(asAdministrator, async () => {})).rejects.toThrow(/not currently accepting connections/);
  expect(await copy('ORIGIN', 'CLONE')).toMatchObject({ status: 200 });

  // With the name taken nothing is put back.
  const taken = 'Another database is named CLONE now: please rename it, then CLONE can be put back.';
  expect(await putBack(row.id)).toMatchObject({ status: 409, title: 'Conflict', message: taken });
  await test.call(databaseRoutes.rename, { query: { databaseName: 'CLONE', newName: 'SECOND' } });
  expect(await putBack(row.id)).toMatchObject({
    status: 200,
    message: 'Success! Database CLONE has been put back.',
    result: { id: row.id, databaseName: 'CLONE' },
  });
  expect(await urlOf('CLONE')).toBe(url);
  expect(await locations(url)).toEqual(['ORIGIN']);
  expect(await stateOf('CLONE')).toEqual(await stateOf('ORIGIN'));
  expect(await names()).toEqual(['CLONE', 'ORIGIN', 'SECOND']);
  expect(await listParked()).toEqual([]);
  expect(await actionsOn(row.id)).toEqual(['databases.clone', 'databases.delete', 'databases.unpark']);
});

it('a deleted tenant comes back with every field, its rows and its backups [DECISIONS §13]', async () => {
  const id = await makeTenant('BACK', 'back');
  await test.call(tenantRoutes.deactivate, { query: { id } });
  await test.call(backupRoutes.create, { query: { databaseName: 'BACK' } });
  const [tenant, database, url, state] = [
    await tenantOf('BACK'),
    (await test.call(databaseRoutes.list)).result.find((row: { databaseName: string }) => row.databaseName === 'BACK'),
    await urlOf('BACK'),
    await stateOf('BACK'),
  ];
  const plan = await test.call(tenantRoutes.planDeletion, { query: { id } });
  expect(plan.message).toMatch(/ It can be put back until 2026-11-27 23:20 UTC\.$/);
  expect(await test.call(tenantRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
  expect(await tenantOf('BACK')).toBeUndefined();
  const parked = await parkedOf('BACK');
  expect(parked).toMatchObject({ tenantCode: 'BACK', reason: 'tenant-deleted' });

  // Another tenant takes the code, with a database of another name.
  const other = await test.call(tenantRoutes.create, { body: { ...tenantInput('BACK'), databaseName: 'OTHER' } });
  expect(other).toMatchObject({ status: 200 });
  expect(await putBack(parked.id)).toMatchObject({
    status: 409,
    message: 'Another tenant has the code BACK now: please change it, then BACK can be put back.',
  });
  expect(await parkedOf('BACK')).toMatchObject({ id: parked.id, operation: null });
  await test.call(tenantRoutes.delete, { query: { id: other.result.id } });

  // Another tenant takes the subdomain, in other letters.
  const like = await test.call(tenantRoutes.create, { body: tenantInput('LIKE', { subdomain: 'Back' }) });
  expect(like).toMatchObject({ status: 200 });
  expect(await putBack(parked.id)).toMatchObject({
    status: 409,
    message: 'Another tenant has the subdomain back now: please change it, then BACK can be put back.',
  });
  await test.call(tenantRoutes.delete, { query: { id: like.result.id } });

  expect(await putBack(parked.id)).toMatchObject({ status: 200, message: 'Success! Tenant BACK has been put back.' });
  expect(await tenantOf('BACK')).toEqual(tenant);
  expect((await test.call(databaseRoutes.list)).result).toContainEqual(database);
  expect(await urlOf('BACK')).toBe(url);
  expect(await stateOf('BACK')).toEqual(state);
  expect(await actionsOn(id)).toEqual([
    'tenants.create',
    'tenants.deactivate',
    'tenants.change-access',
    'tenants.delete',
    'tenants.unpark',
  ]);
  expect(await findings()).toEqual([]);
});

it('what a restore replaced takes turns with what replaced it [DECISIONS §13]', async () => {
  await makeTenant('TURN');
  const url = await urlOf('TURN');
  await replaceRows('TURN');
  const parked = await parkedOf('TURN');
  expect(parked).toMatchObject({ tenantCode: 'TURN', reason: 'replaced' });
  expect(await locations(url)).toEqual(['TURN']);
  const restored = await stateOf('TURN');
  const turns = [
    { rows: ['NEW', 'TURN'], message: /^Success! Database TURN has been put back\. What it was until now can be/ },
    { rows: ['TURN'], message: /until 2026-11-27 23:20 UTC\.$/ },
    { rows: ['NEW', 'TURN'], message: /put back/ },
  ];
  for (const { rows, message } of turns) {
    expect(await putBack(parked.id)).toMatchObject({ status: 200, message: expect.stringMatching(message) });
    expect(await locations(url)).toEqual(rows);
    expect(await parkedOf('TURN')).toMatchObject({ id: parked.id, reason: 'replaced', operation: null });
    expect(await findings()).toEqual([]);
  }
  await putBack(parked.id);
  expect(await stateOf('TURN')).toEqual(restored);
  // The role of the database enters it, and not what is parked.
  expect(
    await query(
      `select d.datname = r.physical_name as own, datallowconn as open,
         has_database_privilege(r.role_name, d.oid, 'connect') as may
       from databases r join databases p on p.id = $1
       join pg_database d on d.datname in (r.physical_name, p.physical_name)
       where r.name = 'TURN' order by 1 desc`,
      [parked.id],
    ),
  ).toEqual([
    { own: true, open: true, may: true },
    { own: false, open: false, may: false },
  ]);
});

it('a database goes only after what it replaced, and is put back before it [DECISIONS §13]', async () => {
  const id = await makeTenant('CHAIN');
  await replaceRows('CHAIN');
  const earlier = await parkedOf('CHAIN');
  test.clock.advance(60);
  await test.call(tenantRoutes.delete, { query: { id } });
  const later = await parkedOf('CHAIN');
  expect(later.id).not.toBe(earlier.id);
  expect(await putBack(earlier.id)).toMatchObject({
    status: 409,
    message: 'CHAIN was replaced, and what replaced it has been deleted: please put that back first.',
  });
  expect(await remove(later.id, 'CHAIN')).toMatchObject({
    status: 409,
    message: 'What CHAIN was until 2026-11-20 23:20 UTC is still kept: please remove that first.',
  });
  await putBack(later.id);
  expect(await putBack(earlier.id)).toMatchObject({ status: 200 });
  expect(await locations(await urlOf('CHAIN'))).toEqual(['CHAIN', 'NEW']);
  await test.call(tenantRoutes.delete, { query: { id } });
  const { physicalName } = (await findDatabaseById(test.context.platform, later.id)) ?? {};
  for (const parked of [earlier, later]) expect(await remove(parked.id, 'CHAIN')).toMatchObject({ status: 200 });
  expect(await exists(physicalName ?? '')).toEqual({ databases: 0, roles: 0 });
  expect(await findings()).toEqual([]);
});

it('a lost database gets back what it was before it was replaced [DECISIONS §13]', async () => {
  await makeTenant('LOST');
  const url = await urlOf('LOST');
  await replaceRows('LOST');
  const { physicalName } = await getDatabaseByName(test.context, 'LOST');
  await lose(physicalName);
  const { id } = await parkedOf('LOST');
  expect(await putBack(id)).toMatchObject({ status: 200 });
  expect(await locations(url)).toEqual(['LOST', 'NEW']);
  expect(await parkedOf('LOST')).toBeUndefined();
  expect(await findings()).toEqual([]);
});

it('a backup is restored over a lost database while what it replaced is parked [DECISIONS §13]', async () => {
  await makeTenant('GONE');
  const url = await urlOf('GONE');
  await replaceRows('GONE');
  const { result: backup } = await test.call(backupRoutes.create, { query: { databaseName: 'GONE' } });
  const { physicalName } = await getDatabaseByName(test.context, 'GONE');
  await lose(physicalName);
  const restored = await test.call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'GONE' } });
  expect(restored).toMatchObject({ status: 200 });
  expect(await locations(url)).toEqual(['GONE']);
  expect(await putBack((await parkedOf('GONE')).id)).toMatchObject({ status: 200 });
  expect(await locations(url)).toEqual(['GONE', 'NEW']);
});

it('removing takes the name however its accents are typed, also one stored by an older version [DECISIONS §13]', async () => {
  await copy('ORIGIN', 'CAFE\u0301');
  const { id, name } = await getDatabaseByName(test.context, 'CAFE\u0301');
  expect(name).toBe('CAF\u00c9');
  await deleteDatabase(name);
  await query('update parked_databases set name = $2 where database_id = $1', [id, 'CAFE\u0301']);
  expect(await remove(id, 'CAFE')).toMatchObject({ status: 400 });
  expect(await remove(id, 'CAF\u00c9')).toMatchObject({ status: 200 });
});

it('removing wants the name, and leaves nothing of the database [DECISIONS §13]', async () => {
  await copy('ORIGIN', 'DOOMED');
  const { id, physicalName } = await getDatabaseByName(test.context, 'DOOMED');
  await deleteDatabase('DOOMED');
  expect(await remove(id, 'DOOME')).toMatchObject({
    status: 400,
    errors: { databaseName: ['Input value must be the same as the database name'] },
  });
  expect(await remove(id, 'DOOMED')).toMatchObject({
    status: 200,
    message: 'Successfully removed database DOOMED.',
    result: { id, databaseName: 'DOOMED' },
  });
  expect(await exists(physicalName)).toEqual({ databases: 0, roles: 0 });
  expect(await parkedOf('DOOMED')).toBeUndefined();
  expect(await remove(id, 'DOOMED')).toMatchObject({ status: 404 });
  expect(await putBack(id)).toMatchObject({ status: 404 });
  expect(await actionsOn(id)).toEqual(['databases.clone', 'databases.delete', 'databases.remove-parked']);
});

it('of two calls at once one puts back, the other is refused [DECISIONS §13]', async () => {
  await copy('ORIGIN', 'TWICE');
  const { id } = await getDatabaseByName(test.context, 'TWICE');
  await deleteDatabase('TWICE');
  const statuses = (await Promise.all([putBack(id), putBack(id)])).map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  // Refused by the claim, or once it is back.
  expect([404, 409]).toContain(statuses[1]);
  expect((await actionsOn(id)).filter((action) => action === 'databases.unpark')).toHaveLength(1);
});

it('a parked database that PostgreSQL refuses to drop stays parked [DECISIONS §13]', async () => {
  await copy('ORIGIN', 'HELD');
  const { id } = await getDatabaseByName(test.context, 'HELD');
  // By its name it takes no place of the moves that other tests count on this server.
  const subscription =
    "create subscription apotheca_held connection '' publication none with (connect = false, slot_name = none)";
  await queryTenant(test, 'HELD', subscription);
  const url = await urlOf('HELD');
  await deleteDatabase('HELD');
  expect(await remove(id, 'HELD')).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^HELD was not deleted: PostgreSQL says that/),
  });
  expect(await findDatabaseById(test.context.platform, id)).toMatchObject({ state: 'parked' });
  expect(await putBack(id)).toMatchObject({ status: 200 });
  expect(await locations(url)).toEqual(['ORIGIN']);
  await queryTenant(test, 'HELD', 'drop subscription apotheca_held');
});

it('nothing of the upkeep touches what is parked, and a lost one is a finding [DECISIONS §13]', async () => {
  await copy('ORIGIN', 'STILL');
  const { id, physicalName } = await getDatabaseByName(test.context, 'STILL');
  await deleteDatabase('STILL');
  await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
  await removeExpired(test.context);
  expect(await findings()).toEqual([]);
  expect(await findDatabaseById(test.context.platform, id)).toMatchObject({ state: 'parked' });
  await lose(physicalName);
  expect(await findings()).toEqual([
    {
      kind: 'database-missing',
      subject: 'STILL',
      explanation:
        'STILL was deleted or replaced and should be kept, but the PostgreSQL server does not have it. Remove it in Parked Databases.',
      fix: 'none',
    },
  ]);
  expect(await putBack(id)).toMatchObject({ status: 409 });
  expect(await remove(id, 'STILL')).toMatchObject({ status: 200 });
  expect(await findings()).toEqual([]);
});

it('operations that name a parked database by its id are refused [DECISIONS §13]', async () => {
  await copy('ORIGIN', 'ASIDE');
  await deleteDatabase('ASIDE');
  for (const [route, body] of [
    [databaseRoutes.details],
    [databaseRoutes.planDeletion],
    [backupRoutes.create],
    [purgeRoutes.purge, ['otps']],
  ] as const) {
    expect(await test.call(route, { query: { databaseName: 'ASIDE' }, body })).toMatchObject({ status: 404 });
  }
});

it('the right to restore puts back no tenant, and that to delete databases removes none [DECISIONS §13]', async () => {
  const id = await makeTenant('RIGHTS');
  await test.call(tenantRoutes.delete, { query: { id } });
  await copy('ORIGIN', 'PLAIN');
  await deleteDatabase('PLAIN');
  const { token } = await test.signInAs('Operator');
  await query(`
    insert into role_permissions (role_id, permission_id)
    select r.id, p.id from roles r, permissions p
    where r.name = 'Operator' and p.identifier in ('databases.restore', 'databases.delete');
    delete from role_permissions using permissions p where p.id = permission_id and identifier = 'tenants.write'
      and role_id = (select id from roles where name = 'Operator')`);
  const parked = await parkedOf('RIGHTS');
  const about = { token, query: { id: parked.id, databaseName: 'RIGHTS' } };
  expect(await test.call(parkedDatabaseRoutes.putBack, about)).toMatchObject({ status: 403 });
  expect(await test.call(parkedDatabaseRoutes.removeParked, about)).toMatchObject({ status: 403 });
  const plain = { token, query: { id: (await parkedOf('PLAIN')).id } };
  expect(await test.call(parkedDatabaseRoutes.putBack, plain)).toMatchObject({ status: 200 });
});

it('what is renamed on the way is parked and put back under its new name [DECISIONS §13]', async () => {
  const id = await makeTenant('NAMED');
  const { result: backup } = await test.call(backupRoutes.create, { query: { databaseName: 'NAMED' } });
  await installStops(test.databaseUrl);
  const rename = async (databaseName: string) => {
    const body = { ...tenantInput('NAMED'), id, databaseName };
    expect(await test.call(tenantRoutes.edit, { body })).toMatchObject({ status: 200 });
  };
  const options = { headers: { prefer: 'respond-async' } };
  await holdAt(
    test.databaseUrl,
    { kind: 'restore', point: 'step 1' },
    () => test.call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'NAMED' }, ...options }),
    () => rename('NAMED ONCE'),
  );
  await removeStops(test.databaseUrl);
  await operationsEnded(test.databaseUrl);
  const replaced = await parkedOf('NAMED ONCE');
  expect(replaced).toMatchObject({ reason: 'replaced' });
  await holdAt(
    test.databaseUrl,
    { kind: 'unpark', point: 'step 1' },
    () => test.call(parkedDatabaseRoutes.putBack, { query: { id: replaced.id }, ...options }),
    () => rename('NAMED AGAIN'),
  );
  await removeStops(test.databaseUrl);
  await operationsEnded(test.databaseUrl);
  expect(await parkedOf('NAMED AGAIN')).toMatchObject({ id: replaced.id, reason: 'replaced' });
  expect(await remove(replaced.id, 'NAMED AGAIN')).toMatchObject({ status: 200 });

  await holdAt(
    test.databaseUrl,
    { kind: 'delete-tenant', point: 'step 1' },
    () => test.call(tenantRoutes.delete, { query: { id }, ...options }),
    () => rename('NAMED TWICE'),
  );
  await removeStops(test.databaseUrl);
  await operationsEnded(test.databaseUrl);
  expect(await putBack((await parkedOf('NAMED TWICE')).id)).toMatchObject({
    status: 200,
    result: { databaseName: 'NAMED TWICE' },
  });
  expect(await names()).toContain('NAMED TWICE');
});

it('what is changed of a tenant while it is deleted is there when it is put back [DECISIONS §13]', async () => {
  const id = await makeTenant('CHANGED');
  const change = sql`update tenants set is_active = false, version = version + 1 where id = ${id}`;
  const deleted = await meetAtRow(test, change, () => test.call(tenantRoutes.delete, { query: { id } }));
  expect(deleted).toMatchObject({ status: 200 });
  expect(await putBack((await parkedOf('CHANGED')).id)).toMatchObject({ status: 200 });
  expect(await tenantOf('CHANGED')).toMatchObject({ id, isActive: false, version: 2 });
});

it('after its days a database is removed by the server, in the order of parking [DECISIONS §13]', async () => {
  const id = await makeTenant('EXPIRED');
  await replaceRows('EXPIRED');
  const { physicalName } = await getDatabaseByName(test.context, 'EXPIRED');
  test.clock.advance(300);
  await test.call(tenantRoutes.delete, { query: { id } });
  const both = (await listParked()).filter((row: { databaseName: string }) => row.databaseName === 'EXPIRED');
  expect(both).toHaveLength(2);
  const upkeep = async () => {
    await removeExpired(test.context);
    await operationsEnded(test.databaseUrl);
  };
  const left = async () => (await query("select from parked_databases where name = 'EXPIRED'")).length;
  test.clock.advance(7 * DAY - 301);
  await upkeep();
  expect(await left()).toBe(2);
  test.clock.advance(1);
  await upkeep();
  expect(await left()).toBe(1);
  test.clock.advance(300);
  await upkeep();
  expect(await left()).toBe(0);
  expect(await exists(physicalName)).toEqual({ databases: 0, roles: 0 });
  const entries = await query(
    "select actor_name, action from audit_entries where entity_id = any($1) and action like '%remove%'",
    [both.map((row: { id: string }) => row.id)],
  );
  expect(entries).toEqual([1, 2].map(() => ({ actor_name: 'server', action: 'databases.remove-parked' })));
});

it('an expired database that PostgreSQL keeps is tried again after an hour [DECISIONS §13]', async () => {
  const { accessToken: token } = (await test.signIn()).result;
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'ORIGIN', databaseName: 'STUCK' }, token });
  const { id } = await getDatabaseByName(test.context, 'STUCK');
  // By its name it takes no place of the moves that other tests count on this server.
  const subscription =
    "create subscription apotheca_stuck connection '' publication none with (connect = false, slot_name = none)";
  await queryTenant(test, 'STUCK', subscription);
  await test.call(databaseRoutes.delete, { query: { databaseName: 'STUCK' }, token });
  const tries = async () => {
    await removeExpired(test.context);
    await operationsEnded(test.databaseUrl);
    return (await query("select from operations where database_id = $1 and kind = 'remove-parked'", [id])).length;
  };
  test.clock.advance(8 * DAY);
  expect(await tries()).toBe(1);
  test.clock.advance(1800);
  expect(await tries()).toBe(1);
  test.clock.advance(1801);
  expect(await tries()).toBe(2);
  // What a clock that was ahead has dated is not waited for.
  await query("update operations set created_at = created_at + interval '1 year' where database_id = $1", [id]);
  expect(await tries()).toBe(3);
  const again = (await test.signIn()).result.accessToken;
  const entry = await test.call(auditRoutes.list, { query: { entity: 'databases', entityId: id }, token: again });
  expect(JSON.stringify(entry.result)).toContain('remove-parked-failed');
  await test.call(parkedDatabaseRoutes.putBack, { query: { id }, token: again });
  await queryTenant(test, 'STUCK', 'drop subscription apotheca_stuck');
});

it('a process whose clock is ahead removes nothing that is still kept [DECISIONS §13]', async () => {
  test.clock.now = new Date();
  const { accessToken: token } = (await test.signIn()).result;
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'ORIGIN', databaseName: 'KEPT' }, token });
  await test.call(databaseRoutes.delete, { query: { databaseName: 'KEPT' }, token });
  await removeExpired({ ...test.context, ...aheadByYear(test.context.platform) });
  await operationsEnded(test.databaseUrl);
  expect(await query("select from parked_databases where name = 'KEPT'")).toHaveLength(1);
});

it('a tenant that is put back is told of no step again that was announced before [DECISIONS §13]', async () => {
  test.clock.now = new Date();
  const { accessToken: token } = (await test.signIn()).result;
  const day = (plus: number) => new Date(test.clock.now.getTime() + plus * DAY * 1_000).toISOString().slice(0, 10);
  const body = { ...tenantInput('TOLD ONCE'), subscriptionStartDate: day(-300), subscriptionEndDate: day(5) };
  const { id } = (await test.call(tenantRoutes.create, { body, token })).result;
  const told = async () => {
    await announceExpiries(test.context);
    return query(
      "select changes ->> 'step' as step from audit_entries where entity_id = $1 and action = 'tenants.expiry'",
      [id],
    );
  };
  expect(await told()).toEqual([{ step: '7-days' }]);
  await test.call(tenantRoutes.delete, { query: { id }, token });
  const [parked] = await query("select database_id as id from parked_databases where name = 'TOLD ONCE'");
  const putBack = await test.call(parkedDatabaseRoutes.putBack, { query: { id: parked.id }, token });
  expect(putBack).toMatchObject({ status: 200 });
  expect(await told()).toEqual([{ step: '7-days' }]);
});
