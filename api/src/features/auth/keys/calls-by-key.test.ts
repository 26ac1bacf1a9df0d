import { randomInt, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { authRoutes } from '@apotheca/contract/auth';
import { backupRoutes } from '@apotheca/contract/backups';
import { faqRoutes } from '@apotheca/contract/faqs';
import { operationRoutes } from '@apotheca/contract/operations';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { roleRoutes } from '@apotheca/contract/roles';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { attemptCall, findKeptCall, takeKey } from '../../../db/keyed-calls.ts';
import { roleIdOf } from '../../../testing/accounts.ts';
import { useApiKeys } from '../../../testing/api-keys.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput, userInput } from '../../../testing/builders.ts';
import { putRight } from '../../../testing/clock-ahead.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { whileUnwritable } from '../../../testing/unwritable-table.ts';
import { requireKey } from './key-callers.ts';
import { makeKey, readKey } from './key-format.ts';
import { findKey } from './keys.repository.ts';

const RACES = IS_LONG_RUN ? 200 : 20;
const MUTATIONS = 300;
const BALANCER = '10.1.0.2';

const test = useTestApp();
const { issued, person, service, rotate, revoke, audited } = useApiKeys(test);

/** Another server process's app over the same database, behind trusted proxies. */
let other: FastifyInstance;
let begin: Date;
beforeAll(async () => {
  begin = test.clock.now;
  // A test sends a body in two parts, between which a busy machine may take long.
  const options = { logLevel: 'fatal', requestTimeout: 300_000 };
  other = await buildApp(test.context, { ...options, trustedProxies: ['10.1.0.0/16'] });
});
afterEach(() => {
  test.clock.now = begin;
});
afterAll(() => other.close());

const listTenants = (token: string) => test.call(tenantRoutes.list, { token });
const statusOf = async (token: string) => (await listTenants(token)).status;
const faq = (name: string) => ({ name, code: name, isActive: true, published: true });

/** What a call with a key answers from an address. */
async function fromAddress(key: string, remoteAddress: string, forwardedFor?: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) };
  const answer = await other.inject({ url: '/api/tenant/get', remoteAddress, headers });
  return answer.statusCode;
}

describe('a call with an API key', () => {
  it('needs the scope and the role: each alone opens nothing [DECISIONS §13]', async () => {
    const { token } = await person();
    const { key } = await issued(token, { scopes: ['tenants.read', 'faqs.write'] });
    expect(await statusOf(key)).toBe(200);
    expect(await test.call(userRoutes.list, { token: key })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'users.read'.",
    });
    const userId = await service('demoted');
    const { key: ofService } = await issued(undefined, { userId, scopes: ['tenants.read', 'tenants.write'] });
    const writes = async () => {
      const body = tenantInput('', { code: 'X'.repeat(100) });
      return (await test.call(tenantRoutes.create, { token: ofService, body })).status;
    };
    expect(await writes()).toBe(400);
    await test.context.platform
      .updateTable('users')
      .set({ roleId: await roleIdOf(test, 'Viewer') })
      .where('id', '=', userId)
      .execute();
    expect([await statusOf(ofService), await writes()]).toEqual([200, 403]);
    await test.context.platform
      .insertInto('roles')
      .values({ name: 'Nothing' })
      .onConflict((oc) => oc.doNothing())
      .execute();
    await test.context.platform
      .updateTable('users')
      .set({ roleId: await roleIdOf(test, 'Nothing') })
      .where('id', '=', userId)
      .execute();
    expect([await statusOf(ofService), await writes()]).toEqual([403, 403]);
  });

  it('writes, as its owner, with its own name in the audit trail [DECISIONS §13]', async () => {
    const { account, token } = await person();
    const { key } = await issued(token, { name: 'nightly', scopes: ['faqs.write', 'faqs.read'] });
    const made = await test.call(faqRoutes.create, { token: key, body: { ...faq('KEYS'), createdBy: account.id } });
    expect(made.status).toBe(200);
    const entry = test.context.platform
      .selectFrom('auditEntries')
      .select(['action', 'actorId', 'actorName'])
      .where('entityId', '=', made.result.id);
    expect(await entry.execute()).toEqual([
      { action: 'faqs.create', actorId: account.id, actorName: `${account.userName} (API key nightly)` },
    ]);
    const forged = { ...faq('FORGED'), createdBy: '00000000-0000-4000-8000-000000000000' };
    expect(await test.call(faqRoutes.create, { token: key, body: forged })).toMatchObject({
      status: 400,
      errors: { createdBy: ['This is not the signed-in user.'] },
    });
  });

  it('starts operations, follows and cancels them as far as it has the permission [DECISIONS §13]', async () => {
    const { token } = await person();
    await test.call(tenantRoutes.create, { body: tenantInput('KEYED') });
    const { key } = await issued(token, { name: 'backups', scopes: ['databases.write'] });
    const query = { databaseName: 'KEYED' };
    const headers = { prefer: 'respond-async' };
    const begun = await test.call(backupRoutes.create, { token: key, query, headers });
    expect(begun.status).toBe(202);
    const { operationId: id } = begun.result;
    await expect
      .poll(async () => (await test.call(operationRoutes.get, { token: key, query: { id } })).result.state)
      .toBe('succeeded');
    const { result } = await test.call(operationRoutes.get, { token: key, query: { id } });
    expect(result.startedBy).toMatch(/ \(API key backups\)$/);
    const { key: reading } = await issued(token, { scopes: ['databases.read'] });
    expect(await test.call(operationRoutes.retry, { token: reading, query: { id } })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'databases.write'.",
    });
  });

  it('about the account, sessions and keys of a person is refused [DECISIONS §13]', async () => {
    const { account, token } = await person();
    const { key } = await issued(token, { scopes: ['users.write', 'users.read', 'sessions.manage'] });
    expect((await test.call(authRoutes.me, { token: key })).result).toMatchObject({ username: account.userName });
    for (const [route, options] of [
      [authRoutes.generateToken, { body: { name: 'x', minutes: 1 } }],
      [authRoutes.listSessions, {}],
      [authRoutes.endSession, { query: { id: account.id } }],
    ] as const) {
      expect(await test.call(route, { token: key, ...options }), route.path).toMatchObject({
        status: 403,
        message: 'An API key cannot make this call.',
      });
    }
  });

  it('of no owner changes the owner, and gives nobody more than the key has [DECISIONS §13]', async () => {
    const { account, token } = await person();
    const { key } = await issued(token, { scopes: ['users.write', 'users.read', 'permissions.write'] });
    const administrator = await roleIdOf(test, 'Administrator');
    const { platform } = test.context;
    const own = { ...userInput('renamed', administrator), id: account.id };
    expect(await test.call(userRoutes.edit, { token: key, body: own })).toMatchObject({
      status: 409,
      message: 'An API key cannot change its owner.',
    });
    const made = await test.call(userRoutes.create, { token: key, body: userInput('stronger', administrator) });
    expect(made).toMatchObject({ status: 403 });
    expect(made.message).toMatch(/^This user role has the permission '.+', which you do not have\.$/);
    await platform.insertInto('roles').values({ name: 'Growing' }).execute();
    const roleId = await roleIdOf(test, 'Growing');
    const idOf = async (identifier: string) =>
      (
        await platform
          .selectFrom('permissions')
          .select('id')
          .where('identifier', '=', identifier)
          .executeTakeFirstOrThrow()
      ).id;
    const grant = async (identifier: string) =>
      test.call(roleRoutes.editPermissions, { token: key, body: { roleId, permissionIds: [await idOf(identifier)] } });
    expect(await grant('tenants.delete')).toMatchObject({
      status: 403,
      message: "You do not have the permission 'tenants.delete'.",
    });
    expect((await grant('users.read')).status).toBe(200);
    expect((await test.call(userRoutes.create, { token: key, body: userInput('weaker', roleId) })).status).toBe(200);
  });

  it("gives menus and permissions of one's own, which no key can have, as far as its owner has them [DECISIONS §13]", async () => {
    const { key } = await issued((await person()).token, { scopes: ['users.write', 'permissions.write'] });
    const { platform } = test.context;
    const { id: roleId } = await platform
      .insertInto('roles')
      .values({ name: 'With a menu' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const fields = { id: randomUUID(), name: 'Daily Count', route: '#', icon: 'clipboard', sortOrder: 0, isMenu: true };
    const menu = await test.call(permissionRoutes.create, { token: key, body: { ...fields, roleIds: [roleId] } });
    expect(menu).toMatchObject({ status: 200 });
    const created = await test.call(userRoutes.create, { token: key, body: userInput('with a menu', roleId) });
    expect(created).toMatchObject({ status: 200 });

    const { key: ofOperator } = await issued(undefined, {
      userId: await service('operating', 'Operator'),
      scopes: ['users.write'],
    });
    const body = userInput('stronger menu', roleId);
    expect(await test.call(userRoutes.create, { token: ofOperator, body })).toMatchObject({
      status: 403,
      message: "This user role has the permission 'dailyCount', which you do not have.",
    });
  });

  it('is answered from memory and by 304 only where its key has the permission [DECISIONS §13]', async () => {
    const { token } = await person();
    const { key } = await issued(token, { scopes: ['tenants.read'] });
    const { key: without } = await issued(token, { scopes: ['users.read'] });
    const ask = (authorization: string, etag?: string) =>
      test.app.inject({
        url: '/api/tenant/get',
        headers: { authorization: `Bearer ${authorization}`, ...(etag && { 'if-none-match': etag }) },
      });
    const first = await ask(token);
    const etag = String(first.headers.etag);
    expect((await ask(key)).body).toBe(first.body);
    expect((await ask(key, etag)).statusCode).toBe(304);
    for (const refused of [await ask(without), await ask(without, etag)]) {
      expect([refused.statusCode, refused.headers.etag]).toEqual([403, undefined]);
    }
    await test.call(tenantRoutes.create, { body: tenantInput('NEWER') });
    expect((await ask(key, etag)).statusCode).toBe(200);
  });

  it('notes its last use once a minute, with the address [DECISIONS §13]', async () => {
    putRight(test.clock);
    const { token } = await person();
    const { id, key } = await issued(token);
    const use = async (address: string) => {
      await fromAddress(key, address);
      const row = test.context.platform.selectFrom('apiKeys').selectAll().where('id', '=', id);
      const { lastUsedAt, lastUsedAddress } = await row.executeTakeFirstOrThrow();
      return [lastUsedAt?.toISOString(), lastUsedAddress];
    };
    const first = test.clock.now.toISOString();
    expect(await use('203.0.113.1')).toEqual([first, '203.0.113.1']);
    test.clock.advance(59);
    expect(await use('203.0.113.2')).toEqual([first, '203.0.113.1']);
    test.clock.advance(1);
    expect(await use('203.0.113.3')).toEqual([test.clock.now.toISOString(), '203.0.113.3']);
    const right = test.clock.now;
    test.clock.advance(86_400);
    expect(await use('203.0.113.4')).toEqual([test.clock.now.toISOString(), '203.0.113.4']);
    // That clock was ahead.
    test.clock.now = right;
    expect(await use('203.0.113.5')).toEqual([right.toISOString(), '203.0.113.5']);
    // This one is behind.
    test.clock.advance(-3600);
    const behind = test.clock.now.toISOString();
    expect(await use('203.0.113.6')).toEqual([behind, '203.0.113.6']);
    expect(await use('203.0.113.7')).toEqual([behind, '203.0.113.6']);
  });

  it('goes on where no use can be noted, such as on a full disk [DECISIONS §13]', async () => {
    const { token } = await person();
    const { key } = await issued(token);
    expect(await whileUnwritable(test, 'api_keys', () => statusOf(key))).toBe(200);
  });

  it('goes on after a new password of its owner, which ends sessions [DECISIONS §13]', async () => {
    const { account, token } = await person('Viewer');
    const { key } = await issued(token);
    const roleId = await roleIdOf(test, 'Viewer');
    const body = { ...userInput(account.userName, roleId), id: account.id };
    expect((await test.call(userRoutes.edit, { body })).status).toBe(200);
    expect([await statusOf(token), await statusOf(key)]).toEqual([401, 200]);
  });
});

describe('the addresses of a key', () => {
  it.each([
    [['203.0.113.7'], '203.0.113.7', 200],
    [['203.0.113.7'], '203.0.113.8', 401],
    [['203.0.113.7'], '::ffff:203.0.113.7', 200],
    [['203.0.113.0/25'], '203.0.113.127', 200],
    [['203.0.113.0/25'], '203.0.113.128', 401],
    [['2001:db8::/48'], '2001:db8:0:ffff::1', 200],
    [['2001:db8::/48'], '2001:db8:1::1', 401],
    [['2001:DB8:0:0::1'], '2001:db8::1', 200],
    [['fe80::/10'], 'fe80::1%eth0', 200],
    [['10.0.0.0/8', '::1'], '::1', 200],
    [['0.0.0.0/0'], '198.51.100.1', 200],
    [['0.0.0.0/0'], '2001:db8::1', 401],
  ])('%j: from %s it is a %i [DECISIONS §13]', async (addresses, address, status) => {
    const { key } = await issued((await person('Viewer')).token, { addresses });
    expect(await fromAddress(key, address)).toBe(status);
  });

  it('are those that trusted proxies tell, and no others [DECISIONS §13]', async () => {
    const { key } = await issued((await person('Viewer')).token, { addresses: ['203.0.113.0/24'] });
    expect(await fromAddress(key, BALANCER, '203.0.113.9')).toBe(200);
    expect(await fromAddress(key, BALANCER, '198.51.100.1')).toBe(401);
    expect(await fromAddress(key, BALANCER, '203.0.113.9, 198.51.100.1')).toBe(401);
    expect(await fromAddress(key, '198.51.100.1', '203.0.113.9')).toBe(401);
    expect(await fromAddress(key, BALANCER)).toBe(401);
  });
});

describe('a key that is refused', () => {
  it('says why to who has it, and is audited once a minute at most [DECISIONS §13]', async () => {
    putRight(test.clock);
    const { account, token } = await person();
    const { id, key } = await issued(token, { name: 'stolen', addresses: ['10.0.0.1'] });
    for (let call = 0; call < 20; call += 1) await fromAddress(key, '198.51.100.1');
    const notes = async () => (await audited(id)).filter(({ action }) => action === 'auth.key-refused');
    expect(await notes()).toEqual([
      {
        action: 'auth.key-refused',
        actorId: account.id,
        actorName: `${account.userName} (API key stolen)`,
        address: '198.51.100.1',
        changes: { reason: 'address' },
      },
    ]);
    // That goes by PostgreSQL's clock, which no test sets.
    const text = 'update api_keys set refused_at = refused_at + $2::interval where id = $1';
    const shift = (interval: string) => test.context.pool.query(text, [id, interval]);
    await shift('-1 minute');
    await Promise.all(Array.from({ length: 10 }, () => fromAddress(key, '198.51.100.2')));
    expect((await notes()).map(({ address }) => address)).toEqual(['198.51.100.1', '198.51.100.2']);
    await shift('1 day');
    // That clock was ahead.
    await fromAddress(key, '198.51.100.3');
    // A server whose clock is behind, and one whose clock is right.
    for (const seconds of [-3600, 3600]) {
      test.clock.advance(seconds);
      await fromAddress(key, '198.51.100.4');
    }
    expect((await notes()).map(({ address }) => address).slice(2)).toEqual(['198.51.100.3']);
    await shift('-1 minute');
    test.clock.advance(-3600);
    await fromAddress(key, '198.51.100.5');
    expect((await notes()).map(({ address }) => address).slice(3)).toEqual(['198.51.100.5']);
  });

  it('in a call that an idempotency key came with is nothing that the call has made [DECISIONS §13]', async () => {
    const { token } = await person();
    const { key } = await issued(token, { expiresOnUtc: new Date(test.clock.now.getTime() + 60_000).toISOString() });
    const presented = readKey(key);
    if (!presented) throw new Error('This is no API key.');
    test.clock.advance(60);
    const { now } = test.clock;
    const call = { caller: presented.publicId, key: 'once', request: Buffer.of(1), attempt: randomUUID() };
    const { platform } = test.context;
    await takeKey(platform, call, now);
    const asked = attemptCall(call, () => requireKey(test.context, presented, { permission: 'faqs.read' }, '10.0.0.1'));
    await expect(asked).rejects.toMatchObject({ code: 'key-refused' });
    expect(await findKeptCall(platform, call)).toMatchObject({ madeId: null, operationId: null });
  });

  it('at the moment of its end is expired, not a millisecond before [DECISIONS §13]', async () => {
    const { token } = await person();
    const expiresOnUtc = new Date(test.clock.now.getTime() + 60_000).toISOString();
    const { key } = await issued(token, { expiresOnUtc });
    test.clock.advance(59.999);
    expect(await statusOf(key)).toBe(200);
    test.clock.advance(0.001);
    expect(await listTenants(key)).toMatchObject({ status: 401, message: 'This API key has expired.' });
  });

  it('of an owner who is not active says so [DECISIONS §13]', async () => {
    const { account, token } = await person();
    const { key } = await issued(token);
    const { platform } = test.context;
    await platform.updateTable('users').set({ isActive: false }).where('id', '=', account.id).execute();
    expect(await listTenants(key)).toMatchObject({
      status: 401,
      message: 'The owner of this API key is not active.',
    });
  });

  it('is refused also while the body of its call is on its way [DECISIONS §13]', async () => {
    const { token } = await person();
    const { id, key } = await issued(token, { scopes: ['faqs.write'] });
    const payload = new Readable({ read: () => {} });
    payload.push('{"name":"LATE",');
    const answer = other.inject({
      method: 'POST',
      url: '/api/faq/create',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload,
    });
    await expect.poll(async () => (await findKey(test.context.platform, id))?.lastUsedAt).toEqual(test.clock.now);
    await revoke(token, id);
    payload.push('"code":"LATE","isActive":true,"published":true}');
    payload.push(null);
    expect((await answer).statusCode).toBe(401);
  });
});

it(`no call that begins after the answer to a revocation is let through, in ${RACES} races over two servers [DECISIONS §13]`, async () => {
  const { token } = await person();
  const ask = async (key: string, app: FastifyInstance) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await app.inject({ url: '/api/tenant/get', headers })).statusCode;
  };
  const seen = { during: new Set<number>(), after: new Set<number>() };
  for (let race = 0; race < RACES; race += 1) {
    const { id, key } = await issued(token);
    const apps = [test.app, other, test.app, other];
    const before = apps.map((app) => ask(key, app));
    const ending = race % 2 === 0 ? revoke(token, id) : rotate(token, { id, overlapHours: 0 });
    const during = apps.map((app) => ask(key, app));
    const { status } = await ending;
    expect(status).toBe(200);
    const after = apps.map((app) => ask(key, app));
    for (const answer of await Promise.all([...before, ...during])) seen.during.add(answer);
    for (const answer of await Promise.all(after)) seen.after.add(answer);
    if (race % 2 === 1) await revoke(token, id);
  }
  expect(seen.after).toEqual(new Set([401]));
  // How many of the calls at the same time come first is a matter of the machine.
  expect([...seen.during].filter((status) => status !== 200 && status !== 401)).toEqual([]);
});

it(`of ${MUTATIONS} mutated keys none is accepted, and none is a server error [DECISIONS §13]`, async () => {
  const { token } = await person();
  const first = await issued(token);
  const second = await issued(token);
  const mutations: ((key: string) => string)[] = [
    (key) => flipped(key, randomInt(key.length)),
    (key) => key.slice(0, randomInt(4, key.length)),
    (key) => key + key.slice(randomInt(key.length)),
    (key) => key.toUpperCase().replace('APK', 'apk'),
    (key) => key.replace('apk_', ['apk-', 'apk__', 'APK_', 'apk_ ', ' apk_', 'apk_%00', 'api_'][randomInt(7)] ?? ''),
    // Whole in themselves: the checksum is right, and the database is asked.
    () => makeKey(first.key.slice(4, 15)).key,
    () => makeKey().key,
    (key) => key.slice(0, 16) + second.key.slice(16),
    (key) => `${key.slice(0, 15)}.${key.slice(16)}`,
    (key) => Buffer.from(key).toString('base64'),
    (key) => `${key}${'A'.repeat(randomInt(1, 5000))}`,
    () => `apk_${"';drop"}_${'-'.repeat(49)}`,
  ];
  const tried = Array.from({ length: MUTATIONS }, (_, at) => {
    const mutate = mutations[at % mutations.length] ?? String;
    return mutate(first.key);
  });
  expect(tried.filter((key) => key === first.key || key === second.key)).toEqual([]);
  const statuses = await Promise.all(tried.map(statusOf));
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await Promise.all([first, second].map(({ key }) => statusOf(key)))).toEqual([200, 200]);
});

/** A key with one bit of a character changed. */
function flipped(key: string, at: number): string {
  const bytes = Buffer.from(key, 'latin1');
  bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(5));
  return bytes.toString('latin1');
}
