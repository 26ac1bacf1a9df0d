import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { permissionRoutes } from '@apotheca/contract/permissions';
import autocannon from 'autocannon';
import { type Access, perform } from './calls.ts';
import { type Installation, SIGN_IN, signIn } from './installation.ts';
import { CONNECTIONS } from './load.ts';
import { ROOT, type RunningProcess, startServer } from './processes.ts';
import { ensureRealTenants } from './real-tenants.ts';
import { fillTenants, fillUsers, withClient } from './rows.ts';
import { fetchAnswer } from './sides.ts';
import { type Cell, type Comparison, compare, type Row, type Table, verdictOn } from './tables.ts';

/** Requests before the first look, in which caches and pools fill. */
const WARM_UP = 20_000;
const REQUESTS = 100_000;
/** Rows of each list. */
const ROWS = 100;
/** Tenants with databases. */
const SYNCED = 10;
/** Connections of a server process outside of its pools: one shows that it is there, one sees that PostgreSQL is. */
const SINGLE = 2;
const POLL = 50;
const SECOND = 1_000;
/** Milliseconds of processor time in a second in which a server does nothing. */
const IDLE_CPU = 50;
/** Longer than the process for rich text stays that a start gets ready. */
const THREAD_ENDS = 125 * SECOND;

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const ROLES = ['all', 'web', 'worker'] as const;
type Role = (typeof ROLES)[number];

/** What a server process takes. */
interface Size {
  /** MiB of its resident set; under load the most. */
  resident: number;
  threads: number;
  /** To PostgreSQL. */
  connections: number;
}

interface Growth {
  before: Held;
  after: Held;
  loaded: Size;
  /** How often each was answered. */
  statuses: Map<number, number>;
}

/** What server processes take at rest, and hold before and after many requests of all kinds, so that a leak is seen. */
export async function benchRequests(installation: Installation): Promise<Table[]> {
  const { environment } = installation;
  await withClient(environment.DATABASE_URL, async (client) => {
    await fillTenants(client, ROWS);
    await fillUsers(client, ROWS);
  });
  await ensureRealTenants(installation, SYNCED);
  const rest = await sizesAtRest(environment);
  const growths = await measureGrowths(environment);
  const rows = ROLES.map((role, index) => sizeRow(role, rest[index], growths[role]?.loaded));
  const processes: Table = {
    title: 'A server process at rest and under load',
    columns: ['role', 'memory', 'target', 'at its peak', 'threads', 'loaded', 'connections', 'loaded'],
    rows,
    notes: ['Connections to PostgreSQL are those of its pools and two that each process keeps.'],
    chart: { kind: 'bars', cell: 0 },
  };
  return [processes, ...Object.entries(growths).map(([role, growth]) => growthTable(role, growth))];
}

function sizeRow(name: Role, rest?: Size, loaded?: Size): Row {
  const cell = (figure: number | undefined, unit?: string): Cell =>
    figure === undefined ? '' : { figures: [figure], ...(unit && { unit }) };
  const cells = [
    cell(rest?.resident, ' MiB'),
    rest ? verdictOn([rest.resident], { atMost: 130 }) : '',
    cell(loaded?.resident, ' MiB'),
    cell(rest?.threads),
    cell(loaded?.threads),
    cell(rest?.connections),
    cell(loaded?.connections),
  ];
  return { name, cells };
}

function growthTable(role: string, { before, after, statuses }: Growth): Table {
  const answered = [...statuses].map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', ');
  const comparison = (name: string, figure: (held: Held) => number, atMost: number): Comparison => ({
    name,
    unit: ' MiB',
    ours: [figure(after)],
    floor: [figure(before)],
    target: { atMost },
  });
  return compare(
    `After ${REQUESTS.toLocaleString('en-US')} more requests to a process of role ${role}, beside before`,
    [
      comparison('heap after a collection', ({ heap }) => heap, 1.1),
      comparison('resident set', ({ resident }) => resident, 1.15),
    ],
    [`Answers: ${answered}.`],
  );
}

/** A web process gets calls; a worker those for its health and figures, and operations beside them. */
async function measureGrowths(environment: Installation['environment']): Promise<Partial<Record<Role, Growth>>> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-heap-'));
  const report = pathToFileURL(join(ROOT, 'bench/heap-report.ts')).href;
  const heapFile = (role: Role) => join(folder, role);
  const start = (role: Role) =>
    startServer({ ...environment, APOTHECA_ROLE: role, HEAP_FILE: heapFile(role) }, ROOT, [
      '--expose-gc',
      '--import',
      report,
    ]);
  const servers: RunningProcess[] = [];
  try {
    const [web, worker] = [await start('web'), await start('worker')];
    servers.push(web, worker);
    const ofWeb = await measureGrowth(web, heapFile('web'), await mixOf(web.url));
    const access = { url: web.url, token: await signIn(web.url) };
    const ofWorker = await whileSyncing(access, () => measureGrowth(worker, heapFile('worker'), OF_WORKERS));
    return { web: ofWeb, worker: ofWorker };
  } finally {
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function measureGrowth(server: RunningProcess, heapFile: string, requests: Sent[]): Promise<Growth> {
  const statuses = await send(server.url, requests, WARM_UP);
  const before = await look(server, heapFile);
  server.forgetPeak();
  await send(server.url, requests, REQUESTS, statuses);
  const loaded = { ...(await sizeOf(server)), resident: server.peakMemory() };
  return { before, after: await look(server, heapFile), loaded, statuses };
}

/** Lets permissions be synced to all tenants, one time after the other, while something is done. */
async function whileSyncing<T>(access: Access, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const syncing = (async () => {
    while (!isOver) await perform(access, permissionRoutes.syncTenants);
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await syncing;
  }
}

/** Of servers that do nothing but look whether there is something to do. They have no flags of their own, so their code is in the cache. */
async function sizesAtRest(environment: Installation['environment']): Promise<Size[]> {
  const servers: RunningProcess[] = [];
  try {
    // One after the other: starts at once would compile what is not in the cache yet.
    for (const role of ROLES) servers.push(await startServer({ ...environment, APOTHECA_ROLE: role }));
    await setTimeout(THREAD_ENDS);
    const sizes: Size[] = [];
    for (const server of servers) {
      for (let before = -1; server.cpu() - before > IDLE_CPU; ) {
        before = server.cpu();
        await setTimeout(SECOND);
      }
      const resident = server.memory();
      sizes.push({ ...(await sizeOf(server)), resident });
    }
    return sizes;
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function sizeOf(server: RunningProcess): Promise<Size> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const pools = metrics.matchAll(/^pool_connections_(?:in_use|idle)\{.*\} (\d+)$/gm);
  const pooled = [...pools].reduce((sum, [, count]) => sum + Number(count), 0);
  return { resident: server.memory(), threads: server.threads(), connections: pooled + SINGLE };
}

const OF_WORKERS: Sent[] = ['/healthz', '/readyz', '/metrics'].map((path) => ({ method: 'GET', path }));

/** Lists as they are, compressed and unchanged; errors, refused uploads, and a sign-in among a hundred. */
async function mixOf(url: string): Promise<Sent[]> {
  const authorization = `Bearer ${await signIn(url)}`;
  const lists = ['/api/tenant/get', '/api/users/get', '/api/managedatabase/getalldatabase', '/api/faq/get'];
  const reads = await Promise.all(
    lists.map(async (path): Promise<Sent[]> => {
      const { etag } = (await fetchAnswer({ url: url + path, headers: { authorization } })).headers;
      const get = (headers: Record<string, string>): Sent => ({
        method: 'GET',
        path,
        headers: { authorization, ...headers },
      });
      const known = get({ 'if-none-match': String(etag) });
      return [get({}), get({ 'accept-encoding': 'zstd' }), get({ 'accept-encoding': 'br' }), known, known, known];
    }),
  );
  const others: Sent[] = [
    { method: 'GET', path: '/api/tenant/get' },
    { method: 'GET', path: '/api/tenant/get', headers: { authorization: 'Bearer a.b.c' } },
    { method: 'GET', path: '/api/nowhere', headers: { authorization } },
    { method: 'GET', path: '/api/tenant/getbyid?id=none', headers: { authorization } },
    { method: 'GET', path: '/api/dashboard/getcounts', headers: { authorization } },
    { method: 'POST', path: '/api/tenant/create', headers: { authorization, ...SIGN_IN.headers }, body: '{"code":' },
    { method: 'POST', path: '/api/tenant/create', headers: { authorization, ...SIGN_IN.headers }, body: '{}' },
    {
      method: 'POST',
      path: '/api/managedatabase/uploadbackup',
      headers: { authorization, 'content-type': 'text/plain' },
      body: 'x',
    },
    {
      method: 'POST',
      path: '/api/managedatabase/uploadbackup',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    },
  ];
  const { path, headers, bodyFor } = SIGN_IN;
  const mix = [...reads.flat(), ...others];
  return [...mix, ...mix, ...mix, { method: 'POST', path, headers, body: bodyFor('admin') }];
}

/** @param statuses how often each one was answered so far @returns the same, with what was answered now */
async function send(url: string, requests: Sent[], amount: number, statuses = new Map<number, number>()) {
  const run = autocannon({ url, requests, connections: CONNECTIONS, amount, timeout: 60, sampleInt: 100 });
  run.on('response', (_client, status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1));
  const { errors } = await run;
  const failed = [...statuses].filter(([status]) => status >= 500);
  if (errors > 0 || failed.length > 0) throw new Error(`${errors} requests failed, others were answered: ${failed}`);
  return statuses;
}

/** MiB. */
interface Held {
  /** After a collection. */
  heap: number;
  resident: number;
}

async function look(server: RunningProcess, heapFile: string): Promise<Held> {
  await rm(heapFile, { force: true });
  server.signal('SIGUSR2');
  while (!existsSync(heapFile)) await setTimeout(POLL);
  return { heap: Number(await readFile(heapFile, 'utf8')) / 2 ** 20, resident: server.memory() };
}
