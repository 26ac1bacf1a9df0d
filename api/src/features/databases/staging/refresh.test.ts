import {
  anonymizedClone,
  anonymizedCloneRoutes,
  type RefreshScheduleForm,
  refreshPlan,
} from '@apotheca/contract/anonymized-clones';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { type Answer, useTestApp } from '../../../testing/app.ts';
import { withClient } from '../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { queryTenant } from '../../../testing/tenant-query.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { startDueRefreshes } from './due-refreshes.ts';

const test = useTestApp();
const { createFilled } = anonymizing(test);

/** As the administrator, signed in anew: the clock of these tests goes on by days. */
const call: typeof test.call = async (route, options = {}) =>
  test.call(route, { token: (await test.signIn()).result.accessToken, ...options });
const cloneAnonymized = (copyFrom: string, databaseName: string) =>
  call(anonymizedCloneRoutes.cloneAnonymized, { query: { copyFrom, databaseName } });
const refresh = (
  databaseName: string,
  { plan, ...options }: { plan?: string; token?: string; headers?: Record<string, string> } = {},
) => call(anonymizedCloneRoutes.refresh, { query: { databaseName, ...(plan && { plan }) }, ...options });
const planOf = (databaseName: string, options = {}) =>
  call(anonymizedCloneRoutes.planRefresh, { query: { databaseName }, ...options });
const scheduleOf = (databaseName: string) => call(anonymizedCloneRoutes.get, { query: { databaseName } });
const setSchedule = (databaseName: string, schedule: RefreshScheduleForm & { version?: number }, options = {}) =>
  call(anonymizedCloneRoutes.set, { query: { databaseName }, body: schedule, ...options });
const connectionString = async (name: string) =>
  connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const patients = async (name: string): Promise<number> =>
  (await queryTenant(test, name, 'select count(*)::int as rows from patients'))[0].rows;
const addPatient = (name: string) =>
  queryTenant(
    test,
    name,
    `insert into patients select (jsonb_populate_record(p, jsonb_build_object(
       'id', p.id + 100000, 'medical_record_number', 'NEW-' || p.id, 'account_number', null))).* from patients p
     order by id desc limit 1`,
  );
/** A plan, whatever the size: PostgreSQL makes and removes a file of 270 KB (pg_internal.init) as sessions come and catalogues change. */
const ofAnySize = (plan: object) => ({ ...plan, sizeBytes: expect.any(Number) });

/** What is in the cluster and the registry, once the old rows of a refreshed clone are dropped, which comes after the answer. */
async function cluster(): Promise<unknown> {
  const unsettled = "select from databases where state in ('creating', 'deleting')";
  while ((await test.context.pool.query(unsettled)).rowCount);
  // Other tests share the server.
  const { rows } = await test.context.pool.query(
    `with own as (
       select 'db_' || replace(id::text, '-', '') as prefix from operations union select 'db_' || replace(id::text, '-', '') from databases
     )
     select array(select datname::text from pg_database join own on starts_with(datname, prefix) order by 1) as databases,
       array(select rolname::text from pg_roles join own on starts_with(rolname, prefix) order by 1) as roles,
       array(select name || ' ' || state from databases order by 1) as registry`,
  );
  return rows[0];
}

beforeAll(async () => {
  await createFilled('ORIGIN', 10);
  await cloneAnonymized('ORIGIN', 'STAGING');
  await installStops(test.databaseUrl);
});

describe('refreshing an anonymized clone', () => {
  it('takes over the rows of its source, and keeps role and connection string [DECISIONS §13]', async () => {
    const before = { url: await connectionString('STAGING'), row: await getDatabaseByName(test.context, 'STAGING') };
    const rows = await patients('STAGING');
    const left = await cluster();
    await addPatient('ORIGIN');
    await queryTenant(test, 'STAGING', "update locations set name = 'CHANGED BY A TESTER'");
    test.clock.advance(60);
    const answer = await refresh('STAGING');
    expect(answer).toMatchObject({
      status: 200,
      message: expect.stringMatching(/^Success! STAGING has been refreshed from ORIGIN: .* no old value found\.$/),
      result: { id: before.row.id, databaseName: 'STAGING', copiedFrom: 'ORIGIN', scan: { found: 0 } },
    });
    expect(await connectionString('STAGING')).toBe(before.url);
    const own = await withClient(before.url, (client) =>
      client.query(
        "select count(*)::int as rows, count(*) filter (where medical_record_number like 'NEW-%')::int as old from patients",
      ),
    );
    expect(own.rows).toEqual([{ rows: rows + 1, old: 0 }]);
    expect(await queryTenant(test, 'STAGING', "select from locations where name = 'CHANGED BY A TESTER'")).toEqual([]);
    expect(await cluster()).toEqual(left);
    expect((await scheduleOf('STAGING')).result).toMatchObject({
      copiedFrom: 'ORIGIN',
      refreshedOnUtc: test.clock.now.toISOString(),
      lastRefresh: { state: 'succeeded', message: answer.message },
    });
  });

  it('makes a clone anew that PostgreSQL has lost; where that fails, it says why and nothing else [DECISIONS §13]', async () => {
    await cloneAnonymized('ORIGIN', 'LOST');
    const [url, { physicalName, roleName }] = [
      await connectionString('LOST'),
      await getDatabaseByName(test.context, 'LOST'),
    ];
    await test.context.pool.query(`drop database ${physicalName} with (force)`);
    await test.context.pool.query(`drop role ${roleName}`);
    await queryTenant(test, 'ORIGIN', 'alter table locations add column nobody_knows text');
    const failed = await refresh('LOST');
    expect(failed).toMatchObject({ status: 409, message: expect.stringMatching(/no rule .* locations\.nobody_knows/) });
    expect(test.background).toEqual([]);
    await queryTenant(test, 'ORIGIN', 'alter table locations drop column nobody_knows');
    const { digest } = (await planOf('LOST')).result;
    expect(await refresh('LOST', { plan: digest })).toMatchObject({ status: 200 });
    const seen = await withClient(url, (client) => client.query('select count(*)::int as rows from patients'));
    expect(seen.rows).toEqual([{ rows: await patients('ORIGIN') }]);
    await call(databaseRoutes.delete, { query: { databaseName: 'LOST' } });
  });

  it('that fails leaves the clone as it was, and says why [DECISIONS §13]', async () => {
    await queryTenant(test, 'ORIGIN', 'alter table locations add column nobody_knows text');
    test.clock.advance(60);
    const before = { rows: await patients('STAGING'), cluster: await cluster(), found: await scheduleOf('STAGING') };
    const answer = await refresh('STAGING');
    expect(answer).toMatchObject({ status: 409, message: expect.stringMatching(/no rule .* locations\.nobody_knows/) });
    await queryTenant(test, 'ORIGIN', 'alter table locations drop column nobody_knows');
    expect(await cluster()).toEqual(before.cluster);
    expect(await patients('STAGING')).toBe(before.rows);
    await withClient(await connectionString('STAGING'), (client) => client.query('select 1'));
    await withClient(await connectionString('ORIGIN'), (client) => client.query('select 1'));
    expect((await scheduleOf('STAGING')).result).toMatchObject({
      refreshedOnUtc: before.found.result.refreshedOnUtc,
      lastRefresh: { state: 'failed', message: answer.message },
    });
  });

  it('leaves the clone in use until the swap, and a second one is refused [DECISIONS §13]', async () => {
    test.clock.advance(60);
    await holdAt(
      test.databaseUrl,
      { kind: 'refresh', point: 'step 5' },
      () => refresh('STAGING', { headers: { prefer: 'respond-async' } }),
      async () => {
        await withClient(await connectionString('STAGING'), (client) => client.query('select from patients'));
        await withClient(await connectionString('ORIGIN'), (client) => client.query('select from patients'));
        expect(await refresh('STAGING')).toMatchObject({
          status: 409,
          message: expect.stringMatching(/^STAGING is being refreshed \(started by admin\)/),
        });
        expect(await call(databaseRoutes.delete, { query: { databaseName: 'STAGING' } })).toMatchObject({
          status: 409,
        });
      },
    );
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
    expect((await scheduleOf('STAGING')).result.lastRefresh).toMatchObject({ state: 'succeeded' });
  });

  it('is planned: what would go, and a digest that changes with it [DECISIONS §8] [DECISIONS §13]', async () => {
    const { status, message, result } = await planOf('STAGING');
    expect({ status, result: refreshPlan.parse(result) }).toEqual({ status: 200, result });
    const refreshedOnUtc = (await scheduleOf('STAGING')).result.refreshedOnUtc;
    expect(result).toMatchObject({ databaseName: 'STAGING', copiedFrom: 'ORIGIN', refreshedOnUtc, connections: 0 });
    expect(result.rows).toBeGreaterThan(await patients('STAGING'));
    expect(message).toMatch(
      /^Refreshing replaces every row of STAGING \([\d,]+ rows\) by those of ORIGIN, anonymized, and the old ones are not kept\. There is no backup of STAGING\./,
    );
    expect((await planOf('STAGING')).result).toEqual(ofAnySize(result));
    // The source is in use: its rows are not part of what would be lost.
    await addPatient('ORIGIN');
    expect((await planOf('STAGING')).result.digest).toBe(result.digest);
    test.clock.advance(60);
    expect(await refresh('STAGING', { plan: result.digest })).toMatchObject({ status: 200 });
    const refused = await refresh('STAGING', { plan: result.digest });
    expect(refused).toMatchObject({
      status: 409,
      message: 'STAGING has changed since it was looked at: please check again.',
      result: ofAnySize((await planOf('STAGING')).result),
    });
    const { token } = await test.signInAs('Viewer');
    expect(await planOf('STAGING', { token })).toMatchObject({ status: 200 });
    expect(await planOf('NOBODY')).toMatchObject({ status: 404 });
  });

  it('that was confirmed is given up where the clone was changed meanwhile, and leaves it as it is [DECISIONS §8] [DECISIONS §13]', async () => {
    test.clock.advance(60);
    const rows = await patients('STAGING');
    const { digest } = (await planOf('STAGING')).result;
    let started: Promise<Answer> | undefined;
    await holdAt(
      test.databaseUrl,
      { kind: 'refresh', point: 'step 5' },
      async () => {
        started = refresh('STAGING', { plan: digest });
        return { status: 202 };
      },
      async () => {
        await addPatient('STAGING');
      },
    );
    await removeStops(test.databaseUrl);
    expect(await started).toMatchObject({ status: 409, message: expect.stringMatching(/^STAGING has changed since /) });
    expect(await patients('STAGING')).toBe(rows + 1);
    await withClient(await connectionString('STAGING'), (client) => client.query('select 1'));
  });

  it('is for anonymized clones only, and needs the permission to anonymize too [DECISIONS §13]', async () => {
    for (const call of [refresh, scheduleOf, planOf]) {
      expect(await call('ORIGIN')).toMatchObject({ status: 409, message: 'ORIGIN is not an anonymized clone.' });
    }
    const { token } = await test.signInAs('Operator');
    expect(await refresh('STAGING', { token })).toMatchObject({ status: 403 });
    const schedule = { frequency: 'daily', hour: 1, weekday: 1 } as const;
    expect(await setSchedule('STAGING', schedule, { token })).toMatchObject({ status: 403 });
  });

  it('no backup of another database replaces an anonymized clone [DECISIONS §13]', async () => {
    const { id } = (await call(backupRoutes.create, { query: { databaseName: 'ORIGIN' } })).result;
    const restored = await call(backupRoutes.restore, { query: { id, databaseName: 'STAGING' } });
    expect(restored).toMatchObject({
      status: 409,
      message:
        'STAGING is an anonymized clone: only a backup of its own replaces it. Please restore under another name.',
    });
  });

  it('an anonymized clone that PostgreSQL has lost comes back from a backup of its own [DECISIONS §13]', async () => {
    await cloneAnonymized('ORIGIN', 'LOST STAGING');
    const url = await connectionString('LOST STAGING');
    const { id } = (await call(backupRoutes.create, { query: { databaseName: 'LOST STAGING' } })).result;
    const rows = await patients('LOST STAGING');
    const { physicalName } = await getDatabaseByName(test.context, 'LOST STAGING');
    await test.context.pool.query(`drop database ${physicalName} with (force)`);
    const query = { id, databaseName: 'LOST STAGING' };
    const { digest } = (await call(backupRoutes.planRestore, { query })).result;
    const restored = await call(backupRoutes.restore, { query: { ...query, plan: digest } });
    expect(restored).toMatchObject({ status: 200, message: expect.stringMatching(/^Success! LOST STAGING has been/) });
    expect(await patients('LOST STAGING')).toBe(rows);
    await withClient(url, (client) => client.query('select 1'));
    expect((await scheduleOf('LOST STAGING')).status).toBe(200);
  });
});

describe('a schedule', () => {
  const daily = { frequency: 'daily', hour: 3, weekday: 7 } as const;
  const refreshes = async (): Promise<number> => {
    await operationsEnded(test.databaseUrl);
    const { rows } = await test.context.pool.query(
      "select count(*)::int as count from operations where kind = 'refresh'",
    );
    return rows[0].count;
  };
  const minutesLater = async (minutes: number) => {
    test.clock.advance(minutes * 60);
    await startDueRefreshes(test.context);
    return refreshes();
  };
  let set: Answer;

  it('names its next moment by the clock of the source’s tenant, and is audited [DECISIONS §13]', async () => {
    set = await setSchedule('STAGING', daily);
    expect(anonymizedClone.parse(set.result)).toEqual(set.result);
    const { nextRunOnUtc, timezoneId } = set.result;
    const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: timezoneId });
    expect(hour.format(new Date(nextRunOnUtc))).toBe('03');
    expect(Date.parse(nextRunOnUtc) - test.clock.now.getTime()).toBeLessThanOrEqual(86_400_000);
    const { rows } = await test.context.pool.query(
      "select changes from audit_entries where action = 'refresh-schedules.edit'",
    );
    expect(rows).toMatchObject([{ changes: { frequency: ['off', 'daily'], hour: [2, 3] } }]);
  });

  it('an edit that began before another one is refused [DECISIONS §13]', async () => {
    expect(await setSchedule('STAGING', { ...daily, hour: 5, version: set.result.version - 1 })).toMatchObject({
      status: 409,
      title: 'Changed meanwhile',
    });
  });

  it('refreshes once for each moment, and once for all that a stop has missed [DECISIONS §13]', async () => {
    const before = await refreshes();
    const wait = (Date.parse(set.result.nextRunOnUtc) - test.clock.now.getTime()) / 60_000;
    expect(await minutesLater(wait - 1)).toBe(before);
    expect(await minutesLater(1)).toBe(before + 1);
    expect(await minutesLater(1)).toBe(before + 1);
    expect((await scheduleOf('STAGING')).result).toMatchObject({ lastRefresh: { state: 'succeeded' } });
    expect(await minutesLater(3 * 1440)).toBe(before + 2);
    expect(await minutesLater(5)).toBe(before + 2);
  });

  it('of two servers at once one starts what is due [DECISIONS §13]', async () => {
    const before = await refreshes();
    test.clock.advance(86_400);
    await Promise.all([startDueRefreshes(test.context), startDueRefreshes(test.context)]);
    expect(await refreshes()).toBe(before + 1);
  });

  it('a failed refresh is tried again at the next moment, and off is off [DECISIONS §13]', async () => {
    await queryTenant(test, 'ORIGIN', 'alter table locations add column nobody_knows text');
    const before = await minutesLater(1440);
    expect((await scheduleOf('STAGING')).result).toMatchObject({ lastRefresh: { state: 'failed' } });
    expect(await minutesLater(1)).toBe(before);
    await queryTenant(test, 'ORIGIN', 'alter table locations drop column nobody_knows');
    expect(await minutesLater(1440)).toBe(before + 1);
    expect((await scheduleOf('STAGING')).result).toMatchObject({ lastRefresh: { state: 'succeeded' } });
    expect(await setSchedule('STAGING', { ...daily, frequency: 'off' })).toMatchObject({
      result: { nextRunOnUtc: null },
    });
    expect(await minutesLater(3 * 1440)).toBe(before + 1);
  });

  it('does nothing once its source is gone, which refreshing by hand says [DECISIONS §13]', async () => {
    await cloneAnonymized('ORIGIN', 'BETWEEN');
    await cloneAnonymized('BETWEEN', 'LAST');
    await setSchedule('LAST', daily);
    expect(await call(databaseRoutes.delete, { query: { databaseName: 'BETWEEN' } })).toMatchObject({
      status: 200,
    });
    const before = await refreshes();
    expect(await minutesLater(2 * 1440)).toBe(before);
    expect(await refresh('LAST')).toMatchObject({
      status: 409,
      message: 'The database that LAST was copied from is gone.',
    });
    expect((await scheduleOf('LAST')).result).toMatchObject({ copiedFrom: null });
  });
});
