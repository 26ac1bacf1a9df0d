import { authRoutes } from '@apotheca/contract/auth';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { useApiKeys } from '../testing/api-keys.ts';
import { useTestApp } from '../testing/app.ts';
import { urlOf } from '../testing/routes.ts';

const test = useTestApp();
const keys = useApiKeys(test);
const LIMIT = 5;
let limited: FastifyInstance;
let token = '';

beforeAll(async () => {
  limited = await buildApp(test.context, { logLevel: 'fatal', callsPerMinute: LIMIT });
  ({ token } = await keys.person());
});
afterAll(() => limited.close());

const listTenants = (bearer: string) =>
  limited.inject({ url: urlOf(tenantRoutes.list), headers: { authorization: `Bearer ${bearer}` } });
const inTurn = async (count: number, bearer: string) => {
  const answers = [];
  for (let index = 0; index < count; index += 1) answers.push(await listTenants(bearer));
  return answers;
};

describe('a program that calls too often', () => {
  it('is told how many calls are left, then to wait, and is served again after a minute [§7]', async () => {
    const { key } = await keys.issued(token);
    const answers = await inTurn(LIMIT, key);
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.ratelimit])).toEqual(
      [4, 3, 2, 1, 0].map((left) => [200, `"minute";r=${left};t=60`]),
    );
    test.clock.advance(20);
    const refused = await listTenants(key);
    expect(refused.json()).toMatchObject({
      status: 429,
      message: 'You may make 5 calls a minute. Please wait and try again.',
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '40',
      ratelimit: '"minute";r=0;t=40',
      'ratelimit-policy': '"minute";q=5;w=60',
    });
    test.clock.advance(40);
    expect(await listTenants(key)).toMatchObject({ statusCode: 200 });
  });

  it('does not wait for what a clock counted that was a month ahead [§7]', async () => {
    const { key } = await keys.issued(token);
    const right = test.clock.now;
    test.clock.advance(30 * 24 * 60 * 60);
    await inTurn(LIMIT + 1, key);
    test.clock.now = right;
    expect(await listTenants(key)).toMatchObject({ statusCode: 200, headers: { ratelimit: '"minute";r=4;t=60' } });
  });

  it('counts for itself: another key of the same person, and an API token, have calls of their own [§7]', async () => {
    const first = await keys.issued(token);
    const second = await keys.issued(token);
    await inTurn(LIMIT + 1, first.key);
    expect(await listTenants(second.key)).toMatchObject({ statusCode: 200 });
    const issued = await test.call(authRoutes.generateToken, { token, body: { name: 'Report', minutes: 5 } });
    const statuses = (await inTurn(LIMIT + 1, issued.result.accessToken)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('has refused calls counted too, and a call with a body once [§7]', async () => {
    const { key } = await keys.issued(token, { scopes: ['faqs.read'] });
    const create = await limited.inject({
      method: 'POST',
      url: `${BASE_PATHS.api}${tenantRoutes.create.path}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([create.statusCode, create.headers.ratelimit]).toEqual([403, '"minute";r=4;t=60']);
    const { key: writer } = await keys.issued(token, { scopes: ['tenants.write'] });
    const invalid = await limited.inject({
      method: 'POST',
      url: `${BASE_PATHS.api}${tenantRoutes.create.path}`,
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([invalid.statusCode, invalid.headers.ratelimit]).toEqual([400, '"minute";r=4;t=60']);
  });

  it('is no person: nobody in the console is limited [§7]', async () => {
    const answers = await inTurn(2 * LIMIT, token);
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.ratelimit])).toEqual(
      Array(2 * LIMIT).fill([200, undefined]),
    );
  });
});
