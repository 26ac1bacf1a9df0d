import { existsSync } from 'node:fs';
import { accountRoutes } from '@apotheca/contract/account';
import { FEATURES } from '@apotheca/contract/features';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import type { ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertAccount, signInTo } from './testing/accounts.ts';
import { useTestApp } from './testing/app.ts';
import { forRoutes, type RouteCall, type RouteResponse, titleOf, urlOf, walkRoutes } from './testing/routes.ts';

const test = useTestApp();
const tokens = { Administrator: '', Nobody: '' };

beforeAll(async () => {
  await test.context.platform.insertInto('roles').values({ name: 'Nobody' }).execute();
  for (const role of ['Administrator', 'Nobody'] as const) {
    tokens[role] = (await signInTo(test, await insertAccount(test, { role }))).accessToken;
  }
});

const PUBLIC = ROUTES.filter(({ permission }) => permission === 'public');
const PROTECTED = ROUTES.filter(({ permission }) => permission !== 'public');
const MUTATING_GETS = ROUTES.filter(({ mutates }) => mutates);

/** Makes the same call to every route. */
const walk = <T>(routes: readonly ContractRoute[], call: RouteCall, read: (response: RouteResponse) => T) =>
  walkRoutes(test, routes, () => call, read);

const failure = (response: RouteResponse) => {
  const { status, success, message } = response.json();
  return { code: response.statusCode, status, success, message };
};

describe('every route of the contract', () => {
  it('stands once in ROUTES, whatever contract file it comes from [§7]', async () => {
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

  it('is never cached; a list is, by who was sent it, and asked for again each time [§7]', async () => {
    const cacheControl = (response: RouteResponse) => response.headers['cache-control'];
    // Without input only these get as far as their answer.
    const isAnswered = ({ list, query }: ContractRoute) => list === true && query?.safeParse({}).success !== false;
    const expected = (isAllowed: (route: ContractRoute) => boolean) =>
      forRoutes(ROUTES, (route) => (isAnswered(route) && isAllowed(route) ? 'private, no-cache' : 'no-store'));
    expect(await walk(ROUTES, {}, cacheControl)).toEqual(expected(() => false));
    // They need no input, and their answers hold a secret.
    const secrets = forRoutes(
      [ownFactorRoutes.beginTotp, ownFactorRoutes.beginPasskey, accountRoutes.draftKeys],
      () => 'no-store, no-transform',
    );
    const asNobody = await walk(ROUTES, { token: tokens.Nobody }, cacheControl);
    expect(asNobody).toEqual({ ...expected(({ permission }) => permission === 'signed-in'), ...secrets });
    const asAdministrator = await walk(ROUTES, { token: tokens.Administrator }, cacheControl);
    expect(asAdministrator).toEqual({ ...expected(() => true), ...secrets });
  });

  it('tells other sites nothing, also in answer to a preflight OPTIONS [§7]', async () => {
    const preflight = { origin: 'https://evil.test', 'access-control-request-method': 'PUT' };
    const headers = await walk(ROUTES, { method: 'OPTIONS', headers: preflight }, (response) =>
      Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
    );
    expect(headers).toEqual(forRoutes(ROUTES, () => []));
  });
});

describe('without a valid token', () => {
  it('only the public routes get as far as their input [§6]', async () => {
    expect(PUBLIC.map(titleOf)).toEqual([
      'POST /identity/authenticate/authenticate',
      'POST /identity/authenticate/refresh',
      'POST /identity/auth/logout',
      'POST /identity/authenticate/oidc/begin',
      'POST /identity/authenticate/oidc/finish',
      'POST /identity/authenticate/oidc/backchannel',
      'POST /identity/authenticate/factor',
      'POST /identity/authenticate/passkeyoptions',
      'POST /identity/authenticate/passkey',
      'POST /identity/auth/forgot-password',
      'POST /identity/auth/recover-password',
    ]);
    expect(await walk(PUBLIC, {}, ({ statusCode }) => statusCode)).toEqual(forRoutes(PUBLIC, () => 400));
  });

  it('every other route answers 401 to a header without a valid token [§6]', async () => {
    const expected = forRoutes(PROTECTED, () => ({
      code: 401,
      status: 401,
      success: false,
      message: 'Please sign in.',
    }));
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic YWRtaW46YWRtaW4=']) {
      expect(await walk(PROTECTED, { headers: { authorization } }, failure), authorization).toEqual(expected);
    }
  });

  it('is told how to authenticate [§6]', async () => {
    const challenges = await walk(PROTECTED, {}, (response) => response.headers['www-authenticate']);
    expect(challenges).toEqual(forRoutes(PROTECTED, () => 'Bearer'));
  });
});

describe('permissions', () => {
  const PERMITTED = PROTECTED.filter(({ permission }) => permission !== 'signed-in');

  it('every permission that a route names stands in the catalogue [§6]', () => {
    const known: string[] = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);
    expect(PERMITTED.filter(({ permission }) => !known.includes(permission))).toEqual([]);
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
  it('exists; otherwise the tests below would prove nothing [§7.3]', () => {
    expect(MUTATING_GETS.length).toBeGreaterThan(0);
    expect(MUTATING_GETS.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('does not answer HEAD [§7.3]', async () => {
    const statuses = await walk(
      MUTATING_GETS,
      { method: 'HEAD', token: tokens.Administrator },
      ({ statusCode }) => statusCode,
    );
    expect(statuses).toEqual(forRoutes(MUTATING_GETS, () => 405));
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
    const refused = forRoutes(MUTATING_GETS, () => ({ code: 403, status: 403, success: false, message }));
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
    expect(letThrough).toEqual(forRoutes(MUTATING_GETS, () => true));
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
