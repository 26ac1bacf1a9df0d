import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationRoutes } from '@apotheca/contract/operations';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, inject } from 'vitest';
import { buildApp } from '../app.ts';
import { NO_STORES } from '../backup-stores.ts';
import type { Context } from '../context.ts';
import { dropDatabase, dropRole } from '../db/cluster/cluster.ts';
import { asCluster } from '../db/cluster/session.ts';
import { type Cluster, HOME_SERVER, openClusters } from '../db/clusters.ts';
import { makeWatch, Pulse } from '../db/connections/watch.ts';
import { openQueue } from '../db/operation-queue.ts';
import { openPlatform } from '../db/platform.ts';
import { findServerTools } from '../db/server-tools.ts';
import { connectTenants, openDatabaseConnections } from '../db/tenant-connection.ts';
import { listServers } from '../features/databaseservers/databaseservers.repository.ts';
import { getServerAddress } from '../features/databaseservers/server-address.ts';
import { operationKinds } from '../operation-kinds.ts';
import { makeEngine, type OperationEngine } from '../operations/engine.ts';
import type { OperationsContext } from '../operations/operation-kind.ts';
import { deriveKeys } from '../secrets.ts';
import { ADMINISTRATOR } from './administrator.ts';
import { payloadOf, typeOf } from './call-body.ts';
import { createPlatformDatabase, type TestDatabase, whenUnused } from './databases.ts';
import { refuseUndocumented } from './documented-answers.ts';
import { finishedAnswer } from './finished-answer.ts';

/** Connections of each of the two pools in a test. */
export const TEST_CONNECTIONS = 10;
/** Those to tenants' databases, on each server. */
const TENANT_CONNECTIONS = 8;

export const TEST_SECRET = 'a secret that only tests use, long enough';

export interface Answer {
  status: number;
  success: boolean;
  message: string;
  // Each test knows the shape of its result.
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any answer's result
  result: any;
  title?: string;
  errors?: Record<string, string[]>;
  headers: LightMyRequestResponse['headers'];
}

interface CallOptions {
  query?: Record<string, string>;
  body?: unknown;
  /** Absent: the administrator's; null: none. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** The whole server over a control database of its own, on a clock that the test sets. */
export interface TestApp {
  app: FastifyInstance;
  context: OperationsContext;
  databaseUrl: string;
  engine: OperationEngine;
  /** Errors in the background, also those of operations. */
  background: unknown[];
  clock: { now: Date; advance(seconds: number): void };
  call(route: ContractRoute, options?: CallOptions): Promise<Answer>;
  signIn(username?: string, password?: string): Promise<Answer>;
  /** Signs in as a new user of a seeded role. */
  signInAs(role: 'Administrator' | 'Operator' | 'Viewer'): Promise<{ id: string; token: string }>;
}

/** What a test may set in place of the defaults. */
type TestSettings = Partial<
  Pick<
    Context,
    | 'parkDays'
    | 'suspension'
    | 'passwordMin'
    | 'publicUrl'
    | 'oidcProviders'
    | 'onlyLocalAccount'
    | 'webhookHosts'
    | 'adoptionHosts'
    | 'mail'
    | 'publicFaq'
  >
>;

/** A seeded control database, and the template of tenants' databases beside it. */
export interface TestHome {
  database: TestDatabase;
  template: string;
}

const onSharedServer = async (): Promise<TestHome> => ({
  database: await createPlatformDatabase(),
  template: inject('tenantTemplate'),
});

/** The same, where no session is limited: for what waits until a test has looked at it, which takes long on a busy machine. */
export async function onSharedServerWithoutLimits(): Promise<TestHome> {
  const { database, template } = await onSharedServer();
  const url = new URL(database.url);
  const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
  url.searchParams.set('options', limits.map((limit) => `-c ${limit}=0`).join(' '));
  return { database: { ...database, url: url.href }, template };
}

/** Builds the server before a file's tests and takes it down after them. @param makeHome absent: on the server that all files share */
export function useTestApp(settings: TestSettings = {}, makeHome = onSharedServer): TestApp {
  const test = {} as TestApp & { database: TestDatabase; administratorToken: string };
  beforeAll(async () => Object.assign(test, await startTestApp(settings, await makeHome())));
  afterAll(async () => {
    await test.app.close();
    await test.engine.stop();
    await rm(test.context.backupDir, { recursive: true, force: true });
    await dropTenantDatabases(test.context);
    await test.context.clusters.close();
    await Promise.all([test.context.platform.destroy(), test.context.utility.destroy()]);
    await test.database.drop();
  });
  return test;
}

async function startTestApp(settings: TestSettings, { database, template }: TestHome) {
  const { pool, platform } = openPlatform({ url: database.url, maxConnections: TEST_CONNECTIONS });
  const limits = { pulse: new Pulse(), watch: makeWatch(pool) };
  const { platform: utility, pool: utilityPool } = openPlatform({
    url: database.url,
    maxConnections: TEST_CONNECTIONS,
    kind: 'operation',
    limits,
  });
  const keys = deriveKeys(TEST_SECRET);
  const home: Cluster = {
    id: HOME_SERVER,
    url: database.url,
    platform: asCluster(platform),
    utility: asCluster(utility),
    connections: openDatabaseConnections(database.url, TENANT_CONNECTIONS, limits, asCluster(platform)),
    limits,
    template: async () => template,
  };
  const background: unknown[] = [];
  const report = (error: unknown) => background.push(error);
  const clusters = openClusters({
    home,
    find: (id) => getServerAddress({ platform, keys }, id),
    list: () => listServers(platform),
    onError: report,
    most: { utility: TEST_CONNECTIONS, tenants: TENANT_CONNECTIONS },
  });
  const clock = makeClock();
  const context: OperationsContext = {
    pool,
    platform,
    utility,
    utilityPool,
    clusters,
    tenants: connectTenants(clusters),
    tenantConnections: 20,
    oidcProviders: [],
    parkDays: 7,
    suspension: { mode: 'enforce', graceDays: 14, readOnlyDays: 14 },
    auditDays: 0,
    webhookHosts: [],
    adoptionHosts: [],
    proofs: { minutesPerDay: 60, cycleDays: 7 },
    queue: openQueue(pool, report),
    kinds: operationKinds,
    backupDir: await mkdtemp(join(tmpdir(), 'apotheca-backups-')),
    stores: NO_STORES,
    findTools: async (serverId = HOME_SERVER) => findServerTools(await clusters.of(serverId)),
    keys,
    passwordMin: 12,
    databaseUrl: database.url,
    now: () => clock.now,
    trustedNow: async () => clock.now,
    ...settings,
  };
  const app = await buildApp(context, { logLevel: 'fatal' });
  const engine = makeEngine(context, report);
  await engine.start();
  const call = makeCall(app);
  const signIn = (username = ADMINISTRATOR.userName, password = ADMINISTRATOR.password) =>
    call(AUTHENTICATE, { body: { username, password }, token: null });
  const administratorToken = (await signIn()).result.accessToken;
  return {
    app,
    context,
    engine,
    background,
    database,
    databaseUrl: database.url,
    clock,
    call: (route: ContractRoute, options: CallOptions = {}) => call(route, { token: administratorToken, ...options }),
    signIn,
    signInAs: async (role: string) => {
      const id = await insertUser(context, role);
      return { id, token: (await signIn(`user-${role}`.toLowerCase())).result.accessToken };
    },
  };
}

const AUTHENTICATE = { base: 'identity', method: 'POST', path: '/authenticate/authenticate' } as const;

function makeClock() {
  return {
    // Late in the day, so that a wrong time zone shows as a wrong date.
    now: new Date('2026-11-20T23:20:00Z'),
    advance(seconds: number) {
      this.now = new Date(this.now.getTime() + seconds * 1000);
    },
  };
}

function makeCall(app: FastifyInstance) {
  const call = async (
    route: Pick<ContractRoute, 'base' | 'method' | 'path'>,
    options: CallOptions,
  ): Promise<Answer> => {
    const { token, body, query, headers } = options;
    const response = await app.inject({
      method: route.method,
      url: BASE_PATHS[route.base] + route.path,
      ...(query && { query }),
      ...(body !== undefined && { payload: payloadOf(body) }),
      headers: {
        ...(body !== undefined && { 'content-type': typeOf(body) }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const answer: Answer = { ...response.json(), status: response.statusCode, headers: response.headers };
    refuseUndocumented(route, answer.status);
    if (headers?.prefer) return answer;
    return finishedAnswer(answer, (id) => call(operationRoutes.get, { query: { id }, ...(token && { token }) }));
  };
  return call;
}

/** A user with the administrator's password, so that tests need not hash another one. */
async function insertUser({ platform }: Context, role: string): Promise<string> {
  const { id: roleId } = await platform
    .selectFrom('roles')
    .select('id')
    .where('name', '=', role)
    .executeTakeFirstOrThrow();
  const { passwordHash } = await platform
    .selectFrom('users')
    .select('passwordHash')
    .where('userName', '=', ADMINISTRATOR.userName)
    .executeTakeFirstOrThrow();
  const { id } = await platform
    .insertInto('users')
    .values({
      userName: `user-${role}`.toLowerCase(),
      passwordHash,
      firstName: role,
      lastName: 'Tester',
      roleId,
      deletedAt: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Other servers than the shared one are thrown away by the tests that start them. */
async function dropTenantDatabases({ platform, clusters }: Context): Promise<void> {
  const cluster = clusters.home.platform;
  const rows = await platform
    .selectFrom('databases')
    .select(['physicalName', 'roleName'])
    .where('serverId', '=', HOME_SERVER)
    .execute();
  // A parked database may still grant rights to the role of the one that replaced it.
  for (const { physicalName } of rows) await whenUnused(() => dropDatabase(cluster, physicalName));
  for (const { roleName } of rows) await dropRole(cluster, roleName);
}
