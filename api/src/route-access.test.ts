import { subscribe } from 'node:diagnostics_channel';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { authRoutes } from '@apotheca/contract/auth';
import { PERMISSION_CATALOGUE, ROLES } from '@apotheca/contract/permission-catalogue';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './features/auth/tokens.ts';
import { insertAccount, roleIdOf, signInTo } from './testing/accounts.ts';
import { useTestApp } from './testing/app.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { forRoutes, type RouteCall, type RouteResponse, titleOf, urlOf, walkRoutes } from './testing/routes.ts';

/** Every route that the server has, declared or not: 'GET /identity/auth/me'. */
const served: string[] = [];
subscribe('fastify.initialization', (message) => {
  // Fastify publishes each new server here, so that a hook sees all of its routes.
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) served.push(`${one} ${url}`);
  });
});

const test = useTestApp();
const SIGNED_IN = ROUTES.filter(({ permission }) => permission === 'signed-in');
const PERMITTED = ROUTES.filter(({ permission }) => !['public', 'signed-in'].includes(permission));
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What a route answers a caller: a refusal with status and message, or 'allowed' where it comes to its input. */
type Verdict = string;
const ALLOWED = 'allowed';
const NOT_SIGNED_IN = '401 Please sign in.';
const SESSION_ENDED = '401 Your session has expired. Please login again.';
const READ_ONLY = '403 This API token can only read.';
const NOT_BY_TOKEN = '403 An API token cannot make this call.';
const NOT_BY_KEY = '403 An API key cannot make this call.';
const IDENTIFIERS = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);
const missing = (permission: string) => `403 You do not have the permission '${permission}'.`;

interface Asker {
  token?: string;
  verdict: (route: ContractRoute) => Verdict;
}

const unlessPublic =
  (verdict: (route: ContractRoute) => Verdict) =>
  (route: ContractRoute): Verdict =>
    route.permission === 'public' ? ALLOWED : verdict(route);
const refusedAlways = (verdict: Verdict) => unlessPublic(() => verdict);
/** @param has whether a role has a permission */
const byPermission = (has: (permission: string) => boolean) =>
  unlessPublic(({ permission }) => (permission === 'signed-in' || has(permission) ? ALLOWED : missing(permission)));
const accessOf = (permission: string) =>
  PERMISSION_CATALOGUE.find(({ identifier }) => identifier === permission)?.access;
const asRole = (name: string) => {
  const accesses: readonly string[] = ROLES.find((role) => role.name === name)?.access ?? [];
  return byPermission((permission) => accesses.includes(accessOf(permission) ?? ''));
};
/** An API token of a role. The role's own refusals come first; then the token refuses everything but reading. */
const byToken = (name: string) =>
  unlessPublic((route) => {
    const verdict = asRole(name)(route);
    if (route.bySession) return NOT_BY_TOKEN;
    // A plan changes nothing, and is no GET as it may be long.
    const isAsking = route.method === 'GET' || titleOf(route) === 'POST /api/rolepermissions/preview';
    const reads = isAsking && (route.permission === 'signed-in' || accessOf(route.permission) === 'read');
    return verdict === ALLOWED && !reads ? READ_ONLY : verdict;
  });
/** An API key makes no call about a person's account, sessions and keys. */
const byKey = (verdict: (route: ContractRoute) => Verdict) => (route: ContractRoute) =>
  route.permission === 'signed-in' && route.byKey !== true ? NOT_BY_KEY : verdict(route);

const ASKERS = {
  'no token': async (): Promise<Asker> => ({ verdict: refusedAlways(NOT_SIGNED_IN) }),
  'a malformed token': async () => ({ token: 'a.b.c', verdict: refusedAlways(SESSION_ENDED) }),
  'a token with another signature': async () => ({
    token: `${await tokenOf('Administrator')}x`,
    verdict: refusedAlways(SESSION_ENDED),
  }),
  'an expired token': async () => ({
    token: await expiredTokenOf(await tokenOf('Administrator')),
    verdict: refusedAlways(SESSION_ENDED),
  }),
  'a token of a signed-out session': async () => ({
    token: await signedOutToken(),
    verdict: refusedAlways(SESSION_ENDED),
  }),
  'a deactivated user': async () => ({
    token: await tokenOf('Administrator', { isActive: false }),
    verdict: refusedAlways(SESSION_ENDED),
  }),
  'a deleted user': async () => ({
    token: await tokenOf('Administrator', { deletedAt: test.clock.now }),
    verdict: refusedAlways(SESSION_ENDED),
  }),
  'a Viewer': async () => ({ token: await tokenOf('Viewer'), verdict: asRole('Viewer') }),
  'an Operator': async () => ({ token: await tokenOf('Operator'), verdict: asRole('Operator') }),
  'an Administrator': async () => ({ token: await tokenOf('Administrator'), verdict: asRole('Administrator') }),
  "an Administrator's API token": async () => ({
    token: await apiTokenOf('Administrator'),
    verdict: byToken('Administrator'),
  }),
  "a Viewer's API token": async () => ({ token: await apiTokenOf('Viewer'), verdict: byToken('Viewer') }),
  "an Administrator's API key for everything": async () => ({
    token: await apiKeyOf('Administrator', IDENTIFIERS),
    verdict: byKey(asRole('Administrator')),
  }),
  "an Administrator's API key for one permission": async () => ({
    token: await apiKeyOf('Administrator', ['tenants.write']),
    verdict: byKey(byPermission((permission) => permission === 'tenants.write')),
  }),
  'a role without permissions': async () => ({ token: await tokenOf('Nobody'), verdict: byPermission(() => false) }),
} satisfies Record<string, () => Promise<Asker>>;

beforeAll(async () => {
  await test.context.platform.insertInto('roles').values({ name: 'Nobody' }).execute();
});

describe('the routes of the server', () => {
  it('are those of the contract, with HEAD where a GET only reads [§6] [DECISIONS §5]', () => {
    const declared = ROUTES.flatMap((route) =>
      (answersHead(route) ? [`HEAD ${urlOf(route)}`] : []).concat(titleOf(route)),
    );
    const bases = Object.values(BASE_PATHS);
    const underBases = served.filter((title) => bases.some((base) => pathOf(title).startsWith(`${base}/`)));
    expect(underBases.sort()).toEqual(declared.sort());
  });

  it('that are outside of the contract only read, and show no data [§6] [DECISIONS §5]', () => {
    const bases = Object.values(BASE_PATHS);
    const others = served.filter((title) => !bases.some((base) => pathOf(title).startsWith(base)));
    expect(others.filter((title) => !/^(GET|HEAD) /.test(title))).toEqual([]);
    // The others are files of the built console.
    const plain = ['/config.json', '/healthz', '/metrics', '/openapi.json', '/readyz'];
    // Pictures of FAQs, which are for everybody who has their address.
    const picture = '/faqs/images/:hash';
    const isKnown = (path: string) =>
      plain.includes(path) || path === picture || /^\/docs(\/|$)/.test(path) || isConsoleFile(path);
    expect(others.map(pathOf).filter((path) => !isKnown(path))).toEqual([]);
    expect(others.filter((title) => /^GET/.test(title)).map(pathOf)).toEqual(expect.arrayContaining(plain));
  });
});

const askers = Object.entries(ASKERS).map(([name, makeAsker], turn) => ({ name, makeAsker, turn }));

describe.each(askers)('every route, asked by $name', ({ makeAsker, turn }) => {
  let asker: Asker;
  let before: Record<string, string>;
  const callOf = (route: ContractRoute): RouteCall => ({ token: asker.token, ...unreadable(route) });

  beforeAll(async () => {
    asker = await makeAsker();
    before = await contentOfTables();
  });

  it('answers as its permission says [§6] [DECISIONS §5]', async () => {
    expect(await walkRoutes(test, ROUTES, callOf, verdictOf)).toEqual(forRoutes(ROUTES, asker.verdict));
  });

  it('answers HEAD like GET, or not at all [§6] [DECISIONS §5]', async () => {
    const statuses = await walkRoutes(test, ROUTES, () => ({ token: asker.token, method: 'HEAD' }), statusClassOf);
    // That of another method may stand at the same path.
    const readAt = (route: ContractRoute) =>
      ROUTES.find((other) => urlOf(other) === urlOf(route) && answersHead(other));
    const expected = (route: ContractRoute) => {
      const reading = readAt(route);
      return reading ? asker.verdict(reading).slice(0, 3) : '405';
    };
    expect(statuses).toEqual(forRoutes(ROUTES, (route) => expected(route).replace('all', ALLOWED)));
  });

  it('answers OPTIONS and unknown methods with the list of its methods, and nothing more [§6] [DECISIONS §5]', async () => {
    for (const method of shareOf(['OPTIONS', ...METHODS], turn, 6)) {
      const routes = ROUTES.filter((route) => !methodsOf(route).includes(method));
      const refusals = await walkRoutes(test, routes, () => ({ token: asker.token, method }), refusalOf);
      expect(refusals, method).toEqual(forRoutes(routes, noSuchMethod));
    }
  });

  it('changes nothing [§6] [DECISIONS §5]', async () => {
    expect(await contentOfTables()).toEqual(before);
  });
});

describe('a permission alone', () => {
  it.each(PERMISSION_CATALOGUE.map(({ identifier }, turn) => ({ identifier, turn })))(
    '$identifier opens its routes and no others [§6] [DECISIONS §5]',
    async ({ identifier, turn }) => {
      await grantNobodyOnly(identifier);
      const token = await tokenOf('Nobody');
      const own = PERMITTED.filter(({ permission }) => permission === identifier);
      const others = PERMITTED.filter(({ permission }) => permission !== identifier);
      const routes = [...own, ...shareOf(others, turn, 6)];
      const verdict = byPermission((permission) => permission === identifier);
      const verdicts = await walkRoutes(test, routes, (route) => ({ token, ...unreadable(route) }), verdictOf);
      expect(verdicts).toEqual(forRoutes(routes, verdict));
    },
  );

  it('allows nothing while it is switched off [§6] [DECISIONS §5]', async () => {
    await grantNobodyOnly('tenants.read');
    const token = await tokenOf('Nobody');
    const setActive = (isActive: boolean) =>
      test.context.platform
        .updateTable('permissions')
        .set({ isActive })
        .where('identifier', '=', 'tenants.read')
        .execute();
    await setActive(false);
    const verdicts = await walkRoutes(test, PERMITTED, (route) => ({ token, ...unreadable(route) }), verdictOf);
    await setActive(true);
    expect(verdicts).toEqual(
      forRoutes(
        PERMITTED,
        byPermission(() => false),
      ),
    );
  });
});

it('those of them that an API key makes read, or check the permission of an operation [DECISIONS §13]', () => {
  expect(SIGNED_IN.filter(({ byKey: isByKey }) => isByKey).map(titleOf)).toEqual([
    'GET /identity/auth/me',
    'GET /api/apikeys/get',
    'GET /api/operations/get',
    'GET /api/operations/getbyid',
    'POST /api/operations/cancel',
    'POST /api/operations/retry',
    'GET /api/operations/results',
  ]);
});

it("calls about one's own things need no permission; those about an operation check that of the operation later [§6] [DECISIONS §5]", () => {
  expect(SIGNED_IN.map(titleOf)).toEqual([
    'POST /identity/auth/generate-token',
    'GET /identity/auth/me',
    'GET /identity/auth/sessions',
    'DELETE /identity/auth/session',
    'GET /identity/account/factors/get',
    'POST /identity/account/factors/begintotp',
    'POST /identity/account/factors/confirmtotp',
    'DELETE /identity/account/factors/removetotp',
    'POST /identity/account/factors/recoverycodes',
    'POST /identity/account/factors/beginpasskey',
    'POST /identity/account/factors/addpasskey',
    'PUT /identity/account/factors/renamepasskey',
    'DELETE /identity/account/factors/removepasskey',
    'GET /identity/auth/prove/ways',
    'POST /identity/auth/prove',
    'POST /identity/auth/prove/passkeyoptions',
    'POST /identity/auth/prove/passkey',
    'POST /identity/auth/prove/provider/begin',
    'POST /identity/auth/prove/provider/finish',
    'GET /api/account/draftkeys',
    'GET /api/account/get',
    'GET /api/account/rights',
    'PUT /api/account/edit',
    'PUT /api/account/password',
    'GET /api/account/preferences',
    'PUT /api/account/preferences',
    'PUT /api/account/language',
    'GET /api/account/hint',
    'PUT /api/account/hint',
    'GET /api/apikeys/get',
    'POST /api/apikeys/create',
    'POST /api/apikeys/rotate',
    'DELETE /api/apikeys/delete',
    'GET /api/views/get',
    'POST /api/views/create',
    'PUT /api/views/edit',
    'DELETE /api/views/delete',
    'GET /api/operations/get',
    'GET /api/operations/getbyid',
    'POST /api/operations/cancel',
    'POST /api/operations/retry',
    'GET /api/operations/results',
    'GET /api/account/alerts',
    'PUT /api/account/editalerts',
  ]);
});

/** All in a long run, otherwise those whose turn it is, so that each is asked by somebody. */
const shareOf = <T>(all: readonly T[], turn: number, turns: number): T[] =>
  all.filter((_, index) => IS_LONG_RUN || index % turns === turn % turns);

/** A call with an unreadable body: allowed callers are refused for the body, so nothing is changed even where no input is needed. */
const unreadable = ({ method }: ContractRoute): RouteCall =>
  method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, payload: '{' };

function verdictOf(response: RouteResponse): Verdict {
  const { statusCode } = response;
  if (statusCode === 401 || statusCode === 403) return `${statusCode} ${response.json().message}`;
  return isAllowed(statusCode) ? ALLOWED : `${statusCode} ${response.body}`;
}

/** An answer to HEAD has no body. */
const statusClassOf = ({ statusCode, body }: RouteResponse): string =>
  `${isAllowed(statusCode) ? ALLOWED : statusCode}${body}`;

/** Whether the caller was let through: a read without input is a 200 or 400, a write with an unreadable body a 400. */
const isAllowed = (statusCode: number) => [200, 400].includes(statusCode);

const answersHead = ({ method, mutates, download }: ContractRoute) => method === 'GET' && !mutates && !download;

/** The methods that the path of a route answers. */
function methodsOf(route: ContractRoute): string[] {
  const there = ROUTES.filter((other) => urlOf(other) === urlOf(route)).map(({ method }) => method);
  return METHODS.filter((method) => there.some((one) => one === method));
}

const refusalOf = (response: RouteResponse) => ({
  ...response.json(),
  allow: response.headers.allow,
  cors: Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
});

const noSuchMethod = (route: ContractRoute) => ({
  status: 405,
  success: false,
  title: 'Method not allowed',
  message: 'This call does not answer that method.',
  messageKeys: [{ key: 'This call does not answer that method.', parameters: {} }],
  allow: methodsOf(route).join(', '),
  cors: [],
});

const pathOf = (title: string) => title.slice(title.indexOf(' ') + 1);
const isConsoleFile = (path: string) => path === '/' || /^\/(assets|fonts|img)\/|^\/[\w.-]+\.\w+$/.test(path);

/** A token of a new user whose record is then changed in the database. */
async function tokenOf(role: string, changes?: { isActive?: boolean; deletedAt?: Date }): Promise<string> {
  const account = await insertAccount(test, { role });
  const { accessToken } = await signInTo(test, account);
  if (changes) await test.context.platform.updateTable('users').set(changes).where('id', '=', account.id).execute();
  return accessToken;
}

async function apiTokenOf(role: string): Promise<string> {
  const body = { name: 'Nightly report', minutes: 10 };
  return (await test.call(authRoutes.generateToken, { token: await tokenOf(role), body })).result.accessToken;
}

async function apiKeyOf(role: string, scopes: readonly string[]): Promise<string> {
  const body = { name: 'Nightly import', scopes };
  const { result } = await test.call(apiKeyRoutes.create, { token: await tokenOf(role), body });
  // So that the calls do not note its first use.
  await test.call(authRoutes.me, { token: result.key });
  return result.key;
}

async function signedOutToken(): Promise<string> {
  const { accessToken, refreshToken } = await signInTo(test, await insertAccount(test, { role: 'Administrator' }));
  await test.call(authRoutes.logout, { token: null, body: { refreshToken } });
  return accessToken;
}

/** Another token of the same open session that has expired. */
function expiredTokenOf(token: string): Promise<string> {
  const { sub, role, sid, jti } = decodeJwt<{ role: string; sid: string }>(token);
  const claims = { userId: String(sub), role, sessionId: sid, tokenId: String(jti) };
  const issuedAt = new Date(test.clock.now.getTime() - ACCESS_TOKEN_SECONDS * 1000);
  return signAccessToken(test.context.keys.token, claims, issuedAt, ACCESS_TOKEN_SECONDS);
}

async function grantNobodyOnly(identifier: string): Promise<void> {
  const { platform } = test.context;
  const roleId = await roleIdOf(test, 'Nobody');
  const permission = platform.selectFrom('permissions').select('id').where('identifier', '=', identifier);
  const { id: permissionId } = await permission.executeTakeFirstOrThrow();
  await platform.deleteFrom('rolePermissions').where('roleId', '=', roleId).execute();
  await platform.insertInto('rolePermissions').values({ roleId, permissionId }).execute();
}

/** A digest of every table's rows, except for the audit trail, where refusals are noted, and the note that the trail has changed. */
async function contentOfTables(): Promise<Record<string, string>> {
  const { platform } = test.context;
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'audit%' and table_name <> 'table_changes'`.execute(
    platform,
  );
  expect(rows.length).toBeGreaterThan(10);
  const content: Record<string, string> = {};
  for (const { name } of rows) {
    const digest = await sql<{ digest: string }>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${sql.table(name)} t`.execute(
      platform,
    );
    content[name] = digest.rows[0]?.digest ?? '';
  }
  return content;
}
