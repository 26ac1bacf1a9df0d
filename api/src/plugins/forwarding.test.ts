import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { useTestApp } from '../testing/app.ts';

const PROXIES = ['10.1.0.0/16', '::1'];
const BALANCER = '10.1.0.2';

const test = useTestApp();
let app: typeof test.app;
beforeAll(async () => {
  app = await buildApp(test.context, { logLevel: 'silent', trustedProxies: PROXIES, hosts: ['console.test'] });
});
afterAll(() => app.close());

/** The address under which a refused sign-in stands in the audit trail. */
async function auditedAddress(remoteAddress: string, forwardedFor?: string): Promise<string | null | undefined> {
  const username = crypto.randomUUID();
  const answer = await app.inject({
    method: 'POST',
    url: '/identity/authenticate/authenticate',
    remoteAddress,
    headers: { host: 'console.test', ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) },
    payload: { username, password: 'wrong horse' },
  });
  expect(answer.statusCode).toBe(401);
  const entries = test.context.platform.selectFrom('auditEntries').select('address');
  return (await entries.where('actorName', '=', username).executeTakeFirst())?.address;
}

describe('the address of a caller', () => {
  it.each([
    ['is that of the connection', '198.51.100.7', undefined, '198.51.100.7'],
    ['is not believed to be another one', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['is what a trusted proxy says', BALANCER, '203.0.113.9', '203.0.113.9'],
    ['is that of a proxy without the header', BALANCER, undefined, BALANCER],
    ['is passed on by several trusted proxies', BALANCER, '203.0.113.9, 10.1.7.7', '203.0.113.9'],
    ['is the last that no trusted proxy has', BALANCER, '127.0.0.1, 198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['has no port', BALANCER, '203.0.113.9:52114', '203.0.113.9'],
    ['of IPv6 has no port', '::1', '[2001:db8::7]:52114', '2001:db8::7'],
    ['of IPv6 is what a trusted proxy says', '::1', '2001:db8::7', '2001:db8::7'],
    ['is not what is none', BALANCER, "unknown'; drop table users", BALANCER],
  ])('%s [DECISIONS §13]', async (_, connection, forwardedFor, expected) => {
    expect(await auditedAddress(connection, forwardedFor)).toBe(expected);
  });

  it('is what slows guesses down, behind a proxy too [§4] [DECISIONS §13]', async () => {
    await test.context.platform.deleteFrom('signInAttempts').execute();
    for (const address of ['203.0.113.1', '203.0.113.2']) await auditedAddress(BALANCER, address);
    const attempts = test.context.platform.selectFrom('signInAttempts').select('subject');
    const subjects = (await attempts.execute()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('address:'))).toHaveLength(2);
  });
});

describe('the protocol of a call', () => {
  const hstsOf = async (remoteAddress: string, protocol: string) => {
    const headers = { host: 'console.test', 'x-forwarded-proto': protocol };
    const answer = await app.inject({ url: '/config.json', remoteAddress, headers });
    return answer.headers['strict-transport-security'];
  };

  it('keeps browsers on TLS where a trusted proxy says that it is https [DECISIONS §13]', async () => {
    expect(await hstsOf(BALANCER, 'https')).toBe('max-age=31536000');
    expect(await hstsOf(BALANCER, 'http')).toBeUndefined();
    expect(await hstsOf('198.51.100.7', 'https')).toBeUndefined();
  });
});

describe('the name of the server', () => {
  const statusOf = async (remoteAddress: string, host: string, forwarded: string) =>
    (await app.inject({ url: '/config.json', remoteAddress, headers: { host, 'x-forwarded-host': forwarded } }))
      .statusCode;

  it('is what a trusted proxy says that the browser asked for, and nobody else [DECISIONS §13]', async () => {
    expect(await statusOf(BALANCER, 'inner:3000', 'console.test')).toBe(200);
    expect(await statusOf(BALANCER, 'console.test', 'other.test')).toBe(400);
    expect(await statusOf('198.51.100.7', 'inner:3000', 'console.test')).toBe(400);
    expect(await statusOf('198.51.100.7', 'console.test', 'other.test')).toBe(200);
  });
});

describe('operators’ routes', () => {
  it('answer no call that a proxy passed on, whatever address it names [DECISIONS §13]', async () => {
    const headers = { host: 'console.test', 'x-forwarded-for': '127.0.0.1' };
    expect((await app.inject({ url: '/metrics', remoteAddress: BALANCER, headers })).statusCode).toBe(404);
    expect(
      (await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers: { host: 'console.test' } })).statusCode,
    ).toBe(200);
  });
});
