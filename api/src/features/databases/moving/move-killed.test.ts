import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
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
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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
// A token lives for less time than all the tests may take.
beforeEach(signIn);

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
/** When it begins to switch, and after both servers have changed and before the registry has. */
const SAMPLE = MATRIX.filter(({ point, victim }) =>
  ['step 4 PostgreSQL', 'succeeded server'].includes(`${point} ${victim}`),
);

/** Expects that the move is taken up by itself and succeeds, that no acknowledged row is lost, and that nothing is left over. */
async function expectMoved(to: string, writer: ReturnType<typeof startWriter>): Promise<void> {
  await operationsEnded(await installation.databaseUrl());
  await writer.until(10);
  const written = await writer.stop();
  const { result } = await call(operationRoutes.list);
  const { state, message } = result.find(({ kind }: Operation) => kind === 'move');
  expect([state, message]).toEqual(['succeeded', expect.any(String)]);
  place = to;
  const rows = await inTenant(async (client) => (await client.query('select code from public.locations')).rows);
  const codes = new Set(rows.map(({ code }) => code));
  expect(written.filter((code) => !codes.has(code))).toEqual([]);
  expect(await remains()).toEqual([]);
  expect((await call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
  await inTenant((client) => client.query("delete from public.locations where code like 'W%'"));
}

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
    await expectMoved(to, writer);
  },
  900_000,
);

/** During a program, and at the begin of a step; the last two are when it switches over, and when both servers have and the registry has not. */
const MOMENTS = ['pg_dump', 'pg_restore', 'step 2', 'step 3', 'step 4', 'succeeded'];
const ENDS = ['target', 'source'] as const;
const WAYS = ['replication', 'dump'] as const;
const OTHERS = WAYS.flatMap((way) => MOMENTS.flatMap((moment) => ENDS.map((end) => ({ way, moment, end })))).filter(
  ({ way, moment }) => way === 'replication' || moment !== 'step 3',
);
/** When programs are kept out, and while rows are read. */
const SAMPLED = OTHERS.filter(({ way, moment, end }) =>
  ['source dump pg_dump', 'target replication step 4'].includes(`${end} ${way} ${moment}`),
).toSorted((one, other) => one.end.localeCompare(other.end));

/** What each client program says on its server while it is at work on rows. */
const SAYING: Record<string, string> = {
  pg_dump: '^(LOCK TABLE .* IN ACCESS SHARE MODE|COPY .* TO stdout)',
  pg_restore: '^COPY .* FROM stdin',
};

/** With so many rows in one table a client program is at work for long enough to be seen there. */
const MANY = 2_000_000;

/** Waits until a client program is at work on a server. */
const untilThere = (url: string, program: string) =>
  withClient(url, async (client) => {
    const there = 'select from pg_stat_activity where query ~ $1';
    while (!(await client.query(there, [SAYING[program]])).rowCount) await setTimeout(2);
  });

/** Kills something while a move waits at a point. @returns the end of its call, which may wait for what was killed */
async function killedAt(
  url: string,
  point: string,
  start: () => Promise<Answer>,
  kill: () => Promise<void>,
): Promise<{ ended: Promise<unknown> }> {
  const killed = Promise.withResolvers<void>();
  const ended = holdAt(url, { kind: 'move', point }, start, () => kill().then(killed.resolve));
  await Promise.race([killed.promise, ended]);
  return { ended };
}

/** Moves the tenant, unless it is there. */
async function bring(to: string): Promise<void> {
  if (place !== to) await call(moveRoutes.move, { body: { id: tenantId, databaseServerId: to } });
  await operationsEnded(await installation.databaseUrl());
  place = to;
}

it.each(IS_LONG_RUN ? OTHERS : SAMPLED)(
  'PostgreSQL of the $end killed by $way at $moment: it is served meanwhile where it can be, moved afterwards, and nothing is left over [§2.31]',
  async ({ way, moment, end }) => {
    const url = await installation.databaseUrl();
    const to = end === 'target' ? secondId : HOME_SERVER;
    await bring(end === 'target' ? HOME_SERVER : secondId);
    const key = way === 'dump' ? '' : 'primary key';
    const rows = moment in SAYING ? MANY : 0;
    await inTenant((client) =>
      client.query(
        `drop table if exists public.many; create table public.many (n int ${key});
         insert into public.many select generate_series(1, ${rows})`,
      ),
    );
    const writer = startWriter(reveal, 100);
    await writer.until(10);
    const start = () => call(moveRoutes.move, { body: { id: tenantId, databaseServerId: to } });
    let answer: { ended: Promise<unknown> };
    if (moment === 'pg_dump') {
      answer = await inTenant(async (client) => {
        // The dump begins, and waits; where programs are kept out, this session is ended before it.
        await client.query('begin; lock table public.items in access exclusive mode');
        const ended = start();
        await untilThere(end === 'target' ? url : second.url, moment);
        await second.kill();
        return { ended };
      });
    } else if (moment === 'pg_restore') {
      answer = { ended: start() };
      await untilThere(end === 'target' ? second.url : url, moment);
      await second.kill();
    } else {
      answer = await killedAt(url, moment, start, second.kill);
    }
    // The registry is at home: what both servers have changed, it does.
    if (end === 'target' && moment !== 'succeeded') {
      await writer.until(10);
      const slots = 'select from pg_replication_slots';
      const left = () => withClient(url, async (client) => (await client.query(slots)).rowCount);
      await expect.poll(left).toBe(0);
    }
    await second.start();
    await answer.ended;
    await removeStops(url);
    await expectMoved(to, writer);
  },
  900_000,
);

const KILLS = {
  server: () => installation.killServer(),
  'PostgreSQL of the source': () => second.kill(),
  'PostgreSQL of the target, with the server': () => installation.killPostgres(),
};
/** What is killed in which of ten moves, where it catches up: odd ones go to the second server, even ones home. */
const KILLED_IN_TEN: Record<number, keyof typeof KILLS> = {
  3: 'server',
  6: 'PostgreSQL of the source',
  8: 'PostgreSQL of the target, with the server',
};

/** The size of the tenant, in MB, and how many programs write 100 rows a second each. */
const [MEGABYTES, PROGRAMS] = [200, 5];

it.each(IS_LONG_RUN ? [10] : [])(
  '%i moves of 200 MB while programs write 500 rows a second, some killed midway: nothing is lost, and writes wait for a fraction of it [§2.31]',
  async (moves) => {
    await bring(HOME_SERVER);
    await inTenant((client) =>
      client.query(
        `drop table if exists public.many; create table public.large (id bigint primary key, note text not null);
         insert into public.large select n, (select string_agg(md5(n::text || i), '') from generate_series(1, 30) i)
           from generate_series(1, ${MEGABYTES} * 1000) n`,
      ),
    );
    const sumOf = () =>
      inTenant((client) =>
        client
          .query('select count(*)::int as rows, sum(hashtextextended(id || note, 0)) as sum from public.large')
          .then(({ rows }) => rows[0]),
      );
    const before = await sumOf();
    for (let move = 1; move <= moves; move += 1) {
      await signIn();
      const killed = KILLED_IN_TEN[move];
      const to = place === HOME_SERVER ? secondId : HOME_SERVER;
      const writers = Array.from({ length: PROGRAMS }, (_, program) =>
        startWriter(reveal, 100, `W${move}P${program}R`),
      );
      await Promise.all(writers.map((writer) => writer.until(100)));
      const began = performance.now();
      const start = () => call(moveRoutes.move, { body: { id: tenantId, databaseServerId: to } });
      if (killed) {
        const answer = await killedAt(await installation.databaseUrl(), 'step 3', start, KILLS[killed]);
        if (killed === 'PostgreSQL of the source') await second.start();
        else await installation.start();
        await signIn();
        await answer.ended;
        await removeStops(await installation.databaseUrl());
      } else await start();
      await operationsEnded(await installation.databaseUrl());
      const took = performance.now() - began;
      await Promise.all(writers.map((writer) => writer.until(100)));
      const written = (await Promise.all(writers.map((writer) => writer.stop()))).flat();
      const pauses = writers.map((writer) => Math.round(writer.longestPause()));
      const [{ id: operationId }] = (await call(operationRoutes.list)).result.filter(
        ({ kind: of }: Operation) => of === 'move',
      );
      const { state, message, result } = (await call(operationRoutes.get, { query: { id: operationId } })).result;
      expect([state, message]).toEqual(['succeeded', expect.any(String)]);
      place = to;
      process.stdout.write(
        `Move ${move}${killed ? `, ${killed} killed` : ''}: ${(took / 1000).toFixed(1)} s, ${written.length} rows written; held for ${result.heldMs} ms, longest pauses of the programs ${pauses.join(', ')} ms; load ${loadavg()[0]?.toFixed(1)}\n`,
      );
      const rows = await inTenant(async (client) => (await client.query('select code from public.locations')).rows);
      const codes = new Set(rows.map(({ code }) => code));
      expect(written.filter((code) => !codes.has(code))).toEqual([]);
      expect(await sumOf()).toEqual(before);
      expect(await remains()).toEqual([]);
      expect(result).toMatchObject({ way: 'replication' });
      expect(result.heldMs).toBeLessThan(took / 4);
    }
    await inTenant((client) =>
      client.query("drop table public.large; delete from public.locations where code like 'W%'"),
    );
  },
  1_800_000,
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
}, 900_000);
