import { API_KEY_LIMIT, apiKey, apiKeyList, apiKeyRoutes } from '@apotheca/contract/api-keys';
import { authRoutes } from '@apotheca/contract/auth';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useApiKeys } from '../../../testing/api-keys.ts';
import { useTestApp } from '../../../testing/app.ts';
import { forgetOldSessions } from '../sessions.service.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const DAY = 24 * 3600;

const test = useTestApp();
const { create, issued, person, service, rotate, revoke, list, audited } = useApiKeys(test);

let begin: Date;
beforeAll(() => {
  begin = test.clock.now;
});
afterEach(() => {
  test.clock.now = begin;
});

const statusOf = async (token: string) => (await test.call(tenantRoutes.list, { token })).status;
const inDays = (days: number) => new Date(test.clock.now.getTime() + days * DAY * 1000).toISOString();

describe('POST /apikeys/create', () => {
  it('issues a key that is shown once, and keeps only its hash [DECISIONS §13]', async () => {
    const { account, token } = await person();
    const answer = await create(token, { name: 'nightly-import', addresses: ['10.0.0.0/8'] });
    expect(answer).toMatchObject({ status: 200, message: 'The API key is shown only once.' });
    const { id, key, expiresOnUtc } = answer.result;
    expect(key).toMatch(/^apk_/);
    expect(expiresOnUtc).toBe(inDays(90));
    const row = await test.context.platform.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row?.secretHash).toHaveLength(32);
    expect(JSON.stringify([row, (await list(token)).result])).not.toContain(key.slice(16));
    expect(await audited(id)).toEqual([
      {
        action: 'auth.key-created',
        actorId: account.id,
        actorName: account.userName,
        address: '127.0.0.1',
        changes: {
          owner: account.userName,
          name: 'nightly-import',
          scopes: ['tenants.read'],
          addresses: ['10.0.0.0/8'],
          expiresAt: inDays(90),
        },
      },
    ]);
  });

  it('needs a session: no API token and no API key makes keys [DECISIONS §13]', async () => {
    const { token } = await person();
    expect(await create('', {})).toMatchObject({ status: 200 });
    const body = { name: 'x', scopes: ['tenants.read'] };
    expect((await test.call(apiKeyRoutes.create, { token: null, body })).status).toBe(401);
    const { result } = await test.call(authRoutes.generateToken, { token, body: { name: 'x', minutes: 5 } });
    expect(await create(result.accessToken)).toMatchObject({ status: 403, message: 'This API token can only read.' });
    const { id, key } = await issued(token, { scopes: ['users.write', 'tenants.read'] });
    const refused = { status: 403, message: 'An API key cannot make this call.' };
    expect(await create(key)).toMatchObject(refused);
    expect(await rotate(key, { id })).toMatchObject(refused);
    expect(await revoke(key, id)).toMatchObject(refused);
  });

  it('names every field that is wrong [DECISIONS §13]', async () => {
    const { token } = await person();
    const errorsOf = async (body: unknown) => (await test.call(apiKeyRoutes.create, { token, body })).errors;
    expect(await errorsOf({})).toEqual({
      name: ['Name is required'],
      scopes: ['Choose at least one permission'],
    });
    expect(await errorsOf({ name: 'x'.repeat(51), scopes: [], addresses: [''], expiresOnUtc: 'soon' })).toEqual({
      name: ['Name should not be more than 50 characters'],
      scopes: ['Choose at least one permission'],
      'addresses.0': ['An address is empty'],
      expiresOnUtc: ['Expires must be a moment such as 2026-12-31T12:00:00Z'],
    });
    expect(await errorsOf({ name: 'x', scopes: ['tenants.own'] })).toEqual({
      'scopes.0': ['This permission is unknown'],
    });
    for (const address of ['10.0.0.0/33', 'localhost', 'fe80::1%eth0', '10.0.0.1/8/8', '::1/129']) {
      expect(await errorsOf({ name: 'x', scopes: ['tenants.read'], addresses: [address] }), address).toEqual({
        addresses: [`'${address}' is neither an address nor a range such as 10.0.0.0/8.`],
      });
    }
  });

  it('gives a person at most a year, a service account two, and nobody for ever [DECISIONS §13]', async () => {
    const { token } = await person();
    const userId = await service('lives');
    const expiryOf = async (fields: { expiresOnUtc?: string; userId?: string }) => {
      const { result, errors } = await create(token, fields);
      return errors?.expiresOnUtc?.[0] ?? result.expiresOnUtc;
    };
    expect(await expiryOf({ expiresOnUtc: inDays(365) })).toBe(inDays(365));
    const late = new Date(test.clock.now.getTime() + 365 * DAY * 1000 + 1).toISOString();
    expect(await expiryOf({ expiresOnUtc: late })).toBe('An API key lives at most 365 days');
    expect(await expiryOf({ userId, expiresOnUtc: inDays(730) })).toBe(inDays(730));
    expect(await expiryOf({ userId, expiresOnUtc: inDays(731) })).toBe('An API key lives at most 730 days');
    expect(await expiryOf({ expiresOnUtc: test.clock.now.toISOString() })).toBe('The last day must not have passed');
    expect(await expiryOf({ expiresOnUtc: '2027-01-01T00:00:00+02:00' })).toBe('2026-12-31T22:00:00.000Z');
  });

  it('gives nothing that the caller or the owner lacks, and audits the attempt [DECISIONS §13]', async () => {
    const { account, token } = await person('Operator');
    expect(await create(token, { scopes: ['tenants.read', 'tenants.delete'] })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'tenants.delete'.",
    });
    const viewing = await service('viewing', 'Viewer');
    expect(await create(undefined, { userId: viewing, scopes: ['tenants.write'] })).toMatchObject({
      status: 400,
      errors: { scopes: ["The role of 'viewing' does not have the permission 'tenants.write'."] },
    });
    const strong = await service('strong');
    expect(await create(token, { userId: strong, scopes: ['tenants.delete'] })).toMatchObject({ status: 403 });
    expect(await create(token, { userId: strong, scopes: ['tenants.write'] })).toMatchObject({ status: 200 });
    const refusals = test.context.platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('action', '=', 'auth.refused')
      .where('actorId', '=', account.id);
    expect(await refusals.execute()).toEqual([
      { changes: { path: '/apikeys/create', reason: 'not-allowed', permission: 'tenants.delete' } },
      { changes: { path: '/apikeys/create', reason: 'not-allowed', permission: 'tenants.delete' } },
    ]);
  });

  it('makes keys of others for service accounts only, which needs users.write [DECISIONS §13]', async () => {
    const { token } = await person();
    const { account: other } = await person('Viewer');
    expect(await create(token, { userId: other.id })).toMatchObject({
      status: 409,
      message: 'People make their API keys themselves.',
    });
    expect((await create(token, { userId: NOBODY })).status).toBe(404);
    const { token: viewer } = await person('Viewer');
    const userId = await service('managed', 'Viewer');
    expect(await create(viewer, { userId })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'users.write'.",
    });
    expect((await create(token, { userId })).status).toBe(200);
  });

  it('names are unique among the valid keys of one owner, in any case [DECISIONS §13]', async () => {
    const { token } = await person();
    const { id } = await issued(token, { name: 'Import' });
    expect(await create(token, { name: 'IMPORT' })).toMatchObject({
      status: 409,
      errors: { name: ['A valid key has this name: use another.'] },
    });
    expect((await create((await person()).token, { name: 'Import' })).status).toBe(200);
    await revoke(token, id);
    expect((await create(token, { name: 'import' })).status).toBe(200);
  });

  it('gives an owner at most 20 valid keys, and one of a name, also to parallel calls [DECISIONS §13]', async () => {
    const { token } = await person();
    const same = await Promise.all(Array.from({ length: 5 }, () => create(token, { name: 'one' })));
    expect(same.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const many = await Promise.all(Array.from({ length: API_KEY_LIMIT + 4 }, () => create(token)));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(API_KEY_LIMIT - 1);
    expect((await create(token)).message).toBe('There are 20 valid API keys: please revoke one of them first.');
  });
});

describe('GET /apikeys/get', () => {
  it('lists own keys, newest first, in the shape of the contract [DECISIONS §13]', async () => {
    const { token } = await person();
    const first = await issued(token, { name: 'first', expiresOnUtc: inDays(1) });
    test.clock.advance(60);
    const second = await issued(token, { name: 'second', addresses: ['::1', '127.0.0.0/8'] });
    expect(await statusOf(second.key)).toBe(200);
    const { result } = await list(token);
    const strict = z.strictObject({ ...apiKeyList.shape, keys: z.array(z.strictObject(apiKey.shape)) });
    expect(strict.parse(result)).toEqual(result);
    expect(result.keys).toMatchObject([
      {
        name: 'second',
        prefix: second.key.slice(0, 15),
        isExpired: false,
        lastUsedOnUtc: test.clock.now.toISOString(),
        lastUsedAddress: '127.0.0.1',
        previousUntilUtc: null,
      },
      { name: 'first', prefix: first.key.slice(0, 15), lastUsedOnUtc: null, lastUsedAddress: '' },
    ]);
    // The key may ask for its owner's keys too.
    expect((await list(second.key)).result.keys).toHaveLength(2);
  });

  it('lists those of others to who has users.write [DECISIONS §13]', async () => {
    const userId = await service('listed', 'Viewer');
    await issued(undefined, { userId, name: 'of the service' });
    expect((await list(undefined, userId)).result.keys).toMatchObject([{ name: 'of the service' }]);
    expect((await list(undefined, NOBODY)).status).toBe(404);
    const { token } = await person('Viewer');
    expect(await list(token, userId)).toMatchObject({
      status: 403,
      message: "You do not have the permission 'users.write'.",
    });
  });
});

describe('the permissions that a new key may have', () => {
  it('are those that its owner and its maker both have [DECISIONS §13]', async () => {
    const scopesOf = async (token: string | undefined, userId?: string) => (await list(token, userId)).result.scopes;
    const accessing = (...accesses: string[]) =>
      PERMISSION_CATALOGUE.filter(({ access }) => accesses.includes(access)).map(({ identifier }) => identifier);
    const { token } = await person('Operator');
    expect(await scopesOf(token)).toEqual(accessing('read', 'write'));
    expect(await scopesOf(token, await service('of everything'))).toEqual(accessing('read', 'write'));
    expect(await scopesOf(token, await service('of a viewer', 'Viewer'))).toEqual(accessing('read'));
  });
});

describe('POST /apikeys/rotate', () => {
  it('gives a new secret at once and keeps the old one for the chosen time, to its border [DECISIONS §13]', async () => {
    const { account } = await person();
    const signIn = async () => (await test.signIn(account.userName)).result.accessToken;
    const { id, key } = await issued(await signIn());
    const answer = await rotate(await signIn(), { id, overlapHours: 168, expiresOnUtc: inDays(200) });
    expect(answer.status).toBe(200);
    const { key: newer, expiresOnUtc } = answer.result;
    expect(expiresOnUtc).toBe(inDays(200));
    expect(newer.slice(0, 15)).toBe(key.slice(0, 15));
    expect(await Promise.all([statusOf(key), statusOf(newer)])).toEqual([200, 200]);
    expect((await list(await signIn())).result.keys).toMatchObject([{ previousUntilUtc: inDays(7) }]);
    test.clock.advance(7 * DAY - 0.001);
    expect(await Promise.all([statusOf(key), statusOf(newer)])).toEqual([200, 200]);
    test.clock.advance(0.001);
    expect(await test.call(tenantRoutes.list, { token: key })).toMatchObject({
      status: 401,
      message: 'This API key was rotated: please use the new one.',
    });
    expect(await statusOf(newer)).toBe(200);
    expect((await list(await signIn())).result.keys).toMatchObject([{ previousUntilUtc: null }]);
    const [, rotation, refusal] = await audited(id);
    expect(rotation).toMatchObject({ action: 'auth.key-rotated', changes: { overlapHours: 168 } });
    expect(refusal).toMatchObject({ action: 'auth.key-refused', changes: { reason: 'rotated' } });
  });

  it('without overlap refuses the old secret at once; with one, the secret before that [DECISIONS §13]', async () => {
    const { token } = await person();
    const { id, key } = await issued(token);
    const { key: second } = (await rotate(token, { id, overlapHours: 0 })).result;
    expect(await Promise.all([statusOf(key), statusOf(second)])).toEqual([401, 200]);
    const { key: third } = (await rotate(token, { id })).result;
    const { key: fourth } = (await rotate(token, { id })).result;
    const all = [key, second, third, fourth];
    expect(await Promise.all(all.map(statusOf))).toEqual([401, 401, 200, 200]);
    await revoke(token, id);
    expect(await Promise.all(all.map(statusOf))).toEqual([401, 401, 401, 401]);
  });

  it('by a clock that was a year ahead keeps the old secret for no year [DECISIONS §13]', async () => {
    const { account } = await person();
    const signIn = async () => (await test.signIn(account.userName)).result.accessToken;
    const token = await signIn();
    test.clock.advance(365 * DAY);
    const { id, key } = await issued(await signIn());
    const { key: newer } = (await rotate(await signIn(), { id, overlapHours: 168 })).result;
    test.clock.now = begin;
    expect(await Promise.all([statusOf(key), statusOf(newer)])).toEqual([401, 200]);
    expect((await list(token)).result.keys).toMatchObject([{ previousUntilUtc: null }]);
    expect((await audited(id)).at(-1)).toMatchObject({ changes: { reason: 'rotated' } });
  });

  it('never prolongs the old secret [DECISIONS §13]', async () => {
    const { account } = await person();
    const signIn = async () => (await test.signIn(account.userName)).result.accessToken;
    const { id, key } = await issued(await signIn(), { expiresOnUtc: inDays(1) });
    const { key: newer } = (await rotate(await signIn(), { id, overlapHours: 168 })).result;
    test.clock.advance(DAY);
    expect(await Promise.all([statusOf(key), statusOf(newer)])).toEqual([401, 200]);
  });

  it('refuses what is no valid key of the caller, and overlaps beyond 7 days [DECISIONS §13]', async () => {
    const { account, token } = await person('Operator');
    const { id } = await issued(token, { expiresOnUtc: inDays(1) });
    expect((await rotate(token, { id: NOBODY })).status).toBe(404);
    expect(await rotate(undefined, { id })).toMatchObject({ status: 409, title: 'Protected' });
    for (const overlapHours of [-1, 169, 1.5, 'x']) {
      expect((await rotate(token, { id, overlapHours })).status, String(overlapHours)).toBe(400);
    }
    const strong = await service('rotated');
    const ofService = await issued(undefined, { userId: strong, scopes: ['tenants.delete'] });
    expect(await rotate(token, { id: ofService.id })).toMatchObject({ status: 403 });
    test.clock.advance(DAY);
    const { accessToken } = (await test.signIn(account.userName)).result;
    expect(await rotate(accessToken, { id })).toMatchObject({ status: 409 });
    await revoke(accessToken, id);
    expect((await rotate(accessToken, { id })).status).toBe(404);
  });

  it('of two at once leaves two secrets, the newest and one before it [DECISIONS §13]', async () => {
    const { token } = await person();
    const { id, key } = await issued(token);
    const answers = await Promise.all([rotate(token, { id }), rotate(token, { id })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all([key, ...answers.map(({ result }) => result.key)].map(statusOf))).toEqual([401, 200, 200]);
  });
});

describe('DELETE /apikeys/delete', () => {
  it('revokes a key at once, for good, and is audited [DECISIONS §13]', async () => {
    const { token } = await person();
    const { id, key } = await issued(token, { name: 'gone' });
    expect(await revoke(token, id)).toMatchObject({ status: 200, message: 'The API key has been revoked.' });
    expect(await test.call(tenantRoutes.list, { token: key })).toMatchObject({
      status: 401,
      title: 'API key refused',
      message: 'This API key was revoked.',
    });
    expect((await revoke(token, id)).status).toBe(404);
    expect((await list(token)).result.keys).toEqual([]);
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      'auth.key-created',
      'auth.key-revoked',
      'auth.key-refused',
    ]);
  });

  it('of anybody is allowed to who has users.write, so that a leaked key can be ended [DECISIONS §13]', async () => {
    const { token } = await person();
    const { id, key } = await issued(token);
    const { token: viewer } = await person('Viewer');
    expect((await revoke(viewer, id)).status).toBe(403);
    expect(await statusOf(key)).toBe(200);
    expect((await revoke(undefined, id)).status).toBe(200);
    expect(await statusOf(key)).toBe(401);
  });
});

describe('the end of an owner', () => {
  it('ends the keys: deactivated, also when activated again, and deleted [DECISIONS §13]', async () => {
    const userId = await service('ending');
    const { key } = await issued(undefined, { userId });
    await test.call(userRoutes.deactivate, { query: { id: userId } });
    expect(await statusOf(key)).toBe(401);
    expect((await create(undefined, { userId })).status).toBe(409);
    await test.call(userRoutes.activate, { query: { id: userId } });
    expect(await statusOf(key)).toBe(401);
    const { key: other } = await issued(undefined, { userId });
    expect(await statusOf(other)).toBe(200);
    await test.call(userRoutes.delete, { query: { id: userId } });
    expect(await statusOf(other)).toBe(401);
    expect((await create(undefined, { userId })).status).toBe(404);
  });
});

// The last one: what is forgotten with it are also sessions of the tests before.
describe('an expired key', () => {
  it('is shown until it is revoked or forgotten [DECISIONS §13]', async () => {
    const { account } = await person();
    const signIn = async () => (await test.signIn(account.userName)).result.accessToken;
    const { id } = await issued(await signIn(), { name: 'old', expiresOnUtc: inDays(1) });
    test.clock.advance(2 * DAY);
    const shown = async () => (await list(await signIn())).result.keys;
    expect(await shown()).toMatchObject([{ id, isExpired: true }]);
    expect((await create(await signIn(), { name: 'old' })).status).toBe(200);
    await forgetOldSessions(test.context, 2);
    expect(await shown()).toHaveLength(2);
    test.clock.advance(2 * DAY);
    await forgetOldSessions(test.context, 2);
    expect(await shown()).toHaveLength(1);
  });
});
