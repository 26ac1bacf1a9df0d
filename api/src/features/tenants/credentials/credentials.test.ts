import { randomUUID } from 'node:crypto';
import { credentialRoutes, LOGIN_LIMIT } from '@apotheca/contract/credentials';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../../actor.ts';
import { HOME_SERVER } from '../../../db/clusters.ts';
import { AppError } from '../../../errors.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { aheadByYear } from '../../../testing/clock-ahead.ts';
import { withClient } from '../../../testing/databases.ts';
import { endLogins } from '../../databases/logins/ended-logins.ts';
import { limitConnections, rotateCredentials } from './credentials.service.ts';

const test = useTestApp();
let token = '';

beforeAll(async () => {
  // PostgreSQL compares the end of a login with its own clock.
  test.clock.now = new Date();
  token = (await test.signIn()).result.accessToken;
});

const call = (route: ContractRoute, options: { query?: Record<string, string>; body?: unknown } = {}) =>
  test.call(route, { ...options, token });
const makeTenant = async (code: string, fields = {}): Promise<string> => {
  const { status, message, result } = await call(tenantRoutes.create, { body: { ...tenantInput(code), ...fields } });
  if (status !== 200) throw new Error(message);
  return result.id;
};
const reveal = async (id: string, access = 'write') =>
  (await call(credentialRoutes.reveal, { query: { id, access } })).result;
const rotate = (id: string, body: Record<string, unknown> = {}) =>
  call(credentialRoutes.rotate, { body: { id, ...body } });
const connectionOf = async (id: string) => (await call(credentialRoutes.connection, { query: { id } })).result;
const select = (url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows as Record<string, unknown>[]);
const asAdministrator = (text: string, values: unknown[] = []) =>
  withClient(test.databaseUrl, async (client) => (await client.query(text, values)).rows);
/** Fulfils when PostgreSQL ends the session of a client. */
const endOf = (client: pg.Client) => {
  client.on('error', () => {});
  return new Promise((fulfil) => client.once('end', fulfil));
};
const audited = async (id: string) =>
  asAdministrator('select action, changes from audit_entries where entity_id = $1 order by audit_entries.id', [id]);

describe('credentials of a tenant', () => {
  it('are revealed with a login of its own, which does with rows what the tenant may, and are audited [DECISIONS §13]', async () => {
    const id = await makeTenant('REVEALED');
    expect(await connectionOf(id)).toMatchObject({ id, logins: [], connectionLimit: 20, ownConnectionLimit: null });
    const credentials = await reveal(id);
    expect(credentials).toMatchObject({ access: 'write', sslmode: 'disable', role: expect.stringMatching(/^login_/) });
    expect(await reveal(id)).toEqual(credentials);

    const { connectionString, role } = credentials;
    const [who] = await select(connectionString, 'select session_user as session, current_user as current');
    expect(who).toEqual({ session: role, current: expect.stringMatching(/^db_.*_revealed/) });
    await select(connectionString, "insert into locations (code, name, kind) values ('A', 'A', 'clinic')");
    await expect(select(connectionString, 'create table t (id int)')).rejects.toThrow(/permission denied/);

    expect(await audited(id)).toEqual([
      expect.objectContaining({ action: 'tenants.create' }),
      { action: 'tenants.reveal-credentials', changes: { access: 'write', role } },
      { action: 'tenants.reveal-credentials', changes: { access: 'write', role } },
    ]);
    const { logins } = await connectionOf(id);
    expect(logins).toEqual([
      {
        id: expect.any(String),
        access: 'write',
        role,
        createdOnUtc: expect.any(String),
        validUntilUtc: null,
        sessions: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(logins)).not.toContain(credentials.password);
  });

  it('to read only can change nothing, and cannot become the one that can [DECISIONS §13]', async () => {
    const id = await makeTenant('READER');
    await select(
      (await reveal(id)).connectionString,
      "insert into locations (code, name, kind) values ('A', 'A', 'clinic')",
    );
    const { connectionString } = await reveal(id, 'read');
    expect(await select(connectionString, 'select code from locations')).toEqual([{ code: 'A' }]);
    const refused = [
      "insert into locations (code, name, kind) values ('B', 'B', 'clinic')",
      "update locations set name = 'X'",
      'delete from locations',
      'truncate locations cascade',
      'set default_transaction_read_only = off; delete from locations',
      'create temporary table t (id int)',
    ];
    for (const statement of refused) {
      await expect(select(connectionString, statement), statement).rejects.toThrow(/permission denied/);
    }
    const [row] = await asAdministrator("select physical_name as name from databases where name = 'READER'");
    await expect(select(connectionString, `set role ${row.name}`)).rejects.toThrow(/permission denied/);
    // Roles of other tenants stay closed, too.
    const other = await reveal(await makeTenant('OTHER'));
    await expect(select(connectionString.replace(/\/db_[^?]*/, `/${other.database}`), 'select 1')).rejects.toThrow(
      /permission denied for database/,
    );
  });

  it('ask for a fresh proof and for the permission; nobody else learns them [DECISIONS §13]', async () => {
    const id = await makeTenant('PROVED');
    const operator = await test.signInAs('Operator');
    const query = { id, access: 'write' };
    expect(await test.call(credentialRoutes.reveal, { query, token: operator.token })).toMatchObject({ status: 403 });
    expect(await test.call(credentialRoutes.connection, { query: { id }, token: operator.token })).toMatchObject({
      status: 403,
    });
    expect(await call(credentialRoutes.reveal, { query: { id: randomUUID() } })).toMatchObject({ status: 404 });
    const list = await call(tenantRoutes.list);
    expect(JSON.stringify(list.result)).not.toContain((await reveal(id)).password);
  });

  it('of one that is asked for many times at once are those of one login [DECISIONS §13]', async () => {
    const id = await makeTenant('AT-ONCE');
    const all = await Promise.all(Array.from({ length: 8 }, (_, number) => reveal(id, number % 2 ? 'read' : 'write')));
    expect(new Set(all.map(({ role }) => role)).size).toBe(2);
    expect((await connectionOf(id)).logins).toHaveLength(2);
  });
});

describe('the limits of a tenant', () => {
  it('stay as they are where they are not sent, and are not audited as changed [DECISIONS §3]', async () => {
    const id = await makeTenant('HALF-LIMITED');
    await call(credentialRoutes.limit, { body: { id, connectionLimit: 5, statementTimeoutSeconds: 30 } });
    await call(credentialRoutes.limit, { body: { id, statementTimeoutSeconds: 60 } });
    await call(credentialRoutes.limit, { body: { id, connectionLimit: null } });
    expect(await connectionOf(id)).toMatchObject({ ownConnectionLimit: null, statementTimeoutSeconds: 60 });
    expect((await audited(id)).slice(-2)).toEqual([
      { action: 'tenants.limit-connections', changes: { statementTimeoutSeconds: [30, 60] } },
      { action: 'tenants.limit-connections', changes: { connectionLimit: [5, null] } },
    ]);
  });
});

describe('a rotation', () => {
  it('gives a new login; the old one works for the chosen time, then it is refused and its sessions end [DECISIONS §13]', async () => {
    const id = await makeTenant('ROTATED');
    // Without one before there is no old one to speak of.
    expect(await rotate(id, { overlapMinutes: 5 })).toMatchObject({
      status: 200,
      message: 'Success! There is a new login.',
    });
    const old = await reveal(id);
    const answer = await rotate(id, { overlapMinutes: 5 });
    expect(answer).toMatchObject({
      status: 200,
      message: 'Success! There is a new login. The old one ends in 5 minutes.',
    });
    const fresh = await reveal(id);
    expect(fresh.role).not.toBe(old.role);
    expect(fresh.password).not.toBe(old.password);
    await withClient(old.connectionString, async (client) => {
      const isEnded = endOf(client);
      await client.query('select 1');
      const [, ofOld] = (await connectionOf(id)).logins;
      expect(ofOld).toMatchObject({ role: old.role, validUntilUtc: expect.any(String) });
      expect(ofOld.sessions).toBeGreaterThan(0);
      await select(fresh.connectionString, 'select 1');
      expect(answer.result.logins.map(({ role }: { role: string }) => role)).toEqual([fresh.role, old.role]);

      test.clock.advance(5 * 60);
      await endLogins(test.context);
      await isEnded;
    });
    await expect(select(old.connectionString, 'select 1')).rejects.toThrow(/authentication failed/);
    await select(fresh.connectionString, 'select 1');
    expect((await connectionOf(id)).logins).toHaveLength(1);
    expect((await audited(id)).slice(-3)).toEqual([
      {
        action: 'tenants.rotate-credentials',
        changes: { access: 'write', overlapMinutes: 5, role: [old.role, fresh.role] },
      },
      { action: 'tenants.reveal-credentials', changes: { access: 'write', role: fresh.role } },
      { action: 'tenants.end-login', changes: { databaseName: 'ROTATED', access: 'write', role: old.role } },
    ]);
  });

  it.each([
    [1, '1 minute'],
    [90, '90 minutes'],
    [60, '1 hour'],
    [2880, '2 days'],
  ])('of %i minutes is told as %s [DECISIONS §13]', async (overlapMinutes, told) => {
    const id = await makeTenant(`TOLD-${overlapMinutes}`);
    await reveal(id);
    const { message } = await rotate(id, { overlapMinutes });
    expect(message).toBe(`Success! There is a new login. The old one ends in ${told}.`);
  });

  it('without overlap ends the old login at once, also for who is connected [DECISIONS §13]', async () => {
    const id = await makeTenant('LEAKED');
    const old = await reveal(id, 'read');
    await withClient(old.connectionString, async (client) => {
      const isEnded = endOf(client);
      expect(await rotate(id, { access: 'read', overlapMinutes: 0 })).toMatchObject({
        message: 'Success! There is a new login. The old one has ended.',
      });
      await isEnded;
    });
    await expect(select(old.connectionString, 'select 1')).rejects.toThrow(/authentication failed/);
    await select((await reveal(id, 'read')).connectionString, 'select 1');
  });

  it('of a login that is not the current one any more is refused, and ends no other one [DECISIONS §13]', async () => {
    const id = await makeTenant('SEEN-TWICE');
    await reveal(id);
    const [{ id: loginId }] = (await connectionOf(id)).logins;
    expect(await rotate(id, { loginId, overlapMinutes: 0 })).toMatchObject({ status: 200 });
    const fresh = await reveal(id);
    const again = { status: 409, message: 'This login was rotated meanwhile.' };
    expect(await rotate(id, { loginId, overlapMinutes: 0 })).toMatchObject(again);
    await select(fresh.connectionString, 'select 1');
    expect((await connectionOf(id)).logins).toMatchObject([{ role: fresh.role, validUntilUtc: null }]);
    // Without it, it is the current one.
    expect(await rotate(id, { overlapMinutes: 0 })).toMatchObject({ status: 200 });
  });

  it('has its end once, also where several server processes come upon it at the same moment [DECISIONS §13]', async () => {
    const id = await makeTenant('ENDED-AT-ONCE');
    const { role } = await reveal(id);
    for (let number = 0; number < 3; number += 1) await rotate(id, { overlapMinutes: 1 });
    test.clock.advance(60);
    await Promise.all([1, 2, 3, 4].map(() => endLogins(test.context)));
    const ended = (await audited(id)).filter(({ action }) => action === 'tenants.end-login');
    expect(ended.map(({ changes }) => changes.role)).toContain(role);
    expect(ended).toHaveLength(3);
  });

  it('lets the old login in until its end, whatever the clock of the process that ends logins [DECISIONS §13]', async () => {
    const id = await makeTenant('KEPT-IN');
    const old = await reveal(id);
    await rotate(id, { overlapMinutes: 60 });
    const ahead = { ...test.context, ...aheadByYear(test.context.platform) };
    await endLogins(ahead);
    await endLogins({ ...ahead, trustedNow: async () => undefined });
    // Of its own rotation it ends the one login that this replaces.
    await rotateCredentials(ahead, SERVER_ACTOR, { id, access: 'write', overlapMinutes: 0 });
    await select(old.connectionString, 'select 1');
    expect((await connectionOf(id)).logins).toHaveLength(2);
  });

  it('by a process whose clock is ahead leaves no login that outlives any overlap [DECISIONS §13]', async () => {
    const id = await makeTenant('OUTLIVING');
    const old = await reveal(id);
    const { now } = aheadByYear(test.context.platform);
    await rotateCredentials({ ...test.context, now }, SERVER_ACTOR, { id, access: 'write', overlapMinutes: 5 });
    await endLogins(test.context);
    await expect(select(old.connectionString, 'select 1')).rejects.toThrow(/authentication failed/);
    expect((await connectionOf(id)).logins).toHaveLength(1);
  });

  it('without overlap succeeds where an ended login cannot be removed, its own or that of another tenant [DECISIONS §13]', async () => {
    const [stuck, id] = [await makeTenant('STUCK'), await makeTenant('NOT-STUCK')];
    const { role } = await reveal(stuck);
    // PostgreSQL drops no role that owns something.
    await asAdministrator(`create schema kept authorization ${role}`);
    expect(await rotate(stuck, { overlapMinutes: 0 })).toMatchObject({ status: 200 });
    await expect(endLogins(test.context)).rejects.toThrow('1 logins could not be ended');
    expect(await rotate(id, { overlapMinutes: 0 })).toMatchObject({ status: 200 });
    await asAdministrator('drop schema kept');
    await endLogins(test.context);
    expect((await connectionOf(stuck)).logins).toHaveLength(1);
  });

  it('without overlap leaves no way back to who changed the password of the role behind it [DECISIONS §13]', async () => {
    const id = await makeTenant('TAKEN');
    const old = await reveal(id);
    const [{ name }] = await select(old.connectionString, "alter role current_user password 'mine'; select 1").then(
      () => asAdministrator("select role_name as name from databases where name = 'TAKEN'"),
    );
    const behind = old.connectionString.replace(/\/\/[^@]*@/, `//${name}:mine@`);
    await withClient(behind, async (client) => {
      const isEnded = endOf(client);
      await client.query("begin; alter role current_user password 'mine as well'");
      expect(await rotate(id, { overlapMinutes: 0 })).toMatchObject({ status: 200 });
      await isEnded;
    });
    expect((await connectionOf(id)).logins).toHaveLength(1);
    for (const url of [old.connectionString, behind]) {
      await expect(select(url, 'select 1')).rejects.toThrow(/authentication failed/);
    }
    await select((await reveal(id)).connectionString, 'select 1');
  });

  it('without overlap leaves none either where the old login cannot be removed [DECISIONS §13]', async () => {
    const id = await makeTenant('TAKEN-STUCK');
    const { connectionString, role } = await reveal(id);
    const [who] = await select(connectionString, 'select current_user as name');
    await select(connectionString, "alter role current_user password 'mine'");
    await asAdministrator(`create schema taken authorization ${role}`);
    await rotate(id, { overlapMinutes: 0 });
    const behind = connectionString.replace(/\/\/[^@]*@/, `//${who?.name}:mine@`);
    await expect(select(behind, 'select 1')).rejects.toThrow(/authentication failed/);
    await asAdministrator('drop schema taken');
    await endLogins(test.context);
  });

  it('without overlap ends a login that holds its own row in an open transaction [DECISIONS §13]', async () => {
    const id = await makeTenant('HOLDING');
    const { connectionString } = await reveal(id);
    await withClient(connectionString, async (client) => {
      const isEnded = endOf(client);
      await client.query("set role none; begin; alter role current_user password 'mine'");
      expect(await rotate(id, { overlapMinutes: 0 })).toMatchObject({ status: 200 });
      await isEnded;
    });
    await expect(select(connectionString, 'select 1')).rejects.toThrow(/authentication failed/);
    await select((await reveal(id)).connectionString, 'select 1');
  });

  it('with an overlap goes past a program that sets its own password over and over [DECISIONS §13]', async () => {
    const id = await makeTenant('INSISTING');
    const { connectionString } = await reveal(id);
    const again = "set role none; alter role current_user password 'mine'";
    let isOver = false;
    const insist = async () => {
      while (!isOver) await select(connectionString, `${again};`.repeat(50)).catch(() => {});
    };
    const insisting = [insist(), insist(), insist()];
    try {
      for (const overlapMinutes of [60, 60, 0])
        expect(await rotate(id, { overlapMinutes })).toMatchObject({ status: 200 });
    } finally {
      isOver = true;
      await Promise.all(insisting);
    }
  });

  it('PostgreSQL itself refuses a login from its end on, though nothing has removed it [DECISIONS §13]', async () => {
    const id = await makeTenant('ENDED');
    const old = await reveal(id);
    const twoMinutesAgo = { ...test.context, now: () => new Date(Date.now() - 120_000) };
    await rotateCredentials(twoMinutesAgo, SERVER_ACTOR, { id, access: 'write', overlapMinutes: 1 });
    await expect(select(old.connectionString, 'select 1')).rejects.toThrow(/authentication failed/);
  });

  it('is refused while many logins are still valid, and for a wrong overlap [DECISIONS §13]', async () => {
    const id = await makeTenant('MANY');
    for (let number = 0; number < LOGIN_LIMIT; number += 1) expect(await rotate(id)).toMatchObject({ status: 200 });
    expect(await rotate(id)).toMatchObject({ status: 409, message: expect.stringContaining('still valid') });
    expect(await rotate(id, { access: 'read' })).toMatchObject({ status: 200 });
    expect(await rotate(id, { overlapMinutes: -1 })).toMatchObject({
      status: 400,
      errors: { overlapMinutes: ['Overlap must be at least 0 minutes'] },
    });
  });
});

describe('a change of logins that is done', () => {
  /** Once something is committed, no database server can be asked any more. */
  const awayAfter = (isDone: () => Promise<boolean>) => {
    const { clusters } = test.context;
    const of = async (id: string) => {
      if (await isDone()) throw new AppError('database-away');
      return clusters.of(id);
    };
    return { ...test.context, clusters: { ...clusters, of } };
  };
  const isAudited = async (id: string, action: string) =>
    (await audited(id)).some((entry) => entry.action === `tenants.${action}`);

  it.each([0, 60])(
    'is told as done, though its server goes away right after it: rotated with %i minutes [DECISIONS §13]',
    async (overlapMinutes) => {
      const id = await makeTenant(`DONE-${overlapMinutes}`);
      const old = await reveal(id);
      const context = awayAfter(() => isAudited(id, 'rotate-credentials'));
      const { connection } = await rotateCredentials(context, SERVER_ACTOR, { id, access: 'write', overlapMinutes });
      const { role } = await reveal(id);
      expect(connection.logins.map((login) => login.role)).toEqual(overlapMinutes === 0 ? [role] : [role, old.role]);
      await expect(context.clusters.of(HOME_SERVER)).rejects.toThrow(AppError);
    },
  );

  it('is told as done, though its server goes away right after it: limited [DECISIONS §13]', async () => {
    const id = await makeTenant('DONE-LIMITS');
    const { role } = await reveal(id);
    const context = awayAfter(() => isAudited(id, 'limit-connections'));
    const limits = { connectionLimit: 3, statementTimeoutSeconds: null };
    expect(await limitConnections(context, SERVER_ACTOR, id, limits)).toMatchObject({
      ownConnectionLimit: 3,
      logins: [{ role }],
    });
    expect(await connectionOf(id)).toMatchObject({ ownConnectionLimit: 3 });
  });
});
