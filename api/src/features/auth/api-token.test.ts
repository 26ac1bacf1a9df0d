import { PassThrough } from 'node:stream';
import { auditRoutes } from '@apotheca/contract/audit';
import { API_TOKEN_LIMIT, authRoutes } from '@apotheca/contract/auth';
import { databaseRoutes } from '@apotheca/contract/databases';
import { roleRoutes } from '@apotheca/contract/roles';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Account, insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { patiently } from '../../testing/patiently.ts';

const test = useTestApp();
const MINUTE = 60;

const generate = (token: string, body: unknown) => test.call(authRoutes.generateToken, { token, body });
const statusOf = async (token: string) => (await test.call(authRoutes.me, { token })).status;

async function signInNew(
  role = 'Administrator',
): Promise<{ account: Account; accessToken: string; refreshToken: string }> {
  const account = await insertAccount(test, { role });
  return { account, ...(await signInTo(test, account)) };
}

/** Makes a new user with an API token. */
async function newApiToken({
  role = 'Administrator',
  minutes = 10,
} = {}): Promise<{ account: Account; token: string }> {
  const { account, accessToken } = await signInNew(role);
  const { result } = await generate(accessToken, { name: 'Nightly report', minutes });
  return { account, token: result.accessToken };
}

const sessionOf = (token: string) =>
  test.context.platform
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', String(decodeJwt(token).sid))
    .executeTakeFirstOrThrow();

describe('POST /auth/generate-token', () => {
  it('needs a signed-in user [§7.1]', async () => {
    const answer = await test.call(authRoutes.generateToken, { token: null, body: { name: 'x', minutes: 1 } });
    expect(answer).toMatchObject({ status: 401, message: 'Please sign in.' });
  });

  it('gives a user at most 20 valid ones, also to parallel calls [DECISIONS §4]', async () => {
    const { accessToken } = await signInNew();
    const ask = () => generate(accessToken, { name: 'One of many', minutes: 10 });
    const answers = await Promise.all(Array.from({ length: API_TOKEN_LIMIT + 5 }, () => patiently(ask)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(API_TOKEN_LIMIT);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await ask()).message).toBe('You have 20 API tokens that are valid: please end one of them first.');
    expect((await generate((await signInNew()).accessToken, { name: 'x', minutes: 1 })).status).toBe(200);
    test.clock.advance(10 * MINUTE);
    expect((await ask()).status).toBe(200);
  });

  it.each([
    { body: {}, errors: { name: ['Name is required'], minutes: ['minutes must be a whole number'] } },
    {
      body: { name: ' ', minutes: 0 },
      errors: { name: ['Name is required'], minutes: ['minutes must be at least 1'] },
    },
    { body: { name: 'x', minutes: 1441 }, errors: { minutes: ['minutes must be at most 1440'] } },
    { body: { name: 'x', minutes: -1 }, errors: { minutes: ['minutes must be at least 1'] } },
    { body: { name: 'x', minutes: 1.5 }, errors: { minutes: ['minutes must be a whole number'] } },
    { body: { name: 'x', minutes: '5' }, errors: { minutes: ['minutes must be a whole number'] } },
    {
      body: { name: 'x'.repeat(101), minutes: 1 },
      errors: { name: ['Name should not be more than 100 characters'] },
    },
  ])('refuses $body [§7.1]', async ({ body, errors }) => {
    const { account, accessToken } = await signInNew('Viewer');
    const answer = await generate(accessToken, body);
    expect(answer).toMatchObject({ status: 400, success: false });
    expect(answer.errors).toEqual(errors);
    const sessions = test.context.platform.selectFrom('sessions').select('kind').where('userId', '=', account.id);
    expect(await sessions.execute()).toEqual([{ kind: 'console' }]);
  });

  it('leaves none if the session ends while the body is on its way [DECISIONS §4]', async () => {
    const { account, accessToken, refreshToken } = await signInNew();
    const sessions = test.context.platform.selectFrom('sessions').select('kind').where('userId', '=', account.id);
    // So that the session is noted as used when the headers have arrived.
    test.clock.advance(2 * MINUTE);
    const payload = new PassThrough();
    const answer = test.app.inject({
      method: 'POST',
      url: '/identity/auth/generate-token',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      payload,
    });
    await expect.poll(() => sessions.where('lastSeenAt', '=', test.clock.now).execute()).toHaveLength(1);
    await test.call(authRoutes.logout, { token: null, body: { refreshToken } });
    payload.end(JSON.stringify({ name: 'Kept', minutes: 1440 }));
    expect((await answer).statusCode).toBe(401);
    expect(await sessions.execute()).toEqual([{ kind: 'console' }]);
  });

  it.each([1, 1440])('issues a token that is valid for %i minutes [§7.1]', async (minutes) => {
    const { accessToken } = await signInNew('Viewer');
    const issued = test.clock.now.getTime();
    const { status, result } = await generate(accessToken, { name: 'x'.repeat(100), minutes });
    expect({ status, expiresAt: result.expiresAt }).toEqual({
      status: 200,
      expiresAt: new Date(issued + minutes * MINUTE * 1000).toISOString(),
    });
    test.clock.advance(minutes * MINUTE - 1);
    expect(await statusOf(result.accessToken)).toBe(200);
    test.clock.advance(1);
    expect(await statusOf(result.accessToken)).toBe(401);
  });

  it('keeps the name, no refresh token, and an audit entry without the token [§7.1]', async () => {
    const { account, token } = await newApiToken({ role: 'Viewer' });
    const session = await sessionOf(token);
    expect(session).toMatchObject({ kind: 'api', name: 'Nightly report', refreshTokenHash: null, userId: account.id });
    const entry = test.context.platform.selectFrom('auditEntries').selectAll().where('entityId', '=', session.id);
    expect(await entry.executeTakeFirst()).toMatchObject({
      action: 'auth.generate-token',
      entity: 'sessions',
      actorId: account.id,
      changes: { name: 'Nightly report', minutes: 10 },
    });
  });
});

describe('an API token', () => {
  it('reads what its user may read [§7.1]', async () => {
    const { account, token } = await newApiToken();
    expect(await test.call(authRoutes.me, { token })).toMatchObject({ status: 200, result: { id: account.id } });
    expect(await test.call(tenantRoutes.list, { token })).toMatchObject({ status: 200 });
  });

  it('asks what a change of permissions would do, which changes nothing [§7.1]', async () => {
    const { token } = await newApiToken();
    const body = { roleId: await roleIdOf(test, 'Viewer'), permissionIds: [] };
    expect(await test.call(roleRoutes.planPermissions, { token, body })).toMatchObject({ status: 200 });
  });

  it.each([
    ['a write', tenantRoutes.create, { body: tenantInput('BYTOKEN') }],
    ['a deletion', tenantRoutes.delete, { query: { id: crypto.randomUUID() } }],
    [
      'a GET that writes',
      databaseRoutes.copy,
      { query: { copyFrom: 'A', tenantCode: 'B', databaseName: 'B', isCreateTenant: 'true' } },
    ],
    ['a verification of the audit trail', auditRoutes.verify, { body: {} }],
    ['another API token', authRoutes.generateToken, { body: { name: 'child', minutes: 1440 } }],
  ])('is refused %s, which is audited [§7.1]', async (_, route, input) => {
    const { account, token } = await newApiToken();
    const answer = await test.call(route, { ...input, token });
    expect(answer).toMatchObject({ status: 403, success: false, message: 'This API token can only read.' });
    expect(await test.context.platform.selectFrom('tenants').select('id').execute()).toEqual([]);
    const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'changes']);
    const refusals = await entries.where('entityId', '=', account.id).where('action', '=', 'auth.refused').execute();
    expect(refusals.map(({ changes }) => changes)).toEqual([{ path: route.path, reason: 'read-only-token' }]);
  });

  it("is refused what its user's role may not do, naming the permission [§6]", async () => {
    const { token } = await newApiToken({ role: 'Viewer' });
    const answer = await test.call(tenantRoutes.delete, { token });
    expect(answer).toMatchObject({ status: 403, message: "You do not have the permission 'tenants.delete'." });
  });

  it('cannot be refreshed [§7.1]', async () => {
    const { token } = await newApiToken();
    const { refreshToken } = await signInNew();
    const answer = await test.call(authRoutes.refresh, { token: null, body: { accessToken: token, refreshToken } });
    expect(answer).toMatchObject({ status: 401 });
  });

  it('ends at once with its user [§4]', async () => {
    const { account, token } = await newApiToken();
    await test.context.platform.updateTable('users').set({ isActive: false }).where('id', '=', account.id).execute();
    expect(await statusOf(token)).toBe(401);
  });
});
