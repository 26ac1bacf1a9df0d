import { backupRoutes } from '@apotheca/contract/backups';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { findingRoutes } from '@apotheca/contract/findings';
import { OPERATION_WAIT, operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantBulkRoutes, tenantSyncRoutes } from '@apotheca/contract/tenant-bulks';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { allowConnections } from '../../db/cluster/database-sessions.ts';
import { forEachCluster, HOME_SERVER } from '../../db/clusters.ts';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { REQUEST_BUDGET } from '../../db/connections/time-budget.ts';
import { connectTenants } from '../../db/tenant-connection.ts';
import { listCancelled } from '../../operations/waiting-operations.repository.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { bulksBy, resultsOf } from '../../testing/bulks.ts';
import { withClient } from '../../testing/databases.ts';
import { operationsEnded } from '../../testing/operations.ts';
import { addServer, useSecondServer } from '../../testing/second-server.ts';
import { timedWithoutStalls } from '../../testing/stalls.ts';
import { settleDatabases } from '../databases/database-settling.ts';
import { limitConnections, measureDatabases, startUpgrades } from '../databases/database-upkeep.ts';
import { getDatabaseByName } from '../databases/databases.service.ts';
import { endLogins } from '../databases/logins/ended-logins.ts';
import { noteVerifiers, repairLogins } from '../databases/logins/login-repairs.ts';
import { openLogin, rotateLogin, setLimits } from '../databases/logins/logins.service.ts';
import { countMovesAtOnce } from '../databases/moving/move-plan.ts';
import { removeExpired } from '../databases/parking/parking-upkeep.ts';
import { sweepPurges } from '../databases/purge/purge-upkeep.ts';
import { startAccessChanges } from '../tenants/access/tenant-access.service.ts';
import { tenantsAsOwner } from '../tenants/tenants.service.ts';
import { checkHealth } from './health-watch.ts';

const test = useTestApp();
const second = useSecondServer();

beforeAll(async () => {
  const databaseServerId = await addServer(test, second);
  const near = { body: tenantInput('NEAR') };
  const far = { body: { ...tenantInput('FAR'), databaseServerId } };
  for (const tenant of [near, far]) expect(await test.call(tenantRoutes.create, tenant)).toMatchObject({ status: 200 });
});

const query = (databaseName: string) => ({ query: { databaseName } });
const AWAY = 'The database server Second does not answer. Only its own databases are away; please try again later.';
const REFUSES =
  'The database server Second refuses the connection: its record has the reason. Only its own databases are away; please try again later.';

const ASYNC = { headers: { prefer: 'respond-async' } };
const bulks = bulksBy(test, databaseBulkRoutes);

const operations = () =>
  test.context.platform.selectFrom('operations').select(['id', 'state', 'attempts', 'startedAt', 'cancelRequested']);
const rowOf = (id: string) => operations().where('id', '=', id).executeTakeFirstOrThrow();
const findRunning = (kind: 'backup') =>
  operations().where('kind', '=', kind).where('state', '=', 'running').executeTakeFirst();
/** Waits until an operation has tried more than once to reach its server. */
const waiting = (id: string) => expect.poll(async () => (await rowOf(id)).attempts).toBeGreaterThan(1);

const findBackup = (id: string) =>
  test.context.platform.selectFrom('backups').select('state').where('id', '=', id).executeTakeFirst();
const getTenant = async (code: string) =>
  test.context.platform.selectFrom('tenants').select('id').where('code', '=', code).executeTakeFirstOrThrow();
const databaseIds = async (name: string) => [(await getDatabaseByName(test.context, name)).id];
const physicalNameOf = async (name: string) => (await getDatabaseByName(test.context, name)).physicalName;

/** Calls that need a server, and how long each takes, in milliseconds. */
async function timed(databaseName: string) {
  const { answer, took } = await timedWithoutStalls(() => test.call(databaseRoutes.details, query(databaseName)));
  return { status: answer.status, message: answer.message, took };
}

it('keeps no login of a rotation that was cut off before the registry had it, and the one before without end [§2.30]', async () => {
  const findings = async () => (await test.call(reconciliationRoutes.reconcile)).result.findings;
  const row = await getDatabaseByName(test.context, 'FAR');
  const [kept, cutOff] = [async () => {}, () => Promise.reject(new Error('Killed'))];
  await rotateLogin(test.context, row, { access: 'write', overlapMinutes: 60 }, kept);
  for (const access of ['read', 'write'] as const) {
    const rotated = rotateLogin(test.context, row, { access, overlapMinutes: 60 }, cutOff);
    await expect(rotated).rejects.toThrow('Killed');
  }
  expect(await findings()).toHaveLength(2);
  const { clusters } = test.context;
  const stop = new AbortController();
  let asked = 0;
  const of = (id: string) => {
    if (id === row.serverId) asked += 1;
    // First for all of the server, then for each login.
    if (asked === 2) stop.abort();
    return clusters.of(id);
  };
  await repairLogins({ ...test.context, clusters: { ...clusters, of } }, stop.signal);
  expect(asked).toBe(2);
  // The one with an end was at work when the stop came.
  expect(await findings()).toHaveLength(2);
  await repairLogins(test.context);
  const { roleName } = (await openLogin(test.context, row, 'write')).login;
  const { rows } = await withClient(second.url, (client) =>
    client.query('select rolvaliduntil as end from pg_roles where rolname = $1', [roleName]),
  );
  expect(rows).toEqual([{ end: Number.POSITIVE_INFINITY }]);
  expect(await findings()).toEqual([]);
});

it('keeps no limit of logins whose change did not come to the registry [§2.30]', async () => {
  const row = await getDatabaseByName(test.context, 'FAR');
  const { roleName } = (await openLogin(test.context, row, 'write')).login;
  const limits = () =>
    withClient(second.url, async (client) => {
      const { rows } = await client.query('select rolconfig as settings from pg_roles where rolname = $1', [roleName]);
      return rows[0]?.settings;
    });
  const before = await limits();
  const failed = setLimits(test.context, row, { connectionLimit: null, statementTimeoutSeconds: 5 }, () =>
    Promise.reject(new Error('Killed')),
  );
  await expect(failed).rejects.toThrow('Killed');
  expect(await limits()).toContain('statement_timeout=5s');
  await repairLogins(test.context);
  expect(await limits()).toEqual(before);
});

it('lets programs in through PgBouncer after a change of logins that did not come to the registry [§2.30]', async () => {
  const row = await getDatabaseByName(test.context, 'FAR');
  const { roleName } = (await openLogin(test.context, row, 'write')).login;
  const changed = setLimits(test.context, row, { connectionLimit: 7 }, () => Promise.reject(new Error('Killed')));
  await expect(changed).rejects.toThrow('Killed');
  const { rows } = await withClient(second.url, (client) =>
    client.query('select rolpassword as verifier from pg_authid where rolname = $1', [roleName]),
  );
  const registered = test.context.platform.selectFrom('databaseLogins').select('scramVerifier as verifier');
  expect(rows).toEqual(await registered.where('roleName', '=', roleName).execute());
});

describe.each([
  ['stopped', () => second.stop(), () => second.start(), AWAY],
  ['silent', async () => second.link.set('silent'), async () => second.link.heal(), AWAY],
  ['refusing its administrator', () => second.refuse(), () => second.admit(), REFUSES],
])('a server that is %s', (how, begin, end, message) => {
  it('takes down its own tenants only, is named where it is needed, and comes back by itself [§2.30]', async () => {
    expect((await timed('FAR')).status).toBe(200);
    const { id: ofFar } = (await test.call(backupRoutes.create, query('FAR'))).result;
    await begin();
    const far = await timed('FAR');
    expect(far).toMatchObject({ status: 503, message });
    expect(far.took).toBeLessThan(REQUEST_BUDGET / 2);
    // Of what reads only the database itself, no session of its server goes before.
    expect(await test.call(purgeRoutes.listPurges, query('FAR'))).toMatchObject({ status: 503, message });
    expect((await timed('NEAR')).status).toBe(200);
    // Lists, screens and operations of the others go on.
    for (const route of [
      tenantRoutes.list,
      databaseRoutes.list,
      databaseServerRoutes.list,
      dashboardRoutes.getCounts,
    ]) {
      expect(await test.call(route)).toMatchObject({ status: 200 });
    }
    expect(await test.call(backupRoutes.create, query('NEAR'))).toMatchObject({ status: 200 });
    // The archive is here: its database's server is not needed for a restore on another one.
    const overNear = { id: ofFar, databaseName: 'NEAR' };
    const planned = await test.call(backupRoutes.planRestore, { query: overNear });
    expect(planned).toMatchObject({ status: 200 });
    const restore = { query: { ...overNear, plan: planned.result.digest } };
    expect(await test.call(backupRoutes.restore, restore)).toMatchObject({ status: 200 });
    expect(await test.call(tenantRoutes.create, { body: tenantInput(`NEW ${how}`) })).toMatchObject({ status: 200 });
    // What the server does by itself leaves it out.
    await measureDatabases(test.context);
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: false });
    await sweepPurges(test.context);
    await endLogins(test.context);
    await repairLogins(test.context);
    const { result: compared } = await test.call(reconciliationRoutes.reconcile);
    expect(compared).toMatchObject({ findings: [], serversAway: ['Second'] });
    await checkHealth(test.context);
    const servers = (await test.call(databaseServerRoutes.list)).result;
    expect(servers).toEqual([
      expect.objectContaining({ name: 'Home', isAway: false, sessions: expect.any(Number) }),
      expect.objectContaining({ name: 'Second', isAway: true, sessions: null, awaySinceUtc: expect.any(String) }),
    ]);
    const findings = (await test.call(findingRoutes.list)).result;
    expect(findings.find(({ kind }: { kind: string }) => kind === 'server-away')).toMatchObject({
      count: 1,
      first: [expect.objectContaining({ name: 'Second' })],
    });
    await end();
    await expect.poll(async () => (await timed('FAR')).status).toBe(200);
    await checkHealth(test.context);
    expect((await test.call(databaseServerRoutes.list)).result[1]).toMatchObject({ isAway: false, awaySinceUtc: null });
    expect((await test.call(reconciliationRoutes.reconcile)).result.serversAway).toEqual([]);
    expect(test.background).toEqual([]);
  });

  it('lets an operation on its database wait, which then succeeds by itself [§2.30]', async () => {
    await begin();
    const started = await test.call(backupRoutes.create, { ...query('FAR'), ...ASYNC });
    expect(started).toMatchObject({ status: 202 });
    const { operationId: id } = started.result;
    await waiting(id);
    expect((await rowOf(id)).state).toBe('running');
    expect(await test.call(backupRoutes.create, query('NEAR'))).toMatchObject({ status: 200 });
    await end();
    await expect.poll(async () => (await rowOf(id)).state).toBe('succeeded');
  });

  it('does not keep an operation that waits for it from being cancelled, and leaves nothing of it [DECISIONS §8]', async () => {
    await begin();
    const started = await test.call(backupRoutes.create, { ...query('FAR'), ...ASYNC });
    const { operationId: id } = started.result;
    await waiting(id);
    expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
    await expect.poll(() => rowOf(id)).toMatchObject({ state: 'cancelled', startedAt: null });
    expect(await findBackup(id)).toBeUndefined();
    await end();
    await expect.poll(async () => (await timed('FAR')).status).toBe(200);
    expect(await test.call(backupRoutes.create, query('FAR'))).toMatchObject({ status: 200 });
  });
});

/** Starts to back up many, and stops the server while it backs up FAR. */
const stoppedWithin = async (planned: Parameters<typeof bulks.start>[0]) =>
  withClient(withDatabaseName(second.url, await physicalNameOf('FAR')), async (client) => {
    client.on('error', () => {});
    await client.query('begin');
    // The dump begins, and waits.
    await client.query('lock table items in access exclusive mode');
    const { result } = await bulks.start(planned, ASYNC);
    await expect.poll(() => findRunning('backup').then((row) => row?.startedAt)).toBeTruthy();
    await second.stop();
    return { bulkId: result.operationId as string, backupId: String((await findRunning('backup'))?.id) };
  });

it('a server that is stopped does not keep a bulk change from being cancelled whose operation waits for it, and the next one from its turn [§2.25]', async () => {
  const { result: planned } = await bulks.plan({ action: 'back-up', ids: await databaseIds('FAR') });
  const { bulkId, backupId } = await stoppedWithin(planned);
  await waiting(backupId);
  expect(await test.call(operationRoutes.cancel, { query: { id: bulkId } })).toMatchObject({ status: 200 });
  await expect.poll(() => rowOf(bulkId)).toMatchObject({ state: 'cancelled' });
  // It has begun something there, so it ends when that can be undone.
  expect(await rowOf(backupId)).toMatchObject({ state: 'running', cancelRequested: true });
  const { result: next } = await bulks.plan({ action: 'back-up', ids: await databaseIds('NEAR') });
  expect(await bulks.start(next)).toMatchObject({ status: 200 });
  await second.start();
  await expect.poll(() => rowOf(backupId)).toMatchObject({ state: 'cancelled' });
  const again = await test.call(operationRoutes.retry, { query: { id: bulkId } });
  await expect.poll(() => rowOf(again.result.operationId)).toMatchObject({ state: 'succeeded' });
  expect(resultsOf(await bulks.report(planned.id))).toEqual({ FAR: 'changed' });
});

it('a server that is stopped refuses the rows of its own databases only, also of what has begun there [§2.25] [§2.30]', async () => {
  const listed = await Promise.all(['FAR', 'NEAR'].map(getTenant));
  const ids = listed.map(({ id }) => id);
  const { result: planned } = await bulks.plan({ action: 'back-up', ids });
  const { bulkId, backupId } = await stoppedWithin(planned);
  await checkHealth(test.context);
  await expect.poll(() => rowOf(bulkId)).toMatchObject({ state: 'succeeded' });
  expect(resultsOf(await bulks.report(planned.id))).toEqual({ FAR: `refused: ${AWAY}`, NEAR: 'changed' });
  expect(await rowOf(backupId)).toMatchObject({ state: 'running', cancelRequested: true });
  expect(await listCancelled(test.context.platform), 'it is not asked each second').toEqual([]);
  const syncs = bulksBy(test, tenantSyncRoutes);
  const counts = { refused: 1, changed: 1 };
  const { result: sync } = await syncs.plan({ action: 'sync', ids });
  expect(await syncs.start(sync)).toMatchObject({ status: 200, result: { counts } });
  const { result: further } = await bulks.plan({ action: 'back-up', ids: ids.toReversed() });
  expect(await bulks.start(further)).toMatchObject({ status: 200, result: { counts } });
  await second.start();
  await expect.poll(() => rowOf(backupId)).toMatchObject({ state: 'cancelled' });
  await checkHealth(test.context);
});

it('a server that is noted as away is not waited for when its tenants are changed, each or many at once [§2.25] [§2.30]', async () => {
  const { serverId: databaseServerId } = await getDatabaseByName(test.context, 'FAR');
  const create = async (code: string, fields = {}): Promise<string> =>
    (await test.call(tenantRoutes.create, { body: { ...tenantInput(code), ...fields } })).result.id;
  const far: string[] = [];
  for (const code of ['OFF A', 'OFF B', 'OFF C']) far.push(await create(code, { databaseServerId }));
  const [id = ''] = far;
  await second.stop();
  await checkHealth(test.context);
  const tenants = bulksBy(test, tenantBulkRoutes);
  const { result: planned } = await tenants.plan({ action: 'deactivate', ids: [...far, await create('ON')] });
  const { took } = await timedWithoutStalls(async () => {
    const done = await tenants.start(planned);
    expect(done).toMatchObject({ status: 200, message: '4 tenants deactivated.' });
    const activated = await test.call(tenantRoutes.activate, { query: { id } });
    expect(activated.message).toBe('Success! Tenant has been Activated.');
    const deactivated = await test.call(tenantRoutes.deactivate, { query: { id } });
    expect(deactivated.message).toBe(
      'Success! Tenant has been Deactivated. For now its database is open to its programs, until that can be changed.',
    );
  });
  expect(took).toBeLessThan(OPERATION_WAIT);
  const accesses = async () => {
    const rows = test.context.platform.selectFrom('databases').select('access').where('tenantId', 'in', far);
    return (await rows.execute()).map(({ access }) => access);
  };
  expect(await accesses()).toEqual(['open', 'open', 'open']);
  await second.start();
  await expect.poll(accesses).toEqual(['closed', 'closed', 'closed']);
  await checkHealth(test.context);
});

it('a server that is noted as away gets no upgrades, removals and changes of access that are due: they would take the turns of others [§2.30]', async () => {
  const { context } = test;
  const { serverId: databaseServerId } = await getDatabaseByName(context, 'FAR');
  const create = async (code: string): Promise<string> =>
    (await test.call(tenantRoutes.create, { body: { ...tenantInput(code), databaseServerId } })).result.id;
  const [ended, deleted] = [await create('DUE'), await create('EXPIRED')];
  expect(await test.call(tenantRoutes.delete, { query: { id: deleted } })).toMatchObject({ status: 200 });
  await operationsEnded(test.databaseUrl);
  await second.stop();
  await checkHealth(context);
  await context.pool.query('update tenants set is_active = false where id = $1', [ended]);
  await context.pool.query("update parked_databases set kept_until = $1 where name = 'EXPIRED'", [context.now()]);
  await context.pool.query("update databases set schema_version = schema_version - 1 where name = 'FAR'");
  test.clock.advance(1);
  const since = context.now();
  const started = async () => {
    await Promise.all([startUpgrades(context, since), removeExpired(context), startAccessChanges(context)]);
    const rows = operations().select('kind').where('actorId', 'is', null).where('createdAt', '>=', since);
    return (await rows.execute()).map(({ kind }) => kind).sort();
  };
  expect(await started()).toEqual([]);
  await second.start();
  await checkHealth(context);
  expect(await started()).toEqual(['change-access', 'remove-parked', 'upgrade']);
  await operationsEnded(test.databaseUrl);
});

it('is asked once a round by what looks after all its databases, and not by what is to stop [§2.30]', async () => {
  const { platform, clusters, pool } = test.context;
  const { serverId: databaseServerId } = await getDatabaseByName(test.context, 'FAR');
  const created = await test.call(tenantRoutes.create, { body: { ...tenantInput('FURTHER'), databaseServerId } });
  expect(created).toMatchObject({ status: 200 });
  for (const name of ['FAR', 'FURTHER']) {
    expect(await test.call(purgeRoutes.purge, { ...query(name), body: ['locations'] })).toMatchObject({ status: 200 });
    await openLogin(test.context, await getDatabaseByName(test.context, name), 'write');
  }
  let asked = 0;
  const of = (id: string) => {
    if (id === databaseServerId) asked += 1;
    return clusters.of(id);
  };
  const context = { ...test.context, clusters: { ...clusters, of }, tenants: connectTenants({ ...clusters, of }) };
  const askedBy = async (work: Promise<unknown>) => {
    asked = 0;
    await work;
    return asked;
  };
  const there = 'where database_id in (select id from databases where server_id = $1)';
  const setState = (state: string) =>
    pool.query('update databases set state = $2 where server_id = $1', [databaseServerId, state]);
  await second.stop();
  const stopping = AbortSignal.abort();
  expect(await askedBy(sweepPurges(context, stopping))).toBe(0);
  expect(await askedBy(sweepPurges(context))).toBe(1);
  expect(await askedBy(repairLogins(context, stopping))).toBe(0);
  expect(await askedBy(repairLogins(context))).toBe(1);
  expect(await askedBy(limitConnections(context, stopping))).toBe(0);
  expect(await askedBy(limitConnections(context))).toBe(1);
  expect(await askedBy(measureDatabases(context, stopping))).toBe(0);
  expect(await askedBy(measureDatabases(context))).toBe(1);
  expect(await askedBy(countMovesAtOnce(context, stopping))).toBe(0);
  expect(await askedBy(countMovesAtOnce(context))).toBe(1);
  await pool.query(`update database_logins set scram_verifier = null ${there}`, [databaseServerId]);
  expect(await askedBy(noteVerifiers(context, stopping))).toBe(0);
  expect(await askedBy(noteVerifiers(context))).toBe(1);
  await pool.query(`update database_logins set valid_until = '2000-01-01' ${there}`, [databaseServerId]);
  expect(await askedBy(endLogins(context, stopping))).toBe(0);
  expect(await askedBy(endLogins(context))).toBe(1);
  await pool.query(`update database_logins set valid_until = null ${there}`, [databaseServerId]);
  await setState('deleting');
  expect(await askedBy(settleDatabases(context, tenantsAsOwner(context), { wait: false, stopping }))).toBe(0);
  // What is closed there is looked for before.
  expect(await askedBy(settleDatabases(context, tenantsAsOwner(context), { wait: false }))).toBe(2);
  await setState('ready');
  await second.start();
  await expect.poll(async () => (await timed('FAR')).status).toBe(200);
  await noteVerifiers(test.context);
  expect(await platform.selectFrom('databaseLogins').where('scramVerifier', 'is', null).execute()).toEqual([]);
});

it('what the server does by itself on another server may take longer than a call [decision 071]', async () => {
  const began = performance.now();
  const visited: string[] = [];
  const leftOut = await forEachCluster(test.context, async ({ id, platform }) => {
    // Each statement is too short to be seen working.
    while (id !== HOME_SERVER && performance.now() - began < REQUEST_BUDGET + 500)
      await sql`select pg_sleep(0.5)`.execute(platform);
    visited.push(id);
  });
  expect(leftOut).toEqual([]);
  expect(visited).toHaveLength(2);
});

/** Has the record of the second server another password than that of its form, sealed as it is stored. */
async function storePassword(change: (password: Buffer) => Buffer): Promise<void> {
  const { platform } = test.context;
  const stored = platform.selectFrom('databaseServers').select(['id', 'password']).where('name', '=', 'Second');
  const { id, password } = await stored.executeTakeFirstOrThrow();
  if (!password) throw new Error('Only the home server has no password.');
  const changed = { password: change(password), version: sql<number>`version + 1` };
  await platform.updateTable('databaseServers').set(changed).where('id', '=', id).execute();
}
const damage = () => storePassword((password) => Buffer.from(password.toReversed()));

it('a server whose password cannot be read is left out and told, while what the server does by itself goes on elsewhere [§2.30]', async () => {
  const { context, background } = test;
  const near = await getDatabaseByName(context, 'NEAR');
  await damage();
  background.length = 0;
  await allowConnections(context.clusters.home.platform, near.physicalName, false);
  await settleDatabases(context, tenantsAsOwner(context), { wait: false });
  const message =
    'The password of the database server Second was saved under another APOTHECA_SECRET: please enter it again.';
  expect(await timed('FAR')).toMatchObject({ status: 409, message });
  expect((await timed('NEAR')).status).toBe(200);
  await limitConnections(context);
  await repairLogins(context);
  expect(await countMovesAtOnce(context)).toBeGreaterThan(0);
  const compared = await test.call(reconciliationRoutes.reconcile);
  expect(compared).toMatchObject({ status: 200, result: { findings: [], serversAway: ['Second'] } });
  const told = background.splice(0).map((error) => (error instanceof Error ? error.message : error));
  expect(told).toHaveLength(5);
  expect(new Set(told).size).toBe(1);
  expect(told[0]).toMatch(
    /^The database server Second is left out: .* was saved under another APOTHECA_SECRET: please enter it/,
  );
  await damage();
  await expect.poll(async () => (await timed('FAR')).status).toBe(200);
  expect((await test.call(reconciliationRoutes.reconcile)).result.serversAway).toEqual([]);
});
