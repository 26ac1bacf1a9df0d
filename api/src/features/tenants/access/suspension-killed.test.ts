import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { operationRoutes } from '@apotheca/contract/operations';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import type { Answer } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { type KillableInstallation, makeKillable } from '../../../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { callServer, signInToServer } from '../../../testing/server-process.ts';

const PASSWORD = 'correct horse';
const CASES = (['server', 'PostgreSQL'] as const).flatMap((victim) =>
  ['running', 'step 1', 'succeeded'].map((point) => ({ victim, point })),
);

let installation: KillableInstallation;
let dataDir: string;
let id: string;
let login: URL;
let call: (route: ContractRoute, options?: { query?: Record<string, string>; body?: unknown }) => Promise<Answer>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'apotheca-suspension-'));
  installation = makeKillable(dataDir, { APOTHECA_DEMO: 'off', APOTHECA_ADMIN_PASSWORD: PASSWORD });
  await installation.start();
  await installStops(await installation.databaseUrl());
  await signIn();
  id = (await call(tenantRoutes.create, { body: tenantInput('PROGRAMS') })).result.id;
  login = new URL((await call(credentialRoutes.reveal, { query: { id } })).result.connectionString);
});

afterAll(async () => {
  await installation.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function signIn(): Promise<void> {
  const { url } = installation.server();
  const token = await signInToServer(url, PASSWORD);
  call = (route, options = {}) => callServer(url, route, { token, ...options });
}

/** The login of the tenant's programs; PostgreSQL's port changes with each start. */
async function programUrl(): Promise<string> {
  const url = new URL(login);
  url.port = new URL(await installation.databaseUrl()).port;
  return url.href;
}

/** What becomes of a program that connects and writes. */
const program = async (): Promise<string> =>
  withClient(await programUrl(), (client) => client.query('update locations set name = name')).then(
    () => 'writes',
    (error: Error) => error.message,
  );

async function rights(): Promise<unknown> {
  const url = withDatabaseName(await installation.databaseUrl(), login.pathname.slice(1));
  return withClient(
    url,
    async (client) =>
      (
        await client.query(
          "select oid::regclass::text as name, relacl::text from pg_class where relkind = 'r' order by 1",
        )
      ).rows,
  );
}

/** Kills the victim while the tenant is opened or closed, then waits until the server has brought it to its end. */
async function changeAndKill(route: ContractRoute, { victim, point }: (typeof CASES)[number]): Promise<void> {
  const kill = victim === 'server' ? installation.killServer : installation.killPostgres;
  // The call does not wait for the operation.
  const start = async () => ({ ...(await call(route, { query: { id } })), status: 202 });
  await holdAt(await installation.databaseUrl(), { kind: 'change-access', point }, start, kill);
  await installation.start();
  await removeStops(await installation.databaseUrl());
  await operationsEnded(await installation.databaseUrl());
  await signIn();
}

it.each(IS_LONG_RUN ? CASES : CASES.filter((_, index) => index === 1))(
  'a tenant is closed and opened exactly as it was, $victim killed at $point [DECISIONS §13]',
  async (each) => {
    const before = await rights();
    expect(await program()).toBe('writes');
    await changeAndKill(tenantRoutes.deactivate, each);
    expect(await program()).toMatch(/not permitted to log in/);
    await changeAndKill(tenantRoutes.activate, each);
    expect(await program()).toBe('writes');
    expect(await rights()).toEqual(before);
    expect((await call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
    const operations = (await call(operationRoutes.list)).result;
    expect(operations.filter(({ state }: { state: string }) => state === 'failed')).toEqual([]);
  },
);
