import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, expect, it } from 'vitest';
import { allowConnections, allowsConnections } from '../../db/cluster/database-sessions.ts';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { forgetOldOperations } from '../../operations/operations.service.ts';
import { onSharedServerWithoutLimits, useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { claimDuring, freeDatabase } from '../../testing/operations.ts';
import { tenantsAsOwner } from '../tenants/tenants.service.ts';
import { settleDatabases } from './database-settling.ts';
import { measureDatabases } from './database-upkeep.ts';
import { listToSweep } from './databases.repository.ts';
import { getDatabaseByName } from './databases.service.ts';
import { sweepPurges } from './purge/purge-upkeep.ts';

const test = useTestApp({}, onSharedServerWithoutLimits);
const HOUR = 60 * 60;
const DAY = 24 * HOUR;

const inDatabase = async (name: string, text: string) => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  const { rows } = await withClient(withDatabaseName(test.databaseUrl, physicalName), (client) => client.query(text));
  return rows;
};
const kept = (name: string) => inDatabase(name, 'select table_name from apotheca.purged_tables');
/** Makes purges older, by PostgreSQL's clock. */
const age = (name: string, seconds: number) =>
  inDatabase(name, `update apotheca.purged_tables set purged_at = purged_at - make_interval(secs => ${seconds})`);
const sizeOf = async (name: string) => {
  const row = await getDatabaseByName(test.context, name);
  return row.sizeBytes;
};

/** A tenant whose locations were purged. */
async function purgedTenant(code: string): Promise<void> {
  const { accessToken: token } = (await test.signIn()).result;
  await test.call(tenantRoutes.create, { body: tenantInput(code), token });
  await inDatabase(code, "insert into locations (code, name, kind) values ('A', 'A', 'clinic')");
  const purge = { query: { databaseName: code }, body: ['locations'], token };
  expect(await test.call(purgeRoutes.purge, purge)).toMatchObject({ status: 200 });
}

beforeAll(async () => {
  await purgedTenant('KEPT');
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'KEPT', databaseName: 'COPY' } });
  // Rows go only where PostgreSQL's clock and the server's agree.
  test.clock.now = new Date();
});

it('kept rows are dropped after 7 days and not before, also in a copy [DECISIONS §9]', async () => {
  const copied = ['KEPT', 'COPY'];
  for (const name of copied) await age(name, 7 * DAY - HOUR);
  test.clock.advance(8 * DAY);
  await sweepPurges(test.context);
  expect(await kept('KEPT')).toHaveLength(1);
  for (const name of copied) await age(name, HOUR);
  await sweepPurges(test.context);
  expect(await kept('KEPT')).toEqual([]);
  expect(await kept('COPY')).toEqual([]);
});

it('kept rows stay while only PostgreSQL’s clock says that their time is over, as it may be ahead [DECISIONS §9]', async () => {
  await purgedTenant('AHEAD');
  await age('AHEAD', 8 * DAY);
  const sweepAt = (ahead: number) => sweepPurges({ ...test.context, now: () => new Date(Date.now() - ahead * 1_000) });
  await sweepAt(8 * DAY);
  expect(await kept('AHEAD')).toHaveLength(1);
  await sweepAt(0);
  expect(await kept('AHEAD')).toEqual([]);
});

it('kept rows of a copy are dropped 7 days after the purge, however late the copy was made [DECISIONS §9]', async () => {
  await purgedTenant('LATE');
  await age('LATE', 6 * DAY);
  const { accessToken: token } = (await test.signIn()).result;
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'LATE', databaseName: 'LATE COPY' }, token });
  await sweepPurges(test.context);
  expect(await kept('LATE COPY')).toHaveLength(1);
  await age('LATE COPY', DAY);
  await sweepPurges(test.context);
  expect(await kept('LATE COPY')).toEqual([]);
});

it('kept rows are dropped within a day where no operation tells of the purge any more [DECISIONS §9]', async () => {
  await purgedTenant('UNTOLD');
  const { id } = await getDatabaseByName(test.context, 'UNTOLD');
  await test.context.platform.deleteFrom('operations').where('databaseId', '=', id).execute();
  await age('UNTOLD', 7 * DAY - HOUR);
  const sweepForADay = async () => {
    for (let hour = 0; hour < 24; hour += 1) {
      await sweepPurges(test.context);
      test.clock.advance(HOUR);
    }
  };
  await sweepForADay();
  expect(await kept('UNTOLD')).toHaveLength(1);
  await age('UNTOLD', HOUR);
  await sweepForADay();
  expect(await kept('UNTOLD')).toEqual([]);
  // A server that runs for an hour a day comes to each database, too.
  const noons = Array.from({ length: 23 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day, 12)));
  const swept = await Promise.all(noons.map((noon) => listToSweep(test.context.platform, noon)));
  expect(swept.filter((rows) => rows.some((row) => row.id === id))).toHaveLength(1);
});

it('calls do not wait for a sweep that takes long in its database [DECISIONS §9]', async () => {
  await purgedTenant('SLOW');
  await age('SLOW', 7 * DAY);
  const { id, physicalName } = await getDatabaseByName(test.context, 'SLOW');
  // One statement finds both that it waits, which it does for three seconds, and that the row of its database is free.
  const look = `
    select (select count(*)::int from pg_stat_activity where datname = $1 and wait_event_type = 'Lock') as waiting
    from databases where id = $2 for update nowait`;
  const round = () =>
    withClient(withDatabaseName(test.databaseUrl, physicalName), async (client) => {
      await client.query('begin; lock table apotheca.purged_tables in access exclusive mode');
      let hasEnded = false;
      const sweeping = sweepPurges(test.context)
        .catch((error: AggregateError) => error)
        .finally(() => {
          hasEnded = true;
        });
      const isWaiting = async () => (await test.context.pool.query(look, [physicalName, id])).rows[0]?.waiting === 1;
      await expect.poll(async () => hasEnded || (await isWaiting())).toBe(true);
      await client.query('rollback');
      return sweeping;
    });
  let failed = await round();
  // On a busy machine the sweep may wait longer than it is let: it leaves the rows to the next one.
  while (failed?.errors.every(({ code }) => code === 'busy')) failed = await round();
  expect(failed).toBeUndefined();
  expect(await kept('SLOW')).toEqual([]);
});

it('a database that cannot be swept is reported, and the others are swept [DECISIONS §9]', async () => {
  await purgedTenant('CLOSED');
  await purgedTenant('OPEN');
  for (const name of ['CLOSED', 'OPEN']) await age(name, 7 * DAY);
  const { physicalName } = await getDatabaseByName(test.context, 'CLOSED');
  await allowConnections(test.context.clusters.home.platform, physicalName, false);
  await expect(sweepPurges(test.context)).rejects.toThrow('1 databases could not be swept');
  await allowConnections(test.context.clusters.home.platform, physicalName, true);
  expect(await kept('CLOSED')).toHaveLength(1);
  expect(await kept('OPEN')).toEqual([]);
  await sweepPurges(test.context);
  expect(await kept('CLOSED')).toEqual([]);
});

it('kept rows that could not be dropped are dropped by the next sweep [DECISIONS §9]', async () => {
  await purgedTenant('HELD');
  await inDatabase(
    'HELD',
    `create table apotheca_purged.kept as select 1 as one;
     create view in_the_way as select one from apotheca_purged.kept;
     update apotheca.purged_tables set rows = null, kept_table = 'kept'`,
  );
  await age('HELD', 7 * DAY);
  await expect(sweepPurges(test.context)).rejects.toThrow('1 databases could not be swept');
  expect(await kept('HELD')).toHaveLength(1);
  await inDatabase('HELD', 'drop view in_the_way');
  await sweepPurges(test.context);
  expect(await kept('HELD')).toEqual([]);
  expect(await inDatabase('HELD', "select to_regclass('apotheca_purged.kept') as found")).toEqual([{ found: null }]);
});

it('kept rows stay while an operation has the database, as its copy would keep them [DECISIONS §9]', async () => {
  await purgedTenant('COPIED');
  await age('COPIED', 7 * DAY);
  const row = await getDatabaseByName(test.context, 'COPIED');
  await claimDuring(test.databaseUrl, row, () => sweepPurges(test.context));
  expect(await kept('COPIED')).toHaveLength(1);
  await freeDatabase(test.context.pool, row);
  await sweepPurges(test.context);
  expect(await kept('COPIED')).toEqual([]);
});

it('a database that an operation closes while databases are settled stays closed [DECISIONS §8]', async () => {
  const row = await getDatabaseByName(test.context, 'KEPT');
  const { platform } = test.context.clusters.home;
  const isOpen = () => allowsConnections(platform, row.physicalName);
  const settle = () => settleDatabases(test.context, tenantsAsOwner(test.context), { wait: false });
  await allowConnections(platform, row.physicalName, false);
  await claimDuring(test.databaseUrl, row, settle);
  expect(await isOpen()).toBe(false);
  await freeDatabase(test.context.pool, row);
  await settle();
  expect(await isOpen()).toBe(true);
});

it('operations are deleted 90 days after their end [DECISIONS §8]', async () => {
  const count = async () => (await test.context.platform.selectFrom('operations').select('id').execute()).length;
  await forgetOldOperations(test.context);
  expect(await count()).toBeGreaterThan(0);
  test.clock.advance(90 * DAY + 1);
  await forgetOldOperations(test.context);
  expect(await count()).toBe(0);
  expect((await test.call(operationRoutes.list, { token: (await test.signInAs('Viewer')).token })).result).toEqual([]);
});

it('sizes in the list are measured again before they are ten minutes old [§2.13]', async () => {
  await test.context.platform.updateTable('databases').set({ sizeBytes: null, measuredAt: null }).execute();
  await measureDatabases(test.context);
  const before = await sizeOf('KEPT');
  expect(before).toBeGreaterThan(5_000_000);
  await inDatabase('KEPT', 'create table ballast as select repeat(i::text, 99) from generate_series(1, 20000) as i');
  test.clock.advance(479);
  await measureDatabases(test.context);
  expect(await sizeOf('KEPT')).toBe(before);
  test.clock.advance(2);
  await measureDatabases(test.context);
  expect(await sizeOf('KEPT')).toBeGreaterThan(before + 1_000_000);
});
