import { existsSync } from 'node:fs';
import { FEATURES } from '@apotheca/contract/features';
import { PERMISSION_CATALOGUE, ROLES, type RoleName } from '@apotheca/contract/permission-catalogue';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './features/auth/tokens.ts';
import { insertAccount, signInTo } from './testing/accounts.ts';
import { useTestApp } from './testing/app.ts';

const test = useTestApp();
const tokens = {} as Record<RoleName | 'Nobody', string>;

beforeAll(async () => {
  await test.context.platform.insertInto('roles').values({ name: 'Nobody' }).execute();
  for (const role of [...ROLES.map(({ name }) => name), 'Nobody'] as const) {
    tokens[role] = (await signInTo(test, await insertAccount(test, { role }))).accessToken;
  }
});

const urlOf = ({ base, path }: ContractRoute) => BASE_PATHS[base] + path;
const titleOf = (route: ContractRoute) => `${route.method} ${urlOf(route)}`;
const PUBLIC = ROUTES.filter(({ permission }) => permission === 'public');
const PROTECTED = ROUTES.filter(({ permission }) => permission !== 'public');
const MUTATING_GETS = ROUTES.filter(({ mutates }) => mutates);

interface Call {
  token?: string;
  method?: string;
  headers?: Record<string, string>;
}

function send(route: ContractRoute, { token, method = route.method, headers = {} }: Call = {}) {
  const authorization = token && { authorization: `Bearer ${token}` };
  return test.app.inject({ method: method as 'GET', url: urlOf(route), headers: { ...authorization, ...headers } });
}

type Response = Awaited<ReturnType<typeof send>>;

/** Calls every route and puts what `read` makes of the answers beside their titles, so that a failure names the route. */
async function walk<T>(routes: readonly ContractRoute[], call: Call, read: (response: Response) => T) {
  const answers: Record<string, T> = {};
  for (const route of routes) answers[titleOf(route)] = read(await send(route, call));
  return answers;
}

const forAll = <T>(routes: readonly ContractRoute[], expected: (route: ContractRoute) => T) =>
  Object.fromEntries(routes.map((route) => [titleOf(route), expected(route)]));

const failure = (response: Response) => {
  const { status, success, message } = response.json();
  return { code: response.statusCode, status, success, message };
};
const unauthorised = (message: string) => ({ code: 401, status: 401, success: false, message });
const SESSION_ENDED = unauthorised('Your session has expired. Please login again.');

describe('every route of the contract', () => {
  it('is there once, from every feature that has a contract file [§7]', async () => {
    const titles = ROUTES.map(titleOf);
    expect(titles).toEqual([...new Set(titles)]);
    for (const feature of FEATURES.filter(hasContract)) {
      const declared = Object.values(await import(`@apotheca/contract/${feature}`)).flatMap(routesOf);
      expect(ROUTES, feature).toEqual(expect.arrayContaining(declared));
    }
  });

  it('is served by the method it names [§7]', () => {
    const served = ROUTES.filter((route) => test.app.hasRoute({ method: route.method, url: urlOf(route) }));
    expect(served.map(titleOf)).toEqual(ROUTES.map(titleOf));
  });

  it('belongs to a feature that has a folder with its routes [§7]', () => {
    const missing = FEATURES.filter(hasContract).filter(
      (feature) => !existsSync(new URL(`./features/${feature}/${feature}.routes.ts`, import.meta.url)),
    );
    expect(missing).toEqual([]);
  });

  it('is never kept in a cache, whatever it answers [§7]', async () => {
    const noStore = forAll(ROUTES, () => 'no-store');
    const cacheControl = (response: Response) => response.headers['cache-control'];
    expect(await walk(ROUTES, {}, cacheControl)).toEqual(noStore);
    expect(await walk(ROUTES, { token: tokens.Nobody }, cacheControl)).toEqual(noStore);
    expect(await walk(ROUTES, { token: tokens.Administrator }, cacheControl)).toEqual(noStore);
  });

  it('never answers OPTIONS with success [§7]', async () => {
    const refused = await walk(ROUTES, { method: 'OPTIONS', token: tokens.Administrator }, succeeds);
    expect(refused).toEqual(forAll(ROUTES, () => false));
    const preflight = { origin: 'https://evil.test', 'access-control-request-method': 'PUT' };
    const headers = await walk(ROUTES, { method: 'OPTIONS', headers: preflight }, (response) =>
      Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
    );
    expect(headers).toEqual(forAll(ROUTES, () => []));
  });
});

describe('without a valid token', () => {
  it('only the public routes get as far as their input [§6]', async () => {
    expect(PUBLIC.map(titleOf)).toEqual([
      'POST /identity/authenticate/authenticate',
      'POST /identity/authenticate/refresh',
      'POST /identity/auth/logout',
    ]);
    expect(await walk(PUBLIC, {}, ({ statusCode }) => statusCode)).toEqual(forAll(PUBLIC, () => 400));
  });

  it('every other route answers 401 to no token at all [§6]', async () => {
    const expected = forAll(PROTECTED, () => unauthorised('Please sign in.'));
    expect(await walk(PROTECTED, {}, failure)).toEqual(expected);
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic YWRtaW46YWRtaW4=']) {
      expect(await walk(PROTECTED, { headers: { authorization } }, failure), authorization).toEqual(expected);
    }
  });

  it('every other route answers 401 to a garbage token [§6]', async () => {
    for (const token of ['garbage', 'a.b.c', `${tokens.Administrator}x`]) {
      expect(await walk(PROTECTED, { token }, failure), token).toEqual(forAll(PROTECTED, () => SESSION_ENDED));
    }
  });

  it('every other route answers 401 to an expired token of a living session [§4]', async () => {
    const token = await expiredTokenOf(tokens.Administrator);
    expect(await walk(PROTECTED, { token }, failure)).toEqual(forAll(PROTECTED, () => SESSION_ENDED));
  });

  it('says how to authenticate [§6]', async () => {
    const challenges = await walk(PROTECTED, {}, (response) => response.headers['www-authenticate']);
    expect(challenges).toEqual(forAll(PROTECTED, () => 'Bearer'));
  });
});

describe('by role', () => {
  const PERMITTED = PROTECTED.filter(({ permission }) => permission !== 'signed-in');
  const forbidden = ({ permission }: ContractRoute) => ({
    code: 403,
    status: 403,
    success: false,
    message: `You do not have the permission '${permission}'.`,
  });

  it('every permission that a route names stands in the catalogue [§6]', () => {
    const known: string[] = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);
    expect(PERMITTED.filter(({ permission }) => !known.includes(permission))).toEqual([]);
  });

  it.each(ROLES)('$name may do what its access says, and is told what it lacks [§6]', async ({ name, access }) => {
    const isAllowed = (route: ContractRoute) => (access as readonly string[]).includes(accessOf(route) ?? '');
    const [allowed, refused] = [PERMITTED.filter(isAllowed), PERMITTED.filter((route) => !isAllowed(route))];
    const letThrough = await walk(
      allowed,
      { token: tokens[name] },
      ({ statusCode }) => ![401, 403].includes(statusCode),
    );
    expect(letThrough).toEqual(forAll(allowed, () => true));
    expect(await walk(refused, { token: tokens[name] }, failure)).toEqual(forAll(refused, forbidden));
  });

  it('a role without permissions is refused everything, reads too [§6]', async () => {
    expect(await walk(PERMITTED, { token: tokens.Nobody }, failure)).toEqual(forAll(PERMITTED, forbidden));
  });

  it('a signed-in user without permissions still reaches what is their own [§6]', async () => {
    const own = PROTECTED.filter(({ permission }) => permission === 'signed-in');
    const letThrough = await walk(own, { token: tokens.Nobody }, ({ statusCode }) => [200, 400].includes(statusCode));
    expect(letThrough).toEqual(forAll(own, () => true));
  });

  it('every refusal is in the audit trail, with path and permission [§6]', async () => {
    const account = await insertAccount(test, { role: 'Nobody' });
    const { accessToken } = await signInTo(test, account);
    await walk(PERMITTED, { token: accessToken }, () => {});
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select(['action', 'actorName', 'changes'])
      .where('actorId', '=', account.id)
      .where('action', '!=', 'auth.sign-in')
      .orderBy('id')
      .execute();
    expect(entries).toEqual(
      PERMITTED.map(({ path, permission }) => ({
        action: 'auth.refused',
        actorName: account.userName,
        changes: { path, reason: 'not-allowed', permission },
      })),
    );
  });
});

describe('a GET that changes something', () => {
  it('exists, or the tests below prove nothing [§7.3]', () => {
    expect(MUTATING_GETS.length).toBeGreaterThan(0);
    expect(MUTATING_GETS.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('does not answer HEAD [§7.3]', async () => {
    const statuses = await walk(
      MUTATING_GETS,
      { method: 'HEAD', token: tokens.Administrator },
      ({ statusCode }) => statusCode,
    );
    expect(statuses).toEqual(forAll(MUTATING_GETS, () => 405));
  });

  it.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-moz', 'prefetch'],
    ['sec-fetch-site', 'cross-site'],
  ])('is refused with %s: %s, and the refusal is audited [§7.3]', async (name, value) => {
    const headers = { [name]: value };
    const message = 'This call is refused when it comes from another site or a prefetch.';
    const refused = forAll(MUTATING_GETS, () => ({ code: 403, status: 403, success: false, message }));
    expect(await walk(MUTATING_GETS, { headers, token: tokens.Administrator }, failure)).toEqual(refused);
    const refusals = test.context.platform
      .selectFrom('auditEntries')
      .selectAll()
      .where('action', '=', 'auth.refused')
      .where(sql`changes ->> 'reason'`, '=', 'cross-site');
    expect((await refusals.execute()).length).toBeGreaterThan(0);
  });

  it.each(['same-origin', 'same-site', 'none'])('is served with Sec-Fetch-Site: %s [§7.3]', async (site) => {
    const call = { headers: { 'sec-fetch-site': site }, token: tokens.Administrator };
    const letThrough = await walk(MUTATING_GETS, call, ({ statusCode }) => ![401, 403].includes(statusCode));
    expect(letThrough).toEqual(forAll(MUTATING_GETS, () => true));
  });
});

describe('a GET that only reads', () => {
  // A download has no HEAD: it would open the file, and audit it, for nobody.
  const READS = PROTECTED.filter(({ method, mutates, download }) => method === 'GET' && !mutates && !download);

  it('wants a token for HEAD as well [§6]', async () => {
    expect(await walk(READS, { method: 'HEAD' }, ({ statusCode }) => statusCode)).toEqual(forAll(READS, () => 401));
  });
});

function hasContract(feature: string): boolean {
  return existsSync(new URL(`../../contract/src/${feature}.ts`, import.meta.url));
}

/** The routes in an export of a contract file. */
function routesOf(exported: unknown): unknown[] {
  if (typeof exported !== 'object' || exported === null) return [];
  return Object.values(exported).filter((value) => value && typeof value === 'object' && 'permission' in value);
}

function accessOf({ permission }: ContractRoute): string | undefined {
  return PERMISSION_CATALOGUE.find(({ identifier }) => identifier === permission)?.access;
}

const succeeds = ({ statusCode }: Response) => statusCode >= 200 && statusCode < 300;

/** Another token of the same session, whose time is over. */
function expiredTokenOf(token: string): Promise<string> {
  const { sub, role, sid, jti } = decodeJwt<{ role: string; sid: string }>(token);
  const claims = { userId: String(sub), role, sessionId: sid, tokenId: String(jti) };
  const issuedAt = new Date(test.clock.now.getTime() - ACCESS_TOKEN_SECONDS * 1000);
  return signAccessToken(test.context.keys.token, claims, issuedAt, ACCESS_TOKEN_SECONDS);
}
