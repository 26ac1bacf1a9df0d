import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mostRowsRead, statementsOf } from '../../../../testing/plans.ts';
import { type SimulatedTenant, useSimulatedInstallation } from '../../../../testing/simulated-backups.ts';
import { getDatabaseSummary } from '../../database-list.repository.ts';
import { runSchedules } from '../schedule/scheduled-backups.ts';
import { countProofs, listDueProofs } from './proofs.repository.ts';
import { runProofs } from './proofs.ts';

const test = useSimulatedInstallation();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SETTINGS = { minutesPerDay: 60, cycleDays: 7 };

const advance = (milliseconds: number) => {
  test.clock.now = new Date(test.clock.now.getTime() + milliseconds);
};
const query = async (text: string, values: unknown[] = []) => (await test.pool.query(text, values)).rows;
/** Adds a backup as if it had been made now. */
async function addBackup({ databaseId, name }: SimulatedTenant, origin = 'made', dueAt?: Date): Promise<string> {
  advance(MINUTE);
  const [row] = await query(
    `insert into backups (id, database_id, database_name, origin, state, created_at, due_at)
     values (gen_random_uuid(), $1, $2, $3, 'ready', $4, $5) returning id`,
    [origin === 'made' ? databaseId : null, name, origin, test.clock.now, dueAt ?? null],
  );
  return row.id;
}
async function addTenant(): Promise<SimulatedTenant> {
  const [tenant] = await test.addTenants(['UTC']);
  if (!tenant) throw new Error('There is no tenant.');
  return tenant;
}
/** The backup whose proof is queued after a tick; undefined: none is. */
async function next(): Promise<string | undefined> {
  await runProofs(test.context);
  const rows = await query(
    "select input ->> 'backupId' as id from operations where kind = 'prove' and state = 'queued'",
  );
  expect(rows.length).toBeLessThan(2);
  return rows[0]?.id;
}
/** Ends the queued proof after some minutes. */
async function end(result: 'proved' | 'failed' | undefined, minutes = 1): Promise<void> {
  const began = test.clock.now;
  advance(minutes * MINUTE);
  const proof = result && JSON.stringify({ result, endedOnUtc: test.clock.now });
  await query(
    `with ended as (
       update operations set state = $1, started_at = $2, finished_at = $3 where kind = 'prove' and state = 'queued'
       returning id, (input ->> 'backupId')::uuid as backup_id
     ), scratch as (
       delete from databases using ended where databases.id = ended.id
     )
     update backups set proof = coalesce($4::jsonb, proof) from ended where backups.id = ended.backup_id`,
    [result === 'proved' ? 'succeeded' : 'failed', began, test.clock.now, proof ?? null],
  );
}
const proveNext = async (result: 'proved' | 'failed' = 'proved') => {
  const id = await next();
  if (id !== undefined) await end(result);
  return id;
};
const renewals = () =>
  query("select database_id as id, input ->> 'renews' as renews from operations where kind = 'backup'");

beforeEach(async () => {
  await query('delete from operations');
  await query('delete from backups');
  await query("delete from databases where state = 'creating'");
  await query("update backup_schedules set frequency = 'daily' where database_id is null");
  test.context.proofs = SETTINGS;
  advance(30 * DAY);
});

describe('proofs that come by themselves', () => {
  it('begin with the newest backup of each database, and come again after the cycle [DECISIONS §13]', async () => {
    const tenants = [await addTenant(), await addTenant()] as const;
    const old = await addBackup(tenants[0]);
    const newest = [await addBackup(tenants[0]), await addBackup(tenants[1])];
    expect([await proveNext(), await proveNext()].toSorted()).toEqual(newest.toSorted());
    expect(await proveNext()).toBe(old);
    expect(await next()).toBeUndefined();
    const newer = await addBackup(tenants[1]);
    expect(await proveNext()).toBe(newer);
    advance(7 * DAY);
    const again = [await proveNext(), await proveNext(), await proveNext(), await proveNext()];
    expect(again.slice(0, 2).toSorted()).toEqual([newest[0], newer].toSorted());
    expect(again.slice(2).toSorted()).toEqual([old, newest[1]].toSorted());
    expect(await next()).toBeUndefined();
  });

  it('are none where no database has a schedule, where the setting says so, and of archives from elsewhere [DECISIONS §13]', async () => {
    const tenant = await addTenant();
    await addBackup(tenant, 'uploaded');
    expect(await next()).toBeUndefined();
    const id = await addBackup(tenant);
    test.context.proofs = { ...SETTINGS, minutesPerDay: 0 };
    expect(await next()).toBeUndefined();
    test.context.proofs = SETTINGS;
    await query("update backup_schedules set frequency = 'off' where database_id is null");
    expect(await next()).toBeUndefined();
    await query("update backup_schedules set frequency = 'daily' where database_id is null");
    expect(await next()).toBe(id);
  });

  it('take no more minutes of 24 hours than the setting says [DECISIONS §13]', async () => {
    const tenant = await addTenant();
    for (let count = 0; count < 4; count += 1) await addBackup(tenant);
    for (let count = 0; count < 3; count += 1) {
      expect(await next()).toBeDefined();
      await end('proved', 20);
    }
    expect(await next()).toBeUndefined();
    // The first of them began an hour ago.
    advance(DAY - 61 * MINUTE);
    expect(await next()).toBeUndefined();
    advance(2 * MINUTE);
    expect(await next()).toBeDefined();
  });

  it('do not wait for what a clock has noted that was a year ahead [DECISIONS §13]', async () => {
    const [tenant, other] = [await addTenant(), await addTenant()];
    const id = await addBackup(tenant);
    const second = await addBackup(other);
    const right = test.clock.now;
    advance(365 * DAY);
    expect([await next(), await end('proved', 60), await next()]).toEqual([expect.any(String), undefined, undefined]);
    test.clock.now = right;
    expect([await proveNext(), await proveNext()].toSorted()).toEqual([id, second].toSorted());
    expect(await next()).toBeUndefined();
  });

  it('are tried again after a day where they came to no result [DECISIONS §13]', async () => {
    const id = await addBackup(await addTenant());
    expect(await next()).toBe(id);
    await end(undefined);
    expect(await next()).toBeUndefined();
    advance(DAY);
    expect(await next()).toBe(id);
  });

  it('are none of backups whose server is away, and one that waits for it holds up no other [§2.30]', async () => {
    const [first, far, near] = [await addTenant(), await addTenant(), await addTenant()];
    const setAway = await test.placeElsewhere([first, far]);
    const waiting = await addBackup(first);
    expect(await next()).toBe(waiting);
    const failed = await addBackup(far);
    await query('update backups set proof = \'{"result": "failed"}\' where id = $1', [failed]);
    await addBackup(far);
    const [there, here] = [await addBackup(far), await addBackup(near)];
    await query('update backups set proof_begun_at = created_at where id <> all ($1)', [[there, here]]);
    await setAway(true);
    await runProofs(test.context);
    const proved = async () => {
      const rows = await query("select input ->> 'backupId' as id from operations where kind = 'prove'");
      return rows.map(({ id }) => id).toSorted();
    };
    expect(await proved()).toEqual([waiting, here].toSorted());
    await runProofs(test.context);
    expect(await proved()).toEqual([waiting, here].toSorted());
    await setAway(false);
    await query("update operations set state = 'succeeded', finished_at = created_at where kind = 'prove'");
    expect(await next()).toBe(there);
  });

  describe('where the disk of PostgreSQL is known', () => {
    beforeEach(() => {
      test.context.clusterDir = tmpdir();
    });
    afterEach(() => {
      delete test.context.clusterDir;
    });
    /** A backup of a database that no disk has room for. */
    const addLarge = async (): Promise<string> => {
      const tenant = await addTenant();
      await query('update databases set size_bytes = 1e15 where id = $1', [tenant.databaseId]);
      return addBackup(tenant);
    };

    it('come to a small backup although many others are too large, which are tried again after a day [DECISIONS §13]', async () => {
      const small = await addBackup(await addTenant());
      const large = [];
      for (let count = 0; count < 11; count += 1) large.push(await addLarge());
      // Those of which it is longest ago come first.
      await query(
        `update backups set proof = '{"result": "proved", "endedOnUtc": "2026-01-01T00:00:00Z"}' where id = $1`,
        [small],
      );
      expect(await next()).toBeUndefined();
      expect(await next()).toBe(small);
      await end('proved');
      await query('update databases set size_bytes = 0');
      expect(await next()).toBeUndefined();
      advance(DAY);
      expect(large).toContain(await next());
    });

    it('of a database on another server are not measured by that disk [§2.30]', async () => {
      const tenant = await addTenant();
      await test.placeElsewhere([tenant]);
      await query('update databases set size_bytes = 1e15 where id = $1', [tenant.databaseId]);
      const id = await addBackup(tenant);
      expect(await next()).toBe(id);
    });
  });

  it('are found without reading all backups [DECISIONS §13]', async () => {
    const tenants = await test.addTenants(Array(100).fill('UTC'));
    // Its statements may take long.
    const { utilityPool } = test.context;
    await utilityPool.query(
      `insert into backups (id, database_id, database_name, origin, state, created_at)
       select gen_random_uuid(), database_id, '', 'made', 'ready', $2::timestamptz - n * interval '1 hour'
       from unnest($1::uuid[]) database_id, generate_series(1, 200) n`,
      [tenants.map(({ databaseId }) => databaseId), test.clock.now],
    );
    await utilityPool.query('vacuum analyze backups');
    const look = async () => {
      const { platform, proofs } = test.context;
      const { result, statements } = await statementsOf(() => listDueProofs(platform, test.clock.now, proofs));
      for (const { text, values } of statements)
        expect(await mostRowsRead(test.pool, text, values)).toBeLessThan(1_000);
      return result;
    };
    expect(await look()).toHaveLength(10);
    await query('update backups set proof_begun_at = $1, proof = $2 where created_at >= $3', [
      test.clock.now,
      JSON.stringify({ result: 'proved', endedOnUtc: test.clock.now }),
      new Date(test.clock.now.getTime() - 60 * MINUTE),
    ]);
    expect(await look()).toHaveLength(10);
  });

  it('are one at a time, whatever servers tick at once [DECISIONS §13]', async () => {
    const tenant = await addTenant();
    for (let count = 0; count < 4; count += 1) await addBackup(tenant);
    await Promise.all([runProofs(test.context), runProofs(test.context), runProofs(test.context)]);
    expect(await query("select from operations where kind = 'prove'")).toHaveLength(1);
  });
});

describe('a newest backup that cannot be restored', () => {
  it('is made anew, once, and not again where that one fails too [DECISIONS §13]', async () => {
    const tenant = await addTenant();
    const id = await addBackup(tenant);
    expect(await proveNext('failed')).toBe(id);
    await runProofs(test.context);
    await runProofs(test.context);
    expect(await renewals()).toEqual([{ id: tenant.databaseId, renews: id }]);
    const [made] = await test.queued();
    if (!made) throw new Error('Nothing is queued.');
    advance(MINUTE);
    await query('update backups set created_at = $1 where id = $2', [test.clock.now, made.operationId]);
    await test.end(made, 'succeeded');
    expect(await proveNext('failed')).toBe(made.operationId);
    await runProofs(test.context);
    expect(await renewals()).toHaveLength(1);
  });

  it('is made anew for the schedule where the schedule made it, so that retention removes it like any other [DECISIONS §13]', async () => {
    const [byHand, bySchedule] = [await addTenant(), await addTenant()] as const;
    await test.setSchedule(bySchedule, { frequency: 'daily', keep: [0, 1, 0, 0] });
    await addBackup(byHand);
    await addBackup(bySchedule, 'made', test.clock.now);
    await proveNext('failed');
    await proveNext('failed');
    await runProofs(test.context);
    for (const made of await test.queued()) await test.end(made, 'succeeded');
    expect(await test.backupsOf(byHand.databaseId)).toEqual([]);
    expect(await test.backupsOf(bySchedule.databaseId)).toHaveLength(2);
    await runSchedules(test.context);
    advance(2 * DAY);
    const due: string[] = [];
    // Databases of other tests are due as well, a few at a time.
    while (await runSchedules(test.context)) {
      for (const backup of await test.queued()) {
        if (backup.databaseId === bySchedule.databaseId) due.push(backup.dueAt.toISOString());
        await test.end(backup, 'succeeded');
      }
    }
    expect(due).toHaveLength(1);
    expect(await test.backupsOf(bySchedule.databaseId)).toEqual(due);
  });

  it('is not made anew by the server again when making it failed [DECISIONS §13]', async () => {
    await addBackup(await addTenant());
    await proveNext('failed');
    await runProofs(test.context);
    const [made] = await test.queued();
    if (!made) throw new Error('Nothing is queued.');
    await test.end(made, 'failed');
    await runProofs(test.context);
    expect(await renewals()).toHaveLength(1);
  });

  it('waits until nothing else works on its database; an older one is not made anew [DECISIONS §13]', async () => {
    const tenant = await addTenant();
    const old = await addBackup(tenant);
    const newest = await addBackup(tenant);
    await proveNext();
    expect(await proveNext('failed')).toBe(old);
    await runProofs(test.context);
    expect(await renewals()).toEqual([]);
    await query("update backups set proof = jsonb_set(proof, '{result}', '\"failed\"') where id = $1", [newest]);
    await query('update backups set proof = null where id = $1', [old]);
    const [other] = await query(
      `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
       values (gen_random_uuid(), 'purge', $1, 'any', '{}', 'any', '', 'running', '{}', 0, now()) returning id`,
      [tenant.databaseId],
    );
    await query('insert into operation_claims values ($1, $2)', [tenant.databaseId, other.id]);
    await runProofs(test.context);
    expect(await renewals()).toEqual([]);
    await query('delete from operation_claims');
    await runProofs(test.context);
    expect(await renewals()).toMatchObject([{ renews: newest }]);
  });

  it('is found and made anew beside one of a clock that was a year ahead [DECISIONS §13]', async () => {
    const tenant = await addTenant();
    const right = test.clock.now;
    advance(365 * DAY);
    const ahead = await addBackup(tenant);
    expect(await proveNext()).toBe(ahead);
    test.clock.now = right;
    await addBackup(tenant);
    const newest = await addBackup(tenant);
    const madeAt = test.clock.now;
    expect(await proveNext('failed')).toBe(newest);
    const newestCounts = (await countProofs(test.context.platform, test.clock.now)).filter(
      ({ newest: count }) => count,
    );
    expect(newestCounts).toMatchObject([{ result: 'failed', newest: 1 }]);
    const summary = await getDatabaseSummary(test.context.platform, tenant.databaseId, test.clock.now);
    expect(summary.newestBackupOnUtc).toBe(madeAt.toISOString());
    await runProofs(test.context);
    expect(await renewals()).toEqual([{ id: tenant.databaseId, renews: newest }]);
  });
});
