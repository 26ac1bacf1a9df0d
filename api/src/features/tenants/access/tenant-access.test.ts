import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import type { ContractRoute } from '@apotheca/contract/route';
import { type DatabaseAccess, postponedEnd, type SuspensionRules, standingOf } from '@apotheca/contract/tenant-access';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { drainRoles } from '../../../db/cluster/login-roles.ts';
import { HOME_SERVER } from '../../../db/clusters.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { aheadByYear } from '../../../testing/clock-ahead.ts';
import { withClient } from '../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { usePresent } from '../../../testing/present.ts';
import { settleDatabases } from '../../databases/database-settling.ts';
import { tenantsAsOwner } from '../tenants.service.ts';
import { listNotedSteps } from './tenant-access.repository.ts';
import { announceExpiries, startAccessChanges } from './tenant-access.service.ts';

const test = useTestApp();
const { call, token } = usePresent(test);

const query = (text: string, values: unknown[] = []) =>
  withClient(test.databaseUrl, async (client) => (await client.query(text, values)).rows);
const asProgram = (url: string, text: string) => withClient(url, async (client) => (await client.query(text)).rows);
const INSERT = "insert into locations (code, name, kind) values ('N', 'New', 'clinic')";
/** What a program may do, found out by trying. */
async function tried(url: string): Promise<DatabaseAccess> {
  try {
    await asProgram(url, 'select 1 from locations');
    await asProgram(url, 'begin; update locations set name = name; rollback');
    return 'open';
  } catch (error) {
    if (/permission denied for table/.test((error as Error).message)) return 'read-only';
    if (/not permitted to log in/.test((error as Error).message)) return 'closed';
    throw error;
  }
}
/** A calendar day some days from today. */
const day = (plus: number) => new Date(test.clock.now.getTime() + plus * 86_400_000).toISOString().slice(0, 10);
const ending = (plus: number) => ({ subscriptionStartDate: day(plus - 400), subscriptionEndDate: day(plus) });

/** A tenant with both logins. */
async function makeTenant(code: string, fields: Record<string, unknown> = {}) {
  const input = { ...tenantInput(code), ...fields };
  const { id } = await call(tenantRoutes.create, { body: input });
  const reveal = async (access: string) =>
    (await call(credentialRoutes.reveal, { query: { id, access } })).connectionString as string;
  return { id: id as string, input, write: await reveal('write'), read: await reveal('read') };
}
const change = async (route: ContractRoute, id: string) => {
  await call(route, { query: { id } });
  await operationsEnded(test.databaseUrl);
};
const accessOf = async (code: string) =>
  (await query('select access from databases where name = $1', [code]))[0].access;
/** The rights in a tenant's database, table by table, and who may log in. */
async function rightsOf(code: string) {
  const [{ name }] = await query('select physical_name as name from databases where name = $1', [code]);
  const tables = await withClient(withDatabaseName(test.databaseUrl, name), async (client) => {
    const { rows } = await client.query(
      "select oid::regclass::text as name, relacl::text as rights from pg_class where relkind in ('r', 'S') and relacl is not null order by 1",
    );
    return rows;
  });
  const logins = await query(
    `select rolname, rolcanlogin, rolconnlimit, rolvaliduntil from pg_roles where rolname like '%' || $1 order by 1`,
    [`_${code.toLowerCase()}`],
  );
  return { tables, logins };
}

describe('how a tenant stands', () => {
  const rules: SuspensionRules = { mode: 'enforce', graceDays: 14, readOnlyDays: 7 };
  const until = (subscriptionEndDate: string, fields = {}) => ({
    isActive: true,
    subscriptionStartDate: '2025-01-01',
    subscriptionEndDate,
    postponedTo: null,
    ...fields,
  });

  it.each([
    ['2026-03-02', 'active', 'open', '2026-04-03'],
    ['2026-03-03', 'expiring', 'open', '2026-04-03'],
    ['2026-04-02', 'expiring', 'open', '2026-04-03'],
    ['2026-04-03', 'grace', 'open', '2026-04-17'],
    ['2026-04-16', 'grace', 'open', '2026-04-17'],
    ['2026-04-17', 'read-only', 'read-only', '2026-04-24'],
    ['2026-04-23', 'read-only', 'read-only', '2026-04-24'],
    ['2026-04-24', 'expired', 'closed', null],
    ['2036-04-24', 'expired', 'closed', null],
  ])('on %s, with an end of 2026-04-02, is %s and %s until %s [DECISIONS §13]', (today, state, access, nextOn) => {
    expect(standingOf(until('2026-04-02'), today, rules)).toEqual({ state, access, nextOn });
    expect(standingOf(until('2026-01-01', { postponedTo: '2026-04-02' }), today, rules)).toEqual({
      state,
      access,
      nextOn,
    });
    const flagged = standingOf(until('2026-04-02'), today, { ...rules, mode: 'flag' });
    expect(flagged).toMatchObject({ access: 'open', state: today > '2026-04-02' ? 'expired' : state });
  });

  it('is closed at once where it is deactivated; without an end it never ends [DECISIONS §13]', () => {
    const deactivated = until('2036-01-01', { isActive: false });
    expect(standingOf(deactivated, '2026-01-01', rules)).toEqual({
      state: 'deactivated',
      access: 'closed',
      nextOn: null,
    });
    expect(standingOf(deactivated, '2026-01-01', { ...rules, mode: 'flag' }).access).toBe('open');
    expect(standingOf(until(''), '2036-01-01', rules)).toEqual({ state: 'active', access: 'open', nextOn: null });
  });

  it('that ends as late as can be written is active until then, enforced or not, and can be put off [DECISIONS §13]', () => {
    for (const end of ['9999-12-01', '9999-12-31'])
      for (const mode of ['enforce', 'flag'] as const) {
        const standing = standingOf(until(end), '2026-07-31', { ...rules, mode });
        expect(standing).toMatchObject({ state: 'active', access: 'open' });
      }
    expect(postponedEnd(until('9999-12-31'), '2026-07-31')).toBe('9999-12-31');
  });

  it.each([
    ['2026-03-03', 'active'],
    ['2026-03-25', 'active'],
    ['2026-03-26', 'expiring'],
    ['2026-04-02', 'expiring'],
  ])(
    'on %s, with a term of 30 days until 2026-04-02, is %s: one made today is not expiring [DECISIONS §13]',
    (today, state) => {
      expect(standingOf(until('2026-04-02', { subscriptionStartDate: '2026-03-03' }), today, rules).state).toBe(state);
    },
  );

  it('is put off by a week from its end, or from today where it is over [DECISIONS §13]', () => {
    expect(postponedEnd(until('2026-02-25'), '2026-02-01')).toBe('2026-03-04');
    expect(postponedEnd(until('2026-02-25', { postponedTo: '2026-03-04' }), '2026-02-01')).toBe('2026-03-11');
    expect(postponedEnd(until('2026-01-01'), '2026-02-25')).toBe('2026-03-04');
  });
});

describe('deactivating a tenant', () => {
  beforeAll(() => installStops(test.databaseUrl));

  it('closes its database to its programs, and activating opens it exactly as it was [DECISIONS §13]', async () => {
    const { id, write, read } = await makeTenant('SUSPENDED');
    const before = await rightsOf('SUSPENDED');
    await withClient(write, async (client) => {
      const isEnded = endOf(client);
      await client.query('select 1');
      await change(tenantRoutes.deactivate, id);
      await isEnded;
    });
    expect([await tried(write), await tried(read), await accessOf('SUSPENDED')]).toEqual([
      'closed',
      'closed',
      'closed',
    ]);
    const list = await call(databaseRoutes.list);
    expect(list.find(({ databaseName }: { databaseName: string }) => databaseName === 'SUSPENDED').access).toBe(
      'closed',
    );
    // What the server does is not hindered.
    await call(backupRoutes.create, { query: { databaseName: 'SUSPENDED' } });
    await change(tenantRoutes.activate, id);
    expect([await tried(write), await tried(read), await accessOf('SUSPENDED')]).toEqual(['open', 'read-only', 'open']);
    expect(await rightsOf('SUSPENDED')).toEqual(before);
    const entries = await query(
      "select action, changes ->> 'access' as access, actor_name as actor from audit_entries where entity_id = $1 and action like '%access' order by audit_entries.id",
      [id],
    );
    expect(entries).toEqual([
      { action: 'tenants.change-access', access: '["open","closed"]', actor: 'admin' },
      { action: 'tenants.change-access', access: '["closed","open"]', actor: 'admin' },
    ]);
  });

  it('lets a statement that runs end, but not for long [DECISIONS §13]', async () => {
    const { id, write } = await makeTenant('DRAINED');
    await withClient(write, async (client) => {
      const isEnded = endOf(client);
      const slept = client.query("select 'slept' as what from pg_sleep(1)");
      // It is the session's last statement also where it has ended before anybody looks.
      const begun = "select from pg_stat_activity where usename = $1 and query like '%pg_sleep(1)'";
      await expect.poll(() => query(begun, [new URL(write).username]), { interval: 5 }).toHaveLength(1);
      await call(tenantRoutes.deactivate, { query: { id } });
      expect((await slept).rows).toEqual([{ what: 'slept' }]);
      await operationsEnded(test.databaseUrl);
      await isEnded;
    });
  });

  it.each([
    ['of the role behind', 'HELD-BEHIND', ''],
    ['of the login', 'HELD-LOGIN', 'set role none;'],
  ])(
    'ends a session that keeps its transaction open in which it changed the password %s [DECISIONS §13]',
    async (_, code, before) => {
      const { id, write } = await makeTenant(code);
      await withClient(write, async (client) => {
        const isEnded = endOf(client);
        await client.query(`${before} begin; alter role current_user password 'mine'`);
        expect(await call(tenantRoutes.deactivate, { query: { id } })).toMatchObject({ id });
        await isEnded;
      });
      expect([await tried(write), await accessOf(code)]).toEqual(['closed', 'closed']);
    },
  );

  it('stays in force over restore, deletion and return, settling and rotation [DECISIONS §13]', async () => {
    const { id, write, read } = await makeTenant('LASTING');
    await change(tenantRoutes.deactivate, id);
    const backup = await call(backupRoutes.create, { query: { databaseName: 'LASTING' } });
    await call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'LASTING' } });
    expect([await tried(write), await tried(read)]).toEqual(['closed', 'closed']);
    const putBack = async () => {
      const parked = await call(parkedDatabaseRoutes.listParked);
      const found = parked.find(({ databaseName }: { databaseName: string }) => databaseName === 'LASTING');
      await call(parkedDatabaseRoutes.putBack, { query: { id: found.id } });
    };
    await putBack();
    expect(await tried(write)).toBe('closed');
    await call(parkedDatabaseRoutes.removeParked, {
      query: { id: (await call(parkedDatabaseRoutes.listParked))[0].id, databaseName: 'LASTING' },
    });
    await call(tenantRoutes.delete, { query: { id } });
    await putBack();
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
    const rotated = await call(credentialRoutes.rotate, { body: { id } });
    expect(rotated.logins).toHaveLength(3);
    for (const url of [write, read]) expect(await tried(url)).toBe('closed');
    const fresh = (await call(credentialRoutes.reveal, { query: { id } })).connectionString;
    expect(await tried(fresh)).toBe('closed');
    await change(tenantRoutes.activate, id);
    expect([await tried(write), await tried(fresh), await tried(read)]).toEqual(['open', 'open', 'read-only']);
  });

  it('follows what is changed while it is being closed or opened, and the answer waits for that [DECISIONS §13]', async () => {
    const { id, write } = await makeTenant('TWICE');
    const send = (route: ContractRoute) => test.call(route, { query: { id }, token: token() });
    let isFirstAnswered = false;
    /** Both calls wait for the operation that the first one has started, unless the first one has waited for as long as a call does. */
    const untilBothWait = async () => {
      const [running] = await query("select id from operations where kind = 'change-access' and state = 'running'");
      const missing = () => (isFirstAnswered ? 1 : 2) - test.context.queue.ended.listenerCount(running.id);
      await expect.poll(missing, { interval: 1 }).toBe(0);
    };
    const noteAway = () =>
      query('insert into database_server_health (server_id, checked_at, away_since) values ($1, $2, $2)', [
        HOME_SERVER,
        test.clock.now,
      ]);
    /** Changes the tenant, and changes it again while its database follows the first change. @returns what the second answer says */
    const changeTwice = async (first: ContractRoute, second: ContractRoute, { isAway = false } = {}) => {
      let answer: ReturnType<typeof send> | undefined;
      isFirstAnswered = false;
      // On a busy machine it may be answered before its operation has come that far.
      const start = async () => {
        const early = await send(first);
        isFirstAnswered = true;
        return { ...early, status: 202 };
      };
      await holdAt(test.databaseUrl, { kind: 'change-access', point: 'step 1' }, start, async () => {
        if (isAway) await noteAway();
        answer = send(second);
        await (isAway ? answer : untilBothWait());
      });
      await removeStops(test.databaseUrl);
      await query('delete from database_server_health');
      await operationsEnded(test.databaseUrl);
      return (await answer)?.message;
    };
    const { activate, deactivate } = tenantRoutes;
    expect(await changeTwice(deactivate, activate)).toBe(
      'Success! Tenant has been Activated. Its database is open to its programs.',
    );
    expect([await tried(write), await accessOf('TWICE')]).toEqual(['open', 'open']);
    // A server that is away is not waited for.
    expect(await changeTwice(deactivate, activate, { isAway: true })).toBe('Success! Tenant has been Activated.');
    expect([await tried(write), await accessOf('TWICE')]).toEqual(['open', 'open']);
    await change(deactivate, id);
    expect(await changeTwice(activate, deactivate)).toBe(
      'Success! Tenant has been Deactivated. Its database is closed to its programs.',
    );
    expect([await tried(write), await accessOf('TWICE')]).toEqual(['closed', 'closed']);
  });

  it('waits for what the upkeep has queued to open or close its database, and answers how it is then [DECISIONS §13]', async () => {
    const { id, write } = await makeTenant('QUEUED');
    await query('update tenants set is_active = false where id = $1', [id]);
    let answer: ReturnType<typeof test.call> | undefined;
    const start = async () => {
      await startAccessChanges(test.context);
      return { status: 202 };
    };
    await holdAt(test.databaseUrl, { kind: 'change-access', point: 'running' }, start, async () => {
      answer = test.call(tenantRoutes.activate, { query: { id }, token: token() });
      const [queued] = await query("select id from operations where kind = 'change-access' and state = 'queued'");
      await expect.poll(() => test.context.queue.ended.listenerCount(queued.id), { interval: 1 }).toBe(1);
    });
    await removeStops(test.databaseUrl);
    expect(await answer).toMatchObject({
      message: 'Success! Tenant has been Activated. Its database is open to its programs.',
    });
    expect(await tried(write)).toBe('open');
    expect(await query("select from operations where state in ('queued', 'running')")).toEqual([]);
  });

  it('waits for an operation that works on the database, then follows within the next minute [DECISIONS §13]', async () => {
    const { id, write } = await makeTenant('BUSY');
    const [{ id: databaseId }] = await query("select id from databases where name = 'BUSY'");
    await call(backupRoutes.create, { query: { databaseName: 'BUSY' } });
    await query('insert into operation_claims select $1, id from operations where database_id = $1', [databaseId]);
    expect(await test.call(tenantRoutes.deactivate, { query: { id }, token: token() })).toMatchObject({
      status: 200,
      message:
        'Success! Tenant has been Deactivated. For now its database is open to its programs, until that can be changed.',
    });
    expect([await startAccessChanges(test.context), await tried(write)]).toEqual([0, 'open']);
    await query('delete from operation_claims where database_id = $1', [databaseId]);
    await startAccessChanges(test.context);
    await operationsEnded(test.databaseUrl);
    expect(await tried(write)).toBe('closed');
    expect(await startAccessChanges(test.context)).toBe(0);
  });
});

describe('the end of a subscription', () => {
  it('changes nothing for some days, then leaves reading, then nothing; each step goes back [DECISIONS §13]', async () => {
    const { id, input, write, read } = await makeTenant('ENDING', ending(90));
    const before = await rightsOf('ENDING');
    const steps = [];
    for (const plus of [-14, -15, -28, -29, -20, 1]) {
      await call(tenantRoutes.edit, { body: { ...input, id, ...ending(plus) } });
      await operationsEnded(test.databaseUrl);
      steps.push([plus, await tried(write), await tried(read)]);
    }
    expect(steps).toEqual([
      [-14, 'open', 'read-only'],
      [-15, 'read-only', 'read-only'],
      [-28, 'read-only', 'read-only'],
      [-29, 'closed', 'closed'],
      [-20, 'read-only', 'read-only'],
      [1, 'open', 'read-only'],
    ]);
    expect(await rightsOf('ENDING')).toEqual(before);
  });

  it('comes by itself with the day, and one call puts it off [DECISIONS §13]', async () => {
    const { id, write } = await makeTenant('OVER', ending(-40));
    expect(await tried(write)).toBe('open');
    expect(await startAccessChanges(test.context)).toBe(1);
    await operationsEnded(test.databaseUrl);
    expect(await tried(write)).toBe('closed');
    const headers = { 'idempotency-key': 'put-off' };
    const putOff = () => test.call(tenantRoutes.postponeExpiry, { query: { id }, headers, token: token() });
    expect(await putOff()).toMatchObject({ status: 200, result: { id, postponedTo: day(7) } });
    // Its answer may have been lost; the operation that opens the database is none of it.
    expect(await putOff()).toMatchObject({ status: 200, result: { id, postponedTo: day(7) } });
    await operationsEnded(test.databaseUrl);
    expect(await tried(write)).toBe('open');
    const list = await call(tenantRoutes.list);
    expect(list.find((tenant: { id: string }) => tenant.id === id)).toMatchObject({ postponedTo: day(7) });
    // A new end counts as it is.
    await call(tenantRoutes.edit, { body: { ...tenantInput('OVER'), id, ...ending(-41) } });
    await operationsEnded(test.databaseUrl);
    expect(await tried(write)).toBe('closed');
  });

  it('comes within the next minute also where a clock that was ahead dated a failure [DECISIONS §13]', async () => {
    const { id, input, write } = await makeTenant('DATED', ending(-20));
    expect(await startAccessChanges(test.context)).toBe(1);
    await operationsEnded(test.databaseUrl);
    const fail = (createdAt: Date) =>
      query(
        `update operations set state = 'failed', created_at = $2
         where kind = 'change-access' and database_id = (select id from databases where tenant_id = $1)`,
        [id, createdAt],
      );
    await query("update databases set access = 'open' where tenant_id = $1", [id]);
    await fail(test.clock.now);
    expect(await startAccessChanges(test.context)).toBe(0);
    await fail(new Date(test.clock.now.getTime() + 365 * 86_400_000));
    expect(await startAccessChanges(test.context)).toBe(1);
    await operationsEnded(test.databaseUrl);
    expect(await tried(write)).toBe('read-only');
    await call(tenantRoutes.edit, { body: { ...input, id, ...ending(1) } });
    await operationsEnded(test.databaseUrl);
  });

  it('is announced by no process whose clock is ahead, or not trusted, before its time [DECISIONS §13]', async () => {
    const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { id } = await makeTenant('EARLY', { subscriptionStartDate: later(-300), subscriptionEndDate: later(60) });
    const ahead = { ...test.context, ...aheadByYear(test.context.platform) };
    await announceExpiries({ ...ahead, trustedNow: async () => undefined });
    await announceExpiries(ahead);
    expect(await query('select step from expiry_notices where tenant_id = $1', [id])).toEqual([]);
  });

  it('is announced 30, 7 and 1 days before and at each step, once for each end [DECISIONS §13]', async () => {
    const { id, input } = await makeTenant('TOLD', ending(40));
    const told = async () => {
      await announceExpiries(test.context);
      await Promise.all([announceExpiries(test.context), announceExpiries(test.context)]);
      const rows = await query(
        "select changes ->> 'step' as step from audit_entries where entity_id = $1 and action = 'tenants.expiry' order by audit_entries.id",
        [id],
      );
      return rows.map(({ step }) => step);
    };
    expect(await told()).toEqual([]);
    const all = [];
    for (const [plus, step] of [
      [31, undefined],
      [30, '30-days'],
      [8, '30-days'],
      [7, '7-days'],
      [1, '1-day'],
      [0, '1-day'],
      [-1, 'grace'],
      [-15, 'read-only'],
      [-29, 'expired'],
      [-29, undefined],
    ] as const) {
      await call(tenantRoutes.edit, { body: { ...input, id, ...ending(plus) } });
      if (step) all.push(step);
      expect(await told(), String(plus)).toEqual(all);
    }
    await change(tenantRoutes.deactivate, id);
    await call(tenantRoutes.postponeExpiry, { query: { id } });
    expect(await told()).toEqual(all);
  });

  it('reads what was announced of the ends that count, not of all that there were [DECISIONS §13]', async () => {
    const { id } = await makeTenant('NOTICED', ending(5));
    await call(tenantRoutes.postponeExpiry, { query: { id } });
    const ends = [day(-25), day(-13), day(5), day(12)];
    await query("insert into expiry_notices select $1, unnest($2::date[]), '7-days'", [id, ends]);
    const noted = [...(await listNotedSteps(test.context.platform))].filter((step) => step.startsWith(id));
    expect(noted.toSorted()).toEqual([day(5), day(12)].map((end) => `${id} ${end} 7-days`).toSorted());
  });

  it('leaves writing to nobody also after a restore and an upgrade of what can only be read [DECISIONS §13]', async () => {
    const { write } = await makeTenant('READONLY', ending(-20));
    await asProgram(write, INSERT);
    await startAccessChanges(test.context);
    await operationsEnded(test.databaseUrl);
    expect(await tried(write)).toBe('read-only');
    const backup = await call(backupRoutes.create, { query: { databaseName: 'READONLY' } });
    await call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'READONLY' } });
    expect(await tried(write)).toBe('read-only');
    for (const statement of [
      INSERT,
      'delete from locations',
      'truncate locations cascade',
      "select nextval('locations_id_seq')",
    ]) {
      await expect(asProgram(write, statement), statement).rejects.toThrow(/permission denied/);
    }
    await call(databaseRoutes.copy, { query: { copyFrom: 'READONLY', databaseName: 'COPY-OF-READONLY' } });
    expect(await accessOf('COPY-OF-READONLY')).toBe('open');
  });
});

/** Fulfils when PostgreSQL ends the session of a client. */
function endOf(client: pg.Client): Promise<unknown> {
  client.on('error', () => {});
  return new Promise((fulfil) => client.once('end', fulfil));
}

it('a session that does not end when it is told to does not keep a tenant from being closed [§2.6]', async () => {
  const { write } = await makeTenant('STUCK');
  const { username } = new URL(write);
  await withClient(write, async (client) => {
    client.on('error', () => {});
    const { rows } = await client.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGSTOP');
    try {
      await drainRoles(test.context.clusters.home.utility, [username], 0);
    } finally {
      process.kill(rows[0].pid, 'SIGCONT');
    }
  });
});
