import { randomUUID } from 'node:crypto';
import { credentialRoutes, type ResolvedTenant } from '@apotheca/contract/credentials';
import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Trx } from '../../../db/platform.ts';
import { roleIdOf } from '../../../testing/accounts.ts';
import { useApiKeys } from '../../../testing/api-keys.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { firstStatementOf } from '../../../testing/plans.ts';
import { endLogins } from '../../databases/logins/ended-logins.ts';
import { isSubdomainTaken } from '../../databases/tenant-subdomains.repository.ts';

/** The look-up for programs. */
const test = useTestApp();
const keys = useApiKeys(test);
/** API keys: one that may connect, one that may not. */
let connecting = '';
let reading = '';
let token = '';

beforeAll(async () => {
  // Letters beyond ASCII have no case there. At first: no session goes on with what it has prepared of a column of another type.
  await sql`alter table tenants alter column subdomain type text collate "C"`.execute(test.context.platform);
  // PostgreSQL compares the end of a login with its own clock.
  test.clock.now = new Date();
  token = (await test.signIn()).result.accessToken;
  const userId = await serviceAccount();
  connecting = (await keys.issued(token, { userId, scopes: ['tenants.read', 'databases.connect'] })).key;
  reading = (await keys.issued(token, { userId, scopes: ['tenants.read'] })).key;
});

async function serviceAccount(): Promise<string> {
  const body = { userName: 'look-up', roleId: await roleIdOf(test, 'Administrator') };
  return (await test.call(serviceAccountRoutes.create, { body, token })).result.id;
}

const makeTenant = async (code: string, fields = {}): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: { ...tenantInput(code), ...fields }, token })).result.id;
const resolve = (key: string, query: Record<string, string>, headers = {}) =>
  test.call(credentialRoutes.resolve, { query, token: key, headers });
const rotate = (id: string, overlapMinutes: number) =>
  test.call(credentialRoutes.rotate, { body: { id, overlapMinutes }, token });
const urlOf = ({ host, port, database, role, password }: ResolvedTenant) =>
  `postgresql://${role}:${password}@${host}:${port}/${database}`;

describe('GET /tenant/resolve', () => {
  it('answers where and as whom to connect, by code or subdomain, in any case [DECISIONS §13]', async () => {
    const id = await makeTenant('NORTH', { subdomain: 'North-Clinic' });
    const { status, result } = await resolve(connecting, { code: 'north' });
    expect(status).toBe(200);
    expect(result).toEqual({
      tenantId: id,
      code: 'NORTH',
      subdomain: 'North-Clinic',
      isActive: true,
      state: 'active',
      availability: 'open',
      host: '127.0.0.1',
      port: expect.any(Number),
      database: expect.stringMatching(/^db_/),
      sslmode: 'disable',
      access: 'write',
      role: expect.stringMatching(/^login_/),
      passwordReference: expect.stringMatching(/^database-logins\//),
      password: expect.any(String),
      connectionLimit: 20,
    });
    await withClient(urlOf(result), (client) => client.query('select 1 from locations'));
    expect((await resolve(connecting, { subdomain: 'NORTH-clinic' })).result).toEqual(result);
    const read = (await resolve(connecting, { code: 'NORTH', access: 'read' })).result;
    expect(read).toMatchObject({ access: 'read' });
    await expect(withClient(urlOf(read), (client) => client.query('delete from locations'))).rejects.toThrow(
      /permission denied/,
    );
  });

  it('finds a subdomain in any case also where the database itself knows no letters beyond ASCII [DECISIONS §13]', async () => {
    const id = await makeTenant('MUNICH', { subdomain: 'MÜNCHEN' });
    for (const subdomain of ['münchen', 'MÜNCHEN'])
      expect(await resolve(connecting, { subdomain }), subdomain).toMatchObject({
        status: 200,
        result: { tenantId: id },
      });
    const another = { ...tenantInput('MUNICH-2'), subdomain: 'München' };
    expect(await test.call(tenantRoutes.create, { body: another, token })).toMatchObject({
      status: 409,
      errors: { subdomain: ['Another tenant has this subdomain.'] },
    });
  });

  it('finds a subdomain by its index [DECISIONS §13]', async () => {
    const { platform, pool } = test.context;
    const { text, values } = await firstStatementOf(() => isSubdomainTaken(platform as Trx, 'north', randomUUID()));
    const client = await pool.connect();
    try {
      // There are too few tenants to need one.
      await client.query('begin; set local enable_seqscan = off');
      const { rows } = await client.query(`explain ${text}`, values);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('tenants__subdomain');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('gives the password to a key that may connect, and to nobody else [DECISIONS §13]', async () => {
    await makeTenant('EAST');
    const withPassword = (await resolve(connecting, { code: 'EAST' })).result;
    expect((await resolve(reading, { code: 'EAST' })).result).toEqual({ ...withPassword, password: null });
    // A person's session reveals it with a fresh proof, which this call does not ask for.
    expect((await resolve(token, { code: 'EAST' })).result).toEqual({ ...withPassword, password: null });
    const viewer = await test.signInAs('Viewer');
    expect((await resolve(viewer.token, { code: 'EAST' })).result.password).toBeNull();
  });

  it('is audited the first time that a key gets the password of a login [DECISIONS §13]', async () => {
    const id = await makeTenant('NOTED');
    for (const key of [connecting, connecting, reading]) await resolve(key, { code: 'NOTED' });
    await Promise.all(Array.from({ length: 5 }, () => resolve(connecting, { code: 'NOTED', access: 'read' })));
    await rotate(id, 5);
    await resolve(connecting, { code: 'NOTED' });
    const { rows } = await sql<{ access: string }>`
      select changes ->> 'access' as access from audit_entries
      where entity_id = ${id} and action = 'tenants.resolve-credentials' order by audit_entries.id`.execute(
      test.context.platform,
    );
    expect(rows.map(({ access }) => access)).toEqual(['write', 'read', 'write']);
  });

  it('leaves an audit entry of each login that is made by it, whoever looks up [DECISIONS §12] [DECISIONS §13]', async () => {
    const id = await makeTenant('MADE');
    const viewer = await keys.person('Viewer');
    const looked = (access: string) => resolve(viewer.token, { code: 'MADE', access });
    const [writing] = await Promise.all(Array.from({ length: 3 }, () => looked('write')));
    const reading = await looked('read');
    await resolve(connecting, { code: 'MADE' });
    const entries = test.context.platform
      .selectFrom('auditEntries')
      .select(['action', 'actorId', 'changes'])
      .where('entityId', '=', id)
      .orderBy('id');
    expect((await entries.execute()).slice(1)).toEqual([
      {
        action: 'tenants.make-login',
        actorId: viewer.account.id,
        changes: { access: 'write', role: writing?.result.role },
      },
      {
        action: 'tenants.make-login',
        actorId: viewer.account.id,
        changes: { access: 'read', role: reading.result.role },
      },
      expect.objectContaining({ action: 'tenants.resolve-credentials' }),
    ]);
  });

  it('refuses what names no tenant, several, or not exactly one thing [DECISIONS §13]', async () => {
    await makeTenant('TWIN-1', { subdomain: 'twin' });
    // No call gives it to a second one any more.
    const id = await makeTenant('TWIN-2');
    await test.context.platform.updateTable('tenants').set({ subdomain: 'TWIN' }).where('id', '=', id).execute();
    expect(await resolve(connecting, { code: 'NOWHERE' })).toMatchObject({ status: 404 });
    expect(await resolve(connecting, { subdomain: 'twin' })).toMatchObject({ status: 409 });
    for (const query of [{}, { code: 'TWIN-1', subdomain: 'twin' }]) {
      expect(await resolve(connecting, query as Record<string, string>)).toMatchObject({
        status: 400,
        errors: { code: ['Name the tenant by code or by subdomain'] },
      });
    }
  });

  it('answers 304 to who has the newest answer, until something of it changes [RFC 9110 §13.1.2] [DECISIONS §13]', async () => {
    const id = await makeTenant('TAGGED');
    const ask = (etag: string) =>
      test.app.inject({
        url: '/api/tenant/resolve?code=TAGGED',
        headers: { authorization: `Bearer ${connecting}`, 'if-none-match': etag },
      });
    const first = await ask('"none"');
    const etag = String(first.headers.etag);
    expect(first.headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      vary: expect.stringContaining('Authorization'),
    });
    expect(await ask(etag)).toMatchObject({ statusCode: 304, body: '' });
    expect(await ask(`"x", W/${etag}`)).toMatchObject({ statusCode: 304 });
    await rotate(id, 5);
    const changed = await ask(etag);
    expect(changed.statusCode).toBe(200);
    expect(await ask(String(changed.headers.etag))).toMatchObject({ statusCode: 304 });
    await test.call(tenantRoutes.deactivate, { query: { id }, token });
    expect((await ask(String(changed.headers.etag))).json().result).toMatchObject({
      isActive: false,
      state: 'deactivated',
      availability: 'closed',
    });
  });
});

describe('a program that follows the look-up', () => {
  it('loses no query over 20 rotations [DECISIONS §13]', async () => {
    const id = await makeTenant('FOLLOWED');
    const program = await startProgram('FOLLOWED');
    const roles = new Set([program.role()]);
    for (let number = 0; number < 20; number += 1) {
      // Else the minute is over at once when the file has taken that long: PostgreSQL compares it with its own clock.
      test.clock.now = new Date();
      await rotate(id, 1);
      await program.follow();
      roles.add(program.role());
      // The time of the login before is over.
      await endLogins({ ...test.context, trustedNow: async () => new Date(test.clock.now.getTime() + 61_000) });
      await program.asked(5);
    }
    expect(roles.size).toBe(21);
    const { failures, queries } = await program.stop();
    expect(failures).toEqual([]);
    expect(queries).toBeGreaterThanOrEqual(100);
  });
});

/** Waits until PostgreSQL has ended the sessions of clients that have disconnected. */
const sessionsGone = (url: string) => expect.poll(() => sessionsOf(new URL(url).username), { interval: 5 }).toBe(0);

const sessionsOf = async (role: string) =>
  (await sql`select from pg_stat_activity where usename = ${role}`.execute(test.context.platform)).rows.length;

/** A program that queries a tenant's database all the time, and changes to a new login when the look-up names one. */
async function startProgram(code: string) {
  const look = async (): Promise<ResolvedTenant> => (await resolve(connecting, { code })).result;
  const connect = (found: ResolvedTenant) => new pg.Pool({ connectionString: urlOf(found), max: 3 });
  let found = await look();
  let pool = connect(found);
  let isStopped = false;
  let queries = 0;
  const failures: string[] = [];
  const asking = Array.from({ length: 3 }, async () => {
    while (!isStopped) {
      await pool.query('select count(*) from locations').catch((error: Error) => failures.push(error.message));
      queries += 1;
    }
  });
  return {
    role: () => found.role,
    /** Asks the look-up; the old connections end when their queries have. */
    async follow() {
      found = await look();
      const before = pool;
      pool = connect(found);
      await before.end();
      await sessionsGone(before.options.connectionString ?? '');
    },
    /** Waits for some more queries. */
    async asked(more: number) {
      const until = queries + more;
      await expect.poll(() => queries, { interval: 1 }).toBeGreaterThanOrEqual(until);
    },
    async stop() {
      isStopped = true;
      await Promise.all(asking);
      await pool.end();
      return { failures, queries };
    },
  };
}
