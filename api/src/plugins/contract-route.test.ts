import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { authRoutes, sessionResult } from '@apotheca/contract/auth';
import { databaseRoutes } from '@apotheca/contract/databases';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../app.ts';
import { type Account, insertAccount, signInTo } from '../testing/accounts.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';

const test = useTestApp();
const NOWHERE = '00000000-0000-4000-8000-000000000000';
let operator: Account & { token: string };
let stranger: Account;

beforeAll(async () => {
  stranger = await insertAccount(test);
  const account = await insertAccount(test, { role: 'Operator' });
  operator = { ...account, token: (await signInTo(test, account)).accessToken };
});

const tenantCodes = async () =>
  (await test.context.platform.selectFrom('tenants').select('code').execute()).map(({ code }) => code);

const generate = (name: string) => test.call(authRoutes.generateToken, { body: { name, minutes: 1 } });

describe('the envelope of an answer', () => {
  it('has status, success, message and result [§7]', async () => {
    const { headers, ...answer } = await generate('report');
    expect(answer).toEqual({
      status: 200,
      success: true,
      message: 'The token is shown only once.',
      messageKeys: [{ key: 'The token is shown only once.', parameters: {} }],
      result: expect.any(Object),
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { headers: _, ...list } = await test.call(tenantRoutes.listEmrs);
    expect(Object.keys(list).toSorted()).toEqual(['message', 'result', 'status', 'success']);
    const { headers: __, ...asText } = await test.call(tenantRoutes.list);
    expect(asText).toEqual({ status: 200, success: true, message: '', result: expect.any(Array) });
  });

  it('holds no field that the contract does not declare [§7]', async () => {
    const { result } = await test.signIn(stranger.userName);
    expect(Object.keys(result).toSorted()).toEqual(Object.keys(sessionResult.shape).toSorted());
  });

  it('has the errors of query and body by field, the first one as message, and the keys of each [§8]', async () => {
    const answer = await test.call(tenantRoutes.create, {
      body: { ...tenantInput('X'), code: '', phone: '5'.repeat(21) },
    });
    expect(answer).toMatchObject({
      status: 400,
      success: false,
      title: 'Invalid request',
      message: 'Tenant CODE is required',
    });
    expect(Object.keys(answer.errors ?? {})).toEqual(['code', 'phone']);
    const required = { key: '{words} is required', parameters: { words: 'Tenant CODE' } };
    const tooLong = {
      key: '{words} should not be more than {n} characters',
      parameters: { words: 'Phone Number', n: '20' },
    };
    expect(answer).toMatchObject({
      messageKeys: [required],
      errorKeys: { code: [[required]], phone: [[tooLong]] },
    });
    const query = await test.call(tenantRoutes.delete, { query: { id: 'no uuid' } });
    expect(query).toMatchObject({ status: 400, message: 'Id is required', errors: { id: ['Id is required'] } });
  });
});

describe('text that PostgreSQL cannot hold', () => {
  const CANNOT = 'This text contains a character that cannot be stored';

  it.each([
    ['NUL', 'an\u0000na'],
    ['half a surrogate pair', 'anna\ud83d'],
    ['the other half', '\ude00anna'],
  ])('(%s) is a 400 that names the field, in any place [§5]', async (_, text) => {
    const refused = (field: string) => ({ status: 400, message: CANNOT, errors: { [field]: [CANNOT] } });
    expect(await test.signIn(text, 'wrong horse')).toMatchObject(refused('username'));
    expect(await test.signIn('anna', text.padEnd(9, '.'))).toMatchObject(refused('password'));
    expect(await generate(text)).toMatchObject(refused('name'));
    const city = await test.call(tenantRoutes.create, { body: tenantInput('UNSTORABLE', { city: text }) });
    expect(city).toMatchObject(refused('city'));
    expect(await tenantCodes()).not.toContain('UNSTORABLE');
  });

  it('is refused in a query as well [§5]', async () => {
    const query = { copyFrom: 'A\u0000', tenantCode: 'B', databaseName: 'B', isCreateTenant: 'true' };
    expect(await test.call(databaseRoutes.copy, { query })).toMatchObject({
      status: 400,
      errors: { copyFrom: [CANNOT] },
    });
  });

  it('leaves no trace in the audit trail [§5]', async () => {
    const entries = test.context.platform.selectFrom('auditEntries').select('id').where('actorName', 'like', '%nna%');
    await test.signIn('anna\ud83d', 'wrong horse');
    expect(await entries.execute()).toEqual([]);
  });

  it('is not refused for other scripts, emoji and line breaks [§5]', async () => {
    expect(await generate('日本語 😀 العربية')).toMatchObject({ status: 200 });
    expect(await generate('two\nlines')).toMatchObject({ status: 200 });
  });
});

describe('the sort of a list', () => {
  it.each(['nothing', 'CODE', 'id', 'code; drop table tenants', 'code desc', '', '__proto__', 'constructor'])(
    'by %j is a 400 that names sortColumn [§7.2]',
    async (sortColumn) => {
      const answer = await test.call(tenantRoutes.list, { query: { sortColumn } });
      expect(answer).toMatchObject({ status: 400, success: false });
      expect(answer.errors).toEqual({ sortColumn: [expect.stringMatching(/^sortColumn must be one of: code, /)] });
    },
  );

  it.each(['up', 'ASC', 'asc, 1', ''])(
    'in the direction %j is a 400 that names sortDirection [§7.2]',
    async (sortDirection) => {
      const answer = await test.call(tenantRoutes.list, { query: { sortDirection } });
      expect(answer.errors).toEqual({ sortDirection: ["sortDirection must be 'asc' or 'desc'"] });
    },
  );

  it('is a 400 if it is given twice [§7.2]', async () => {
    const url = '/api/tenant/get?sortColumn=code&sortColumn=emrId&sortDirection=asc&sortDirection=desc';
    const response = await test.app.inject({ url, headers: { authorization: `Bearer ${operator.token}` } });
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().errors)).toEqual(['sortColumn', 'sortDirection']);
  });
});

describe('createdBy, updatedBy and deletedBy', () => {
  const create = (code: string, createdBy: unknown) =>
    test.call(tenantRoutes.create, { token: operator.token, body: { ...tenantInput(code), createdBy } });

  it('naming another user are a 400 that says so, nothing is written, and the refusal is audited [§6, DECISIONS §12]', async () => {
    const refused = (stamp: string) => ({
      status: 400,
      message: 'The user named in the call is not the one signed in.',
      errors: { [stamp]: ['This is not the signed-in user.'] },
    });
    for (const id of [stranger.id, NOWHERE, 'admin'])
      expect(await create('FOREIGN', id)).toMatchObject(refused('createdBy'));
    const query = { id: NOWHERE, updatedBy: stranger.id };
    expect(await test.call(tenantRoutes.activate, { token: operator.token, query })).toMatchObject(
      refused('updatedBy'),
    );
    expect(await tenantCodes()).not.toContain('FOREIGN');
    const refusals = test.context.platform
      .selectFrom('auditEntries')
      .select(['actorId', 'changes'])
      .where('action', '=', 'auth.refused')
      .where('actorId', '=', operator.id)
      .orderBy('id', 'desc')
      .limit(2);
    const changes = (path: string, stamp: string) => ({ path, reason: 'wrong-caller', fields: [stamp] });
    expect(await refusals.execute()).toEqual([
      { actorId: operator.id, changes: changes('/tenant/activate', 'updatedBy') },
      { actorId: operator.id, changes: changes('/tenant/create', 'createdBy') },
    ]);
  });

  it('naming the signed-in user are accepted, and so are absent ones [§6]', async () => {
    expect(await create('OWN', operator.id)).toMatchObject({ status: 200 });
    const { createdBy } = await test.context.platform
      .selectFrom('tenants')
      .select('createdBy')
      .where('code', '=', 'OWN')
      .executeTakeFirstOrThrow();
    expect(createdBy).toBe(operator.id);
    const stamps: Record<string, string>[] = [{}, { updatedBy: '' }, { updatedBy: operator.id }];
    for (const stamp of stamps) {
      const query = { id: NOWHERE, ...stamp };
      const answer = await test.call(tenantRoutes.activate, { token: operator.token, query });
      expect(answer).toMatchObject({ status: 404 });
    }
  });

  it('are a 400 if they are no text [§6]', async () => {
    expect(await create('ODD', 5)).toMatchObject({ status: 400, errors: { createdBy: [expect.any(String)] } });
  });
});

describe('what a call does not declare', () => {
  it('is ignored, in query and body [§7]', async () => {
    const body = { ...tenantInput('EXTRA'), id: NOWHERE, createdOnUtc: '1999-01-01', tenant: { nested: true } };
    const { status, result } = await test.call(tenantRoutes.create, {
      body,
      query: { code: 'OTHER', databaseName: 'OTHER' },
    });
    expect(status).toBe(200);
    const row = test.context.platform.selectFrom('tenants').select(['id', 'createdAt']).where('code', '=', 'EXTRA');
    expect(await row.executeTakeFirst()).toEqual({ id: result.id, createdAt: test.clock.now });
    expect(result.id).not.toBe(NOWHERE);
    expect(await test.call(tenantRoutes.list, { query: { _: '1', limit: '1' } })).toMatchObject({ status: 200 });
  });
});

describe('a caller who goes while the server finds out who it is', () => {
  it('is gone for the handler too, which reads nothing more for it [DECISIONS §6]', async () => {
    const { platform, tenants } = test.context;
    const found = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    // Held here: PostgreSQL gives up who waits long for a lock.
    const held = platform.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        found.resolve();
        await gone.promise;
        return result;
      },
    });
    const handed = Promise.withResolvers<AbortSignal>();
    const until = (signal: AbortSignal) => {
      handed.resolve(signal);
      return tenants.until(signal);
    };
    const context = { ...test.context, platform: held, tenants: { ...tenants, until } };
    const app = await buildApp(context, { logLevel: 'silent' });
    onTestFinished(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1' });
    const asked = ask(app.server.address() as AddressInfo);
    await found.promise;
    asked.destroy();
    await expect.poll(() => openConnections(app.server)).toBe(0);
    gone.resolve();
    expect((await handed.promise).aborted).toBe(true);
  });

  const ask = ({ port }: AddressInfo) =>
    get({
      port,
      host: '127.0.0.1',
      path: `${BASE_PATHS.api}${databaseRoutes.details.path}?databaseName=NONE`,
      headers: { authorization: `Bearer ${operator.token}` },
    }).on('error', () => {});

  const openConnections = (server: Server) => promisify(server.getConnections.bind(server))();
});
