import { randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../../../actor.ts';
import { NO_STORES } from '../../../../backup-stores.ts';
import { openPlatform } from '../../../../db/platform.ts';
import { AppError } from '../../../../errors.ts';
import { operationKinds } from '../../../../operation-kinds.ts';
import { endOperations, noteBackup } from '../../../../recovery/recovery.repository.ts';
import { type SimulatedTenant, useSimulatedInstallation } from '../../../../testing/simulated-backups.ts';
import { takeDueBackup } from './due-backup.ts';
import { measureSchedules } from './schedule-figures.ts';
import { runSchedules, SCHEDULED_AT_ONCE } from './scheduled-backups.ts';

const test = useSimulatedInstallation();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const advance = (milliseconds: number) => {
  test.clock.now = new Date(test.clock.now.getTime() + milliseconds);
};
const tick = () => runSchedules(test.context);
const runOf = async ({ databaseId }: SimulatedTenant) => {
  const { rows } = await test.pool.query('select * from backup_schedule_runs where database_id = $1', [databaseId]);
  return rows[0];
};
/** Lets time pass, also for the pauses after failures: they go by PostgreSQL's clock, which no test sets. */
async function pass(milliseconds: number): Promise<void> {
  advance(milliseconds);
  const earlier = 'update backup_schedule_runs set retry_at = retry_at - make_interval(secs => $1)';
  await test.pool.query(earlier, [milliseconds / 1_000]);
}
/** Ends what the test before has left. */
async function nothingScheduled(): Promise<void> {
  await test.pool.query("update backup_schedules set frequency = 'off'");
  for (const backup of await test.queued()) await test.end(backup, 'cancelled');
  await tick();
}
/** A tenant that is backed up every hour, whose backup is due now. */
async function dueTenant(): Promise<SimulatedTenant> {
  await nothingScheduled();
  const [tenant] = await test.addTenants(['America/New_York']);
  if (!tenant) throw new Error('There is no tenant.');
  await test.setSchedule(tenant, { frequency: 'hourly', keep: [2, 0, 0, 0] });
  await tick();
  test.clock.now = (await runOf(tenant)).due_at;
  return tenant;
}
/** Makes the backup that is queued. */
async function make(result: 'succeeded' | 'failed' | 'cancelled' = 'succeeded') {
  const [backup, ...others] = await test.queued();
  expect(others).toEqual([]);
  if (!backup) throw new Error('Nothing is queued.');
  await test.end(backup, result);
  return backup;
}

describe('a due backup', () => {
  it('is started at its minute and not before, once [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const { due_at: dueAt } = await runOf(tenant);
    advance(-1);
    await tick();
    expect(await test.queued()).toEqual([]);
    advance(1);
    await tick();
    await tick();
    expect(await test.queued()).toMatchObject([{ databaseId: tenant.databaseId, dueAt }]);
    await make();
    await tick();
    expect(await test.queued()).toEqual([]);
    expect(await runOf(tenant)).toMatchObject({
      due_at: new Date(dueAt.getTime() + HOUR),
      operation_id: null,
      last_result: 'succeeded',
      last_message: 'It has succeeded.',
    });
  });

  it('is caught up once after a stop, for the newest of the missed moments [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const { due_at: dueAt } = await runOf(tenant);
    advance(5 * HOUR + MINUTE);
    await tick();
    expect((await make()).dueAt).toEqual(new Date(dueAt.getTime() + 5 * HOUR));
    await tick();
    expect(await test.queued()).toEqual([]);
    expect(await runOf(tenant)).toMatchObject({ due_at: new Date(dueAt.getTime() + 6 * HOUR) });
  });

  it('is tried again after a pause that grows, and does not hold up others [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const { due_at: dueAt } = await runOf(tenant);
    for (const pause of [5, 10, 20, 40, 60, 60]) {
      await tick();
      expect((await make('failed')).databaseId).toBe(tenant.databaseId);
      await tick();
      expect(await runOf(tenant)).toMatchObject({
        due_at: dueAt,
        last_result: 'failed',
        last_message: 'It has failed.',
      });
      // As a tick takes its time.
      await pass((pause - 1) * MINUTE);
      await tick();
      expect(await test.queued()).toEqual([]);
      await pass(MINUTE);
    }
    const [other] = await test.addTenants(['UTC']);
    if (!other) throw new Error('There is no tenant.');
    await test.setSchedule(other, { frequency: 'hourly' });
    await tick();
    await make();
    await tick();
    expect(await runOf(tenant)).toMatchObject({ failures: 0, retry_at: null, last_result: 'succeeded' });
    test.clock.now = (await runOf(other)).due_at;
    await tick();
    expect((await test.queued()).map(({ databaseId }) => databaseId)).toContain(other.databaseId);
    for (const backup of await test.queued()) await test.end(backup, 'succeeded');
    await tick();
    for (const backup of await test.queued()) await test.end(backup, 'succeeded');
  });

  it('is tried again after the pause by processes whose clocks are hours apart [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const behind = { ...test.context, now: () => new Date(test.clock.now.getTime() - 3 * HOUR) };
    await tick();
    await make('failed');
    await runSchedules(behind);
    expect(await runOf(tenant)).toMatchObject({ failures: 1 });
    await tick();
    expect(await test.queued()).toEqual([]);
    await pass(5 * MINUTE);
    await tick();
    await make('failed');
    await tick();
    await runSchedules(behind);
    await tick();
    expect(await test.queued()).toEqual([]);
    await pass(10 * MINUTE);
    await tick();
    expect((await make()).databaseId).toBe(tenant.databaseId);
    await tick();
  });

  it('that somebody cancels is left out [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const { due_at: dueAt } = await runOf(tenant);
    await tick();
    await make('cancelled');
    await tick();
    expect(await test.queued()).toEqual([]);
    expect(await runOf(tenant)).toMatchObject({ due_at: new Date(dueAt.getTime() + HOUR), last_result: 'cancelled' });
  });

  it('that cannot even be started is shown as failed and tried again [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const findTools = async () => {
      throw new AppError('tools-missing', { message: 'There is no pg_dump.' });
    };
    await runSchedules({ ...test.context, findTools });
    expect(await runOf(tenant)).toMatchObject({
      last_result: 'failed',
      last_message: 'There is no pg_dump.',
      failures: 1,
    });
    await tick();
    expect(await test.queued()).toEqual([]);
    await pass(5 * MINUTE);
    await tick();
    await make();
    await tick();
  });

  it('whose archive a recovery has found is made, though its operation was cut off [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const { due_at: dueAt } = await runOf(tenant);
    await tick();
    const [{ operationId: id } = { operationId: '' }] = await test.queued();
    const physicalName = `db_${tenant.databaseId.replaceAll('-', '')}`;
    const archive = { sizeBytes: 1, sha256: '', schemaVersion: 1, rowCounts: null, manifest: null };
    await test.context.platform.transaction().execute(async (trx) => {
      await endOperations(trx, { message: 'The machine was lost.', at: test.clock.now });
      await noteBackup(trx, { id, origin: 'made', physicalName, createdAt: test.clock.now, ...archive });
    });
    await tick();
    advance(5 * MINUTE);
    // Nor is it made again by somebody who starts the operation that was cut off.
    const again = { databaseId: tenant.databaseId, dueOnUtc: dueAt.toISOString() };
    await test.context.platform.transaction().execute(async (trx) => {
      const person = { ...SERVER_ACTOR, id: randomUUID() };
      expect(await takeDueBackup(trx, person, { ...again, operationId: id })).toBeNull();
    });
    await tick();
    expect(await test.queued()).toEqual([]);
    expect(await runOf(tenant)).toMatchObject({
      due_at: new Date(dueAt.getTime() + HOUR),
      failures: 0,
      retry_at: null,
      last_result: 'succeeded',
      last_message: '',
    });
    advance(HOUR);
    await tick();
    await make();
    await tick();
  });

  it('that has failed is not made, though what it has left could not be removed yet [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const { due_at: dueAt } = await runOf(tenant);
    await tick();
    const { operationId } = await make('failed');
    await test.pool.query(
      `insert into backups (id, database_id, database_name, origin, state, created_at, due_at)
       values ($1, $2, 'any', 'made', 'deleting', $3, $4)`,
      [operationId, tenant.databaseId, test.clock.now, dueAt],
    );
    await tick();
    await tick();
    expect(await runOf(tenant)).toMatchObject({ due_at: dueAt, failures: 1, last_result: 'failed' });
    await test.pool.query('delete from backups where id = $1', [operationId]);
    await pass(5 * MINUTE);
    await tick();
    expect(await make()).toMatchObject({ databaseId: tenant.databaseId, dueAt });
    await tick();
  });

  it.each(['creating', 'deleting'])('waits while its database is in state %s [DECISIONS §13]', async (state) => {
    const tenant = await dueTenant();
    const set = (to: string) =>
      test.pool.query('update databases set state = $2 where id = $1', [tenant.databaseId, to]);
    await set(state);
    await tick();
    expect(await test.queued()).toEqual([]);
    await set('ready');
    await tick();
    await make();
    await tick();
  });

  it('waits while its server is away, and does not hold up those of others [§2.30]', async () => {
    await nothingScheduled();
    const tenants = await test.addTenants(['UTC', 'UTC', 'UTC', 'UTC']);
    const [near, ...far] = tenants;
    const setAway = await test.placeElsewhere(far);
    const dueNow = async (some: readonly (SimulatedTenant | undefined)[]) => {
      for (const tenant of some) if (tenant) await test.setSchedule(tenant, { frequency: 'hourly' });
      await tick();
      const set = 'update backup_schedule_runs set due_at = $1 where database_id = any ($2)';
      await test.pool.query(set, [test.clock.now, some.map((tenant) => tenant?.databaseId)]);
      await tick();
    };
    const queued = async () => new Set((await test.queued()).map(({ databaseId }) => databaseId));
    await dueNow(far.slice(0, SCHEDULED_AT_ONCE));
    await dueNow([near, far[SCHEDULED_AT_ONCE]]);
    const started = far.slice(0, SCHEDULED_AT_ONCE).map(({ databaseId }) => databaseId);
    expect(await queued()).toEqual(new Set(started));
    await setAway(true);
    await tick();
    expect(await queued()).toEqual(new Set([...started, near?.databaseId]));
    await setAway(false);
    for (const backup of await test.queued()) await test.end(backup, 'succeeded');
    await tick();
    expect(await queued()).toEqual(new Set([far[SCHEDULED_AT_ONCE]?.databaseId]));
    await nothingScheduled();
  });

  it('waits while another operation works on its database [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    await tick();
    const [byHand] = await test.queued();
    if (!byHand) throw new Error('Nothing is queued.');
    // Whatever claims it: here the same operation, as if somebody had started it.
    await test.pool.query('update backup_schedule_runs set operation_id = null');
    await test.pool.query('update operations set actor_id = (select min(id::text)::uuid from users) where id = $1', [
      byHand.operationId,
    ]);
    await tick();
    expect(await test.queued()).toHaveLength(1);
    await test.pool.query('delete from backups where id = $1', [byHand.operationId]);
    await test.end(byHand, 'failed');
    await tick();
    const [second] = await test.queued();
    expect(second?.databaseId).toBe(tenant.databaseId);
    expect(second?.operationId).not.toBe(byHand.operationId);
    await make();
    await tick();
  });
});

describe('a schedule', () => {
  it('counts in the time zone that the tenant has now [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    test.clock.now = new Date('2026-06-01T12:00:00Z');
    await test.setSchedule(tenant, { frequency: 'daily', hour: 2 });
    await test.pool.query('update backup_schedule_runs set due_at = $1', [new Date('2127-01-01T00:00:00Z')]);
    await tick();
    expect((await runOf(tenant)).due_at.toISOString()).toMatch(/^2026-06-02T06:\d\d:00/);
    await test.pool.query(
      "update tenants set timezone_id = 'Asia/Tokyo' where id = (select tenant_id from databases where id = $1)",
      [tenant.databaseId],
    );
    await tick();
    expect((await runOf(tenant)).due_at.toISOString()).toMatch(/^2026-06-01T17:\d\d:00/);
  });

  it('that is new is found by a whole tick; one that follows it starts what is due and no more [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const [other] = await test.addTenants(['UTC']);
    if (!other) throw new Error('There is no tenant.');
    await test.setSchedule(other, { frequency: 'hourly' });
    await runSchedules(test.context, { isFollowUp: true });
    expect(await runOf(other)).toBeUndefined();
    expect((await make()).databaseId).toBe(tenant.databaseId);
    await tick();
    expect(await runOf(other)).toMatchObject({ operation_id: null, failures: 0 });
  });

  it('that is changed while a backup is due leaves it due [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    advance(MINUTE);
    await test.setSchedule(tenant, { frequency: 'weekly' });
    await tick();
    expect((await make()).databaseId).toBe(tenant.databaseId);
    await tick();
    expect((await runOf(tenant)).due_at.getTime() - test.clock.now.getTime()).toBeLessThanOrEqual(7 * DAY);
  });

  it('that is switched off starts nothing more, and keeps what it has made [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    await tick();
    await make();
    await tick();
    await test.pool.query("update backup_schedules set frequency = 'off' where database_id = $1", [tenant.databaseId]);
    advance(DAY);
    await tick();
    expect(await test.queued()).toEqual([]);
    expect(await runOf(tenant)).toBeUndefined();
    expect(await test.backupsOf(tenant.databaseId)).toHaveLength(1);
  });

  it('of the default counts for databases of tenants, not for clones [DECISIONS §13]', async () => {
    await dueTenant();
    const [follower, clone] = await test.addTenants(['UTC', 'UTC']);
    if (!follower || !clone) throw new Error('There are no tenants.');
    await test.pool.query('update databases set tenant_id = null where id = $1', [clone.databaseId]);
    await test.pool.query("update backup_schedules set frequency = 'daily' where database_id is null");
    await tick();
    expect(await runOf(follower)).toMatchObject({ rule: expect.stringMatching(/^daily 2 /) });
    expect(await runOf(clone)).toBeUndefined();
    await test.setSchedule(clone, { frequency: 'hourly' });
    await test.pool.query("update backup_schedules set frequency = 'off' where database_id is null");
    await tick();
    expect(await runOf(follower)).toBeUndefined();
    expect(await runOf(clone)).toMatchObject({ rule: expect.stringMatching(/^hourly /) });
  });
});

describe('a clock that was a century ahead', () => {
  // Of PostgreSQL's too, whose clock no test sets.
  const CENTURY = 36_525 * DAY;
  const isLate = async (tenant: SimulatedTenant) => (await runOf(tenant)).is_late;

  it.each([
    { frequency: 'hourly', period: HOUR },
    { frequency: 'daily', period: DAY },
    { frequency: 'weekly', period: 7 * DAY },
  ] as const)('has not moved $frequency backups there once it is right again [DECISIONS §13]', async (wanted) => {
    const tenant = await dueTenant();
    await test.setSchedule(tenant, { frequency: wanted.frequency });
    const right = test.clock.now;
    advance(CENTURY);
    await tick();
    await make();
    await tick();
    expect((await runOf(tenant)).due_at.getTime()).toBeGreaterThan(right.getTime() + CENTURY);
    test.clock.now = right;
    await tick();
    const { due_at: dueAt } = await runOf(tenant);
    expect(dueAt.getTime() - right.getTime()).toBeLessThanOrEqual(wanted.period);
    test.clock.now = dueAt;
    await tick();
    expect(await make()).toMatchObject({ databaseId: tenant.databaseId, dueAt });
    // Nor does a moment that is not so far away move again and again.
    await tick();
    const next = (await runOf(tenant)).due_at;
    advance(MINUTE);
    await tick();
    expect((await runOf(tenant)).due_at).toEqual(next);
  });

  it('has no backups that take the places of those that are made afterwards [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const right = test.clock.now;
    const hourly = async () => {
      await tick();
      const { dueAt } = await make();
      await tick();
      return dueAt.toISOString();
    };
    advance(CENTURY);
    const ahead = await hourly();
    test.clock.now = right;
    await tick();
    advance(HOUR);
    const first = await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toEqual([ahead, first]);
    advance(HOUR);
    const second = await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toEqual([second, first]);
  });

  it('does not make one that has failed wait that long for its next attempt [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const right = test.clock.now;
    advance(CENTURY);
    await tick();
    await make('failed');
    await tick();
    test.clock.now = right;
    // PostgreSQL's, too.
    await test.pool.query("update backup_schedule_runs set retry_at = retry_at + interval '100 years'");
    await tick();
    expect((await make()).databaseId).toBe(tenant.databaseId);
    await tick();
  });

  it('does not hide with what was made then that a backup is late [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const right = test.clock.now;
    advance(CENTURY);
    await tick();
    await make();
    await tick();
    test.clock.now = right;
    await tick();
    await test.pool.query("update databases set state = 'creating' where id = $1", [tenant.databaseId]);
    advance(3 * HOUR);
    await tick();
    expect(await isLate(tenant)).toBe(true);
    await test.pool.query("update databases set state = 'ready' where id = $1", [tenant.databaseId]);
    await tick();
    await make();
    await tick();
    expect(await isLate(tenant)).toBe(false);
  });
});

describe('a backup that is too old', () => {
  it('is marked as late until there is a newer one, whoever makes it [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    await test.pool.query("update databases set state = 'creating' where id = $1", [tenant.databaseId]);
    advance(HOUR);
    await tick();
    expect(await runOf(tenant)).toMatchObject({ is_late: false });
    advance(1);
    await tick();
    expect(await runOf(tenant)).toMatchObject({ is_late: true });
    await test.pool.query(
      `insert into backups (id, database_id, database_name, origin, state, created_at)
       values (gen_random_uuid(), $1, 'any', 'made', 'ready', $2)`,
      [tenant.databaseId, test.clock.now],
    );
    await tick();
    expect(await runOf(tenant)).toMatchObject({ is_late: false });
  });
});

describe('the figures of /metrics', () => {
  it('count databases by their last result and the late ones, and say for how long a backup has been due [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const figures = async () => {
      const registry = new Registry();
      measureSchedules(test.context, registry);
      return (await registry.metrics()).split('\n').filter((line) => line.startsWith('backup_schedule'));
    };
    const expected = (failed: number, none: number, late: number, lateness: number) => [
      'backup_schedule_databases{last_result="succeeded"} 0',
      `backup_schedule_databases{last_result="failed"} ${failed}`,
      'backup_schedule_databases{last_result="cancelled"} 0',
      `backup_schedule_databases{last_result="none"} ${none}`,
      `backup_schedule_late_databases ${late}`,
      `backup_schedule_lateness_seconds ${lateness}`,
    ];
    expect(await figures()).toEqual(expected(0, 1, 0, 0));
    await tick();
    await make('failed');
    advance(2 * HOUR);
    // Notes the failure, and marks the database as late. The next attempt comes after a pause.
    await tick();
    expect(await runOf(tenant)).toMatchObject({ failures: 1 });
    expect(await figures()).toEqual(expected(1, 0, 1, 7_200));
    // Nothing is due of one that is kept aside, or is being deleted.
    await test.pool.query("update databases set state = 'parked' where id = $1", [tenant.databaseId]);
    expect(await figures()).toEqual(expected(0, 0, 0, 0));
  });

  it('count as late what no worker has come to mark [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    advance(3 * DAY);
    expect(await runOf(tenant)).toMatchObject({ is_late: false });
    const registry = new Registry();
    measureSchedules(test.context, registry);
    expect((await registry.metrics()).split('\n')).toContain('backup_schedule_late_databases 1');
  });

  it('are none while PostgreSQL is away [DECISIONS §13]', async () => {
    const registry = new Registry();
    const { platform } = openPlatform({ url: 'postgresql://nobody@127.0.0.1:1/none', maxConnections: 1 });
    measureSchedules({ ...test.context, platform }, registry);
    expect(await registry.metrics()).not.toMatch(/^backup_schedule/m);
    await platform.destroy();
  });
});

describe('retention', () => {
  it('removes what the schedule keeps no longer, with an audit entry that says why, and nothing else [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const byHand = `insert into backups (id, database_id, database_name, origin, state, created_at)
      values (gen_random_uuid(), $1, 'any', $2, 'ready', '2020-01-01')`;
    for (const origin of ['made', 'uploaded']) await test.pool.query(byHand, [tenant.databaseId, origin]);
    const made: string[] = [];
    for (let hour = 0; hour < 5; hour += 1) {
      await tick();
      made.unshift((await make()).dueAt.toISOString());
      await tick();
      expect(await test.backupsOf(tenant.databaseId)).toEqual(made.slice(0, 2));
      advance(HOUR);
    }
    const { rows: others } = await test.pool.query(
      'select origin from backups where database_id = $1 and due_at is null',
      [tenant.databaseId],
    );
    expect(others).toHaveLength(2);
    const { rows: entries } = await test.pool.query(
      `select actor_name, changes ->> 'reason' as reason from audit_entries
       where action = 'databases.backup-delete' and changes ->> 'databaseName' = $1`,
      [tenant.name],
    );
    const entry = { actor_name: 'server', reason: 'The schedule keeps 2 hourly, 0 daily, 0 weekly, 0 monthly.' };
    expect(entries).toEqual([entry, entry, entry]);
  });

  it('keeps the newest that was proved, however old it is, until a newer one is proved [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const hourly = async (): Promise<string> => {
      await tick();
      const { dueAt } = await make();
      await tick();
      advance(HOUR);
      return dueAt.toISOString();
    };
    const prove = (dueAt: string, result: 'proved' | 'failed') =>
      test.pool.query('update backups set proof = $3 where database_id = $1 and due_at = $2', [
        tenant.databaseId,
        dueAt,
        JSON.stringify({ result }),
      ]);
    const proved = await hourly();
    await prove(proved, 'proved');
    const made: string[] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      const dueAt = await hourly();
      await prove(dueAt, 'failed');
      made.unshift(dueAt);
      expect(await test.backupsOf(tenant.databaseId)).toEqual([...made.slice(0, 2), proved]);
    }
    await prove(made[0] ?? '', 'proved');
    const newest = await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toEqual([newest, made[0]]);
  });

  it('keeps the newest of which a store has a copy, until a newer one has come there [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    test.context.stores = { places: [{ kind: 'file', name: 'disk', path: '/disk' }], recipients: [] };
    const made: string[] = [];
    const hourly = async () => {
      await tick();
      made.unshift((await make()).dueAt.toISOString());
      await tick();
      advance(HOUR);
    };
    const copyTo = (store: string, dueAt = made[0]) =>
      test.pool.query(
        `insert into backup_copies (backup_id, store, state, sha256, is_encrypted, due_at)
         select id, $3, 'copied', 'any', false, now() from backups where database_id = $1 and due_at = $2`,
        [tenant.databaseId, dueAt, store],
      );
    await hourly();
    await copyTo('disk');
    for (let hour = 0; hour < 3; hour += 1) await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toEqual([made[0], made[1], made[3]]);
    // One that is not in use any more does not count.
    await copyTo('another');
    await copyTo('disk', made[1]);
    await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toEqual([made[0], made[1], made[2]]);
    await copyTo('disk');
    await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toEqual([made[0], made[1]]);
    test.context.stores = NO_STORES;
  });

  it('keeps of a month the newest whose proof has not failed [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    await test.setSchedule(tenant, { frequency: 'hourly', keep: [2, 0, 0, 2] });
    const made: string[] = [];
    for (const pause of [HOUR, 40 * DAY, HOUR, HOUR]) {
      await tick();
      made.unshift((await make()).dueAt.toISOString());
      await tick();
      advance(pause);
      if (made.length !== 2) continue;
      const failed = [tenant.databaseId, made[0], JSON.stringify({ result: 'failed' })];
      await test.pool.query('update backups set proof = $3 where database_id = $1 and due_at = $2', failed);
    }
    expect(await test.backupsOf(tenant.databaseId)).toEqual([made[0], made[1], made[3]]);
  });

  it('leaves a backup that is being restored to the next time [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const hourly = async () => {
      await tick();
      await make();
      await tick();
      advance(HOUR);
    };
    await hourly();
    const { rows } = await test.pool.query(
      `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
       select gen_random_uuid(), 'restore', database_id, 'any', jsonb_build_object('backupId', id), 'any', '', 'running', '{}', 0, now()
       from backups where database_id = $1 and due_at is not null returning id`,
      [tenant.databaseId],
    );
    await hourly();
    await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toHaveLength(3);
    await test.pool.query('delete from operations where id = $1', [rows[0].id]);
    await hourly();
    expect(await test.backupsOf(tenant.databaseId)).toHaveLength(2);
  });
});

describe('several servers', () => {
  it('that tick at once start each due backup once, no more than the limit at once [DECISIONS §13]', async () => {
    await nothingScheduled();
    const tenants = await test.addTenants(Array.from({ length: 10 }, () => 'UTC'));
    for (const tenant of tenants) await test.setSchedule(tenant, { frequency: 'hourly' });
    await tick();
    advance(HOUR);
    const started: string[] = [];
    while (started.length < tenants.length) {
      await Promise.all([tick(), tick(), tick(), tick()]);
      const queued = await test.queued();
      expect(queued).toHaveLength(SCHEDULED_AT_ONCE);
      started.push(...queued.map(({ databaseId }) => databaseId));
      for (const backup of queued) await test.end(backup, 'succeeded');
    }
    await tick();
    expect(await test.queued()).toEqual([]);
    expect(started.toSorted()).toEqual(tenants.map(({ databaseId }) => databaseId).toSorted());
  });
});

describe('a server that is killed', () => {
  it('before any statement of a tick loses no backup, makes none twice, and removes exactly what is planned [DECISIONS §13]', async () => {
    const tenant = await dueTenant();
    const made: string[] = [];
    let wasWhole = false;
    for (let statements = 0; !wasWhole; statements += 1) {
      // One tick starts the backup, the next one deals with its end.
      for (const part of ['start', 'end']) {
        wasWhole = (await tickKilledAfter(statements)) && (part === 'start' || wasWhole);
        await tick();
        if (part === 'start') made.unshift((await make()).dueAt.toISOString());
      }
      expect(await test.backupsOf(tenant.databaseId)).toEqual(made.slice(0, 2));
      expect(await runOf(tenant)).toMatchObject({ operation_id: null, last_result: 'succeeded' });
      advance(HOUR);
    }
    expect(made.length).toBeGreaterThan(10);
    expect(new Set(made).size).toBe(made.length);
  });
});

/** Ticks until so many statements were sent; the next one fails, as do all after it. @returns whether the tick was whole */
async function tickKilledAfter(statements: number): Promise<boolean> {
  let left = statements;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (left === 0) throw new Error('The server was killed.');
      left -= 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const context = { ...test.context, kinds: operationKinds, platform: test.context.platform.withPlugin(plugin) };
  return runSchedules(context).then(
    () => true,
    () => false,
  );
}
