import { readdir } from 'node:fs/promises';
import { auditRoutes } from '@apotheca/contract/audit';
import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../../../testing/accounts.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { tenantInput } from '../../../../testing/builders.ts';
import { withClient } from '../../../../testing/databases.ts';
import { operationsEnded } from '../../../../testing/operations.ts';
import { patiently } from '../../../../testing/patiently.ts';
import { runSchedules } from './scheduled-backups.ts';

const test = useTestApp();
const DAILY = { frequency: 'daily', hour: 2, weekday: 7, keepHourly: 24, keepDaily: 1, keepWeekly: 0, keepMonthly: 0 };
const OFF = { ...DAILY, frequency: 'off', keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };
const FOLLOWER = { ...OFF, frequency: 'default' };

const get = (databaseName?: string) =>
  test.call(backupScheduleRoutes.get, { query: databaseName === undefined ? {} : { databaseName } });
const set = (schedule: object, databaseName?: string) =>
  test.call(backupScheduleRoutes.set, {
    query: databaseName === undefined ? {} : { databaseName },
    body: schedule,
  });
const list = async (query: Record<string, string> = {}) =>
  (await test.call(backupScheduleRoutes.list, { query })).result;

beforeAll(async () => {
  for (const code of ['ACME', 'OTHER']) await test.call(tenantRoutes.create, { body: tenantInput(code) });
});

describe('a fresh installation', () => {
  it('has a default schedule that is off, and proposes what to keep [DECISIONS §13]', async () => {
    expect(await get()).toMatchObject({
      status: 200,
      result: { databaseName: null, schedule: OFF, version: 1, defaultSchedule: OFF, state: null },
    });
    expect(await get('acme')).toMatchObject({
      result: { databaseName: 'ACME', schedule: FOLLOWER, version: 1, defaultSchedule: OFF },
    });
    await runSchedules(test.context);
    expect(await list()).toMatchObject([
      { databaseName: 'ACME', tenantCode: 'ACME', isOwn: false, frequency: 'off', nextRunOnUtc: null, isLate: false },
      { databaseName: 'OTHER', frequency: 'off' },
    ]);
    expect((await get('NOBODY')).status).toBe(404);
  });
});

describe('PUT /managedatabase/backupschedule', () => {
  it('says at once when the database is due, in its time zone [DECISIONS §13]', async () => {
    const { status, message, result } = await set({ ...DAILY, version: 1 }, 'ACME');
    expect({ status, message }).toEqual({ status: 200, message: 'Success! The backup schedule has been saved.' });
    expect(result).toMatchObject({ databaseName: 'ACME', schedule: DAILY, version: 2, defaultSchedule: OFF });
    // Winter time in Los Angeles, at 15:20 of the day before.
    expect(result.state).toMatchObject({ isOwn: true, timezoneId: 'America/Los_Angeles', lastResult: null });
    expect(result.state.nextRunOnUtc).toMatch(/^2026-11-21T10:\d\d:00\.000Z$/);
  });

  it('answers with what was saved, also where another database got the name meanwhile [DECISIONS §13]', async () => {
    for (const code of ['HASTY', 'HEIR']) await test.call(tenantRoutes.create, { body: tenantInput(code) });
    const answer = await withClient(test.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table backup_schedule_runs in exclusive mode');
      // Where it waits longer than a call may before that is seen here, it is told 'busy' and asks again.
      const saved = patiently(() => set({ ...DAILY, hour: 4 }, 'HASTY'));
      const waiting = () =>
        client.query(
          "select from pg_locks where relation = 'backup_schedule_runs'::regclass and not granted and database = (select oid from pg_database where datname = current_database())",
        );
      while (!(await waiting()).rowCount);
      await client.query("update databases set name = 'RENAMED' where name = 'HASTY'");
      await client.query("update databases set name = 'HASTY' where name = 'HEIR'");
      await client.query('commit');
      return saved;
    });
    expect(answer).toMatchObject({ status: 200, result: { schedule: { ...DAILY, hour: 4 }, version: 2 } });
    for (const code of ['HASTY', 'HEIR']) {
      const { result } = await test.call(tenantRoutes.list);
      const tenant = result.find((each: { code: string }) => each.code === code);
      expect((await test.call(tenantRoutes.delete, { query: { id: tenant.id } })).status).toBe(200);
    }
  });

  it('refuses a stale edit and says who changed what [DECISIONS §13]', async () => {
    expect(await set({ ...DAILY, hour: 5, version: 1 }, 'ACME')).toMatchObject({
      status: 409,
      result: {
        version: 2,
        changes: [{ field: 'frequency', before: 'default', after: 'daily', by: 'admin' }, {}, {}, {}],
      },
    });
    expect((await get('ACME')).result.schedule).toEqual(DAILY);
  });

  it('is audited, each field with both values [DECISIONS §13]', async () => {
    await set({ ...OFF, keepMonthly: 6 });
    const trail = await test.call(auditRoutes.list, { query: { entity: 'backup-schedules', entityId: 'default' } });
    expect(trail.result).toMatchObject([
      { action: 'backup-schedules.edit', actorName: 'admin', changes: { keepMonthly: [12, 6], version: [1, 2] } },
    ]);
  });

  it.each([
    ['frequency', { frequency: 'yearly' }],
    ['hour', { hour: 24 }],
    ['weekday', { weekday: 0 }],
    ['keepDaily', { keepDaily: -1 }],
    ['keepMonthly', { keepMonthly: 1.5 }],
    ['frequency', { frequency: 'default' }],
  ])('refuses a wrong %s: %o [DECISIONS §13]', async (field, wrong) => {
    expect(await set({ ...DAILY, ...wrong })).toMatchObject({ status: 400, errors: { [field]: [expect.any(String)] } });
  });

  it('says what is deleted: it takes the permissions to delete databases and to back them up [DECISIONS §13]', async () => {
    const keepsNothing = { frequency: 'hourly', keepHourly: 0, keepDaily: 0, keepWeekly: 0, keepMonthly: 0 };
    const setAs = (token: string) =>
      test.call(backupScheduleRoutes.set, { query: {}, body: { ...OFF, ...keepsNothing }, token });
    const before = await get();
    expect(await setAs((await test.signInAs('Operator')).token)).toMatchObject({
      status: 403,
      message: "You do not have the permission 'databases.delete'.",
    });
    const { platform } = test.context;
    await platform.insertInto('roles').values({ name: 'Remover' }).execute();
    await sql`
      insert into role_permissions select r.id, p.id from roles r, permissions p
      where r.name = 'Remover' and p.identifier = 'databases.delete'`.execute(platform);
    expect(
      await setAs((await signInTo(test, await insertAccount(test, { role: 'Remover' }))).accessToken),
    ).toMatchObject({
      status: 403,
      message: "You do not have the permission 'databases.write'.",
    });
    expect((await get()).result).toEqual(before.result);
  });

  it('lets two first edits of a database through, one after the other [DECISIONS §13]', async () => {
    const answers = await Promise.all([set(OFF, 'OTHER'), set(OFF, 'OTHER')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await get('OTHER')).result).toMatchObject({ schedule: OFF, version: 3 });
  });
});

const token = async () => (await test.signIn()).result.accessToken;

describe('a scheduled backup', () => {
  /** Lets the clock run to the next run of ACME, and everything that it starts to its end. */
  const nextNight = async () => {
    const query = { databaseName: 'ACME' };
    const { state } = (await test.call(backupScheduleRoutes.get, { query, token: await token() })).result;
    test.clock.now = new Date(state.nextRunOnUtc);
    await runSchedules(test.context);
    await operationsEnded(test.databaseUrl);
    await runSchedules(test.context);
    return state.nextRunOnUtc;
  };

  it('is a whole backup, and the schedule keeps as many as it says [DECISIONS §13]', async () => {
    const byHand = await test.call(backupRoutes.create, { query: { databaseName: 'ACME' } });
    expect(byHand.status).toBe(200);
    const first = await nextNight();
    const second = await nextNight();
    expect(second).not.toBe(first);
    const query = { databaseName: 'ACME' };
    const { result: backups } = await test.call(backupRoutes.list, { query, token: await token() });
    expect(backups).toMatchObject([{ createdBy: null, rows: byHand.result.rows }, { id: byHand.result.id }]);
    expect(backups).toHaveLength(2);
    expect(await readdir(test.context.backupDir)).toHaveLength(2);
    const { rows } = await test.context.pool.query('select due_at from backups where due_at is not null');
    expect(rows).toEqual([{ due_at: new Date(second) }]);
    const operations = (await test.call(operationRoutes.list, { token: await token() })).result;
    expect(operations[0]).toMatchObject({ kind: 'backup', startedBy: 'server', state: 'succeeded' });
    const answer = await test.call(backupScheduleRoutes.list, { token: await token() });
    expect(answer.result[0]).toMatchObject({
      lastResult: 'succeeded',
      lastMessage: 'Success! ACME has been backed up.',
      isRunning: false,
      newestBackupOnUtc: backups[0].createdOnUtc,
    });
    expect(test.background).toEqual([]);
  });

  it('that fails can be started again by hand, and then counts as the scheduled one [DECISIONS §13]', async () => {
    const { result } = await test.call(backupScheduleRoutes.get, {
      query: { databaseName: 'ACME' },
      token: await token(),
    });
    test.clock.now = new Date(result.state.nextRunOnUtc);
    await test.engine.stop();
    await runSchedules(test.context);
    const { rows } = await test.context.pool.query("select id from operations where state = 'queued'");
    await test.context.pool.query("update operations set state = 'failed', finished_at = now() where state = 'queued'");
    await test.context.pool.query('delete from operation_claims');
    await test.context.pool.query("delete from backups where state = 'writing'");
    await runSchedules(test.context);
    const retried = await test.call(operationRoutes.retry, {
      query: { id: rows[0].id },
      headers: { prefer: 'respond-async' },
      token: await token(),
    });
    expect(retried.status).toBe(200);
    const after = await test.context.pool.query('select due_at, created_by from backups where state = $1', ['writing']);
    expect(after.rows).toEqual([{ due_at: new Date(result.state.nextRunOnUtc), created_by: expect.any(String) }]);
  });

  it('that is late stands first, and alone where only late ones are asked for [DECISIONS §13]', async () => {
    await test.context.pool.query('update backup_schedule_runs set is_late = true');
    const answer = await test.call(backupScheduleRoutes.list, { query: { isLate: 'true' }, token: await token() });
    expect(answer.result).toMatchObject([{ databaseName: 'ACME', isLate: true }]);
  });
});
