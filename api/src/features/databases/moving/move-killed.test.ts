import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { type Operation, operationRoutes } from '@apotheca/contract/operations';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOME_SERVER } from '../../../db/clusters.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import type { Answer } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { type KillableInstallation, makeKillable } from '../../../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { listMoveRemains, startWriter } from '../../../testing/moved-tenant.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { EMBEDDED_VERSION } from '../../../testing/postgres-version.ts';
import { useSecondServer } from '../../../testing/second-server.ts';
import { callServer, signInToServer } from '../../../testing/server-process.ts';
import { moveOperation } from './move.operation.ts';

const ADMINISTRATOR_PASSWORD = 'correct horse';
// Moves go back and forth, and none goes to an older PostgreSQL.
const second = useSecondServer(EMBEDDED_VERSION);
let installation: KillableInstallation;
let dataDir: string;
let secondId: string;
let tenantId: string;
let token: string;
/** Where the tenant lives. */
let place: string = HOME_SERVER;

const call = async (route: ContractRoute, options: object = {}): Promise<Answer> =>
  callServer(installation.server().url, route, { token, ...options });
const signIn = async () => {
  token = await signInToServer(installation.server().url, ADMINISTRATOR_PASSWORD);
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'apotheca-moves-'));
  installation = makeKillable(dataDir, { APOTHECA_DEMO: 'off', APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR_PASSWORD });
  await installation.start();
  await installStops(await installation.databaseUrl());
  await signIn();
  secondId = (await call(databaseServerRoutes.create, { body: second.form() })).result.id;
  const body = { ...tenantInput('MOVED'), databaseServerId: HOME_SERVER };
  tenantId = (await call(tenantRoutes.create, { body })).result.id;
  await inTenant(async (client) => {
    await insertSampleRows(client, { patients: 4, seed: 7 });
  });
});

afterAll(async () => {
  await installation.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs `work` in the tenant's database, where the registry says that it is. */
async function inTenant<T>(work: Parameters<typeof withClient<T>>[1]): Promise<T> {
  const home = await installation.databaseUrl();
  const { rows } = await withClient(home, (client) =>
    client.query(`select physical_name as name, server_id as "serverId" from databases where name = 'MOVED'`),
  );
  return withClient(withDatabaseName(rows[0].serverId === HOME_SERVER ? home : second.url, rows[0].name), work);
}

/** The program's connection string; while the server is away, the last one. */
let last = '';
async function reveal(): Promise<string> {
  const answer = await call(credentialRoutes.reveal, { query: { id: tenantId, access: 'write' } }).catch(
    () => undefined,
  );
  last = answer?.result?.connectionString ?? last;
  return last;
}

/** What a move may leave on neither server, and in the registry. */
async function remains(): Promise<unknown[]> {
  const home = await installation.databaseUrl();
  const found = listMoveRemains(home, [second.url]);
  const unfinished = withClient(home, async (client) => {
    const { rows } = await client.query("select state, name from databases where state in ('creating', 'deleting')");
    return rows;
  });
  const published = inTenant(async (client) => (await client.query('select pubname from pg_publication')).rows);
  return (await Promise.all([found, unfinished, published])).flat();
}

const POINTS = ['running', ...moveOperation.steps.slice(1).map((_, index) => `step ${index + 1}`), 'succeeded'];
const VICTIMS = ['server', 'PostgreSQL'] as const;
const MATRIX = POINTS.flatMap((point) => VICTIMS.map((victim) => ({ point, victim })));
/** While it catches up, when it begins to switch, and after both servers have changed and before the registry has. */
const SAMPLE = MATRIX.filter(({ point, victim }) =>
  ['step 3 server', 'step 4 PostgreSQL', 'succeeded server'].includes(`${point} ${victim}`),
);

it.each(IS_LONG_RUN ? MATRIX : SAMPLE)(
  '$victim killed at $point: moved or as before, no acknowledged write is lost, and nothing is left over [§2.31]',
  async ({ point, victim }) => {
    const to = place === HOME_SERVER ? secondId : HOME_SERVER;
    const writer = startWriter(reveal, 100);
    await writer.until(10);
    const start = () => call(moveRoutes.move, { body: { id: tenantId, databaseServerId: to } });
    const kill = victim === 'server' ? installation.killServer : installation.killPostgres;
    await holdAt(await installation.databaseUrl(), { kind: 'move', point }, start, kill);
    await installation.start();
    const url = await installation.databaseUrl();
    await removeStops(url);
    await signIn();
    await operationsEnded(url);
    await writer.until(10);
    const written = await writer.stop();
    const { result } = await call(operationRoutes.list);
    const { state, message } = result.find(({ kind }: Operation) => kind === 'move');
    // It is taken up by itself.
    expect([state, message]).toEqual(['succeeded', expect.any(String)]);
    place = to;
    const rows = await inTenant(async (client) => (await client.query('select code from public.locations')).rows);
    const codes = new Set(rows.map(({ code }) => code));
    expect(written.filter((code) => !codes.has(code))).toEqual([]);
    expect(await remains()).toEqual([]);
    expect((await call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
    await inTenant((client) => client.query("delete from public.locations where code like 'W%'"));
  },
  240_000,
);

it('a server that is drained, killed while several are on the way: each is moved once, and nothing is left over [§2.31]', async () => {
  const codes = ['FIRST', 'NEXT', 'LAST'];
  const ids: string[] = [];
  for (const code of codes)
    ids.push(
      (await call(tenantRoutes.create, { body: { ...tenantInput(code), databaseServerId: secondId } })).result.id,
    );
  await call(databaseServerRoutes.drain, { body: { id: secondId } });
  const { result: plan } = await call(databaseBulkRoutes.plan, { body: { action: 'move-away', ids } });
  const url = await installation.databaseUrl();
  const start = () => call(databaseBulkRoutes.start, { query: { id: plan.id, plan: plan.digest } });
  await holdAt(url, { kind: 'move', point: 'step 3' }, start, async () => {
    const going = "select from operations where kind = 'move' and state = 'running'";
    await withClient(url, async (client) => {
      while (((await client.query(going)).rowCount ?? 0) < 2) await setTimeout(20);
    });
    await installation.killServer();
  });
  await installation.start();
  await removeStops(url);
  await signIn();
  await operationsEnded(url);
  const report = await call(databaseBulkRoutes.report, { query: { id: plan.id } });
  expect(report.result).toMatchObject({
    state: 'succeeded',
    rows: codes.map((record) => ({ record, result: 'changed' })),
  });
  const { rows } = await withClient(url, (client) =>
    client.query(
      `select d.name, d.server_id as "serverId", count(*)::int as moves from databases d
       join audit_entries a on a.entity_id = d.id::text and a.action = 'databases.move'
       where d.name = any($1) group by d.name, d.server_id order by d.name`,
      [codes],
    ),
  );
  expect(rows).toEqual(codes.toSorted().map((name) => ({ name, serverId: HOME_SERVER, moves: 1 })));
  expect(await remains()).toEqual([]);
}, 240_000);
