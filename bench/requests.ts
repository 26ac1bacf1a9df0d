import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import autocannon from 'autocannon';
import { type Installation, SIGN_IN, signIn } from './installation.ts';
import { CONNECTIONS } from './load.ts';
import { ROOT, type RunningProcess, startServer } from './processes.ts';
import { fillTenants, fillUsers, withClient } from './rows.ts';
import { fetchAnswer } from './sides.ts';
import { compare, type Table } from './tables.ts';

/** Requests before the first look, in which caches and pools fill. */
const WARM_UP = 20_000;
const REQUESTS = 100_000;
/** Rows of each list. */
const ROWS = 100;
const POLL = 50;
const SECOND = 1_000;
/** Milliseconds of processor time in a second in which a server does nothing. */
const IDLE_CPU = 50;
/** Longer than the thread for rich text stays that a start gets ready. */
const THREAD_ENDS = 125 * SECOND;

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What a server holds before and after many requests of all kinds, so that a leak is seen. */
export async function benchRequests({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, async (client) => {
    await fillTenants(client, ROWS);
    await fillUsers(client, ROWS);
  });
  const rest = await memoryAtRest(environment);
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-heap-'));
  const heapFile = join(folder, 'heap');
  const report = pathToFileURL(join(ROOT, 'bench/heap-report.ts')).href;
  const server = await startServer({ ...environment, HEAP_FILE: heapFile }, ROOT, ['--expose-gc', '--import', report]);
  try {
    const requests = await mixOf(server.url);
    const statuses = await send(server.url, requests, WARM_UP);
    const before = await look(server, heapFile);
    await send(server.url, requests, REQUESTS, statuses);
    const after = await look(server, heapFile);
    const answered = [...statuses].map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', ');
    return [
      compare('Memory', [{ name: 'of a server at rest', unit: ' MiB', ours: [rest], target: { atMost: 130 } }]),
      compare(
        `After ${REQUESTS.toLocaleString('en-US')} more requests, beside before`,
        [
          {
            name: 'heap after a collection',
            unit: ' MiB',
            ours: [after.heap],
            floor: [before.heap],
            target: { atMost: 1.1 },
          },
          {
            name: 'resident set',
            unit: ' MiB',
            ours: [after.resident],
            floor: [before.resident],
            target: { atMost: 1.15 },
          },
        ],
        [`Answers: ${answered}.`],
      ),
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** MiB of a server that does nothing but look whether there is something to do. It has no flags of its own, so its code is in the cache. */
async function memoryAtRest(environment: Installation['environment']): Promise<number> {
  const server = await startServer(environment);
  try {
    await setTimeout(THREAD_ENDS);
    for (let before = -1; server.cpu() - before > IDLE_CPU; ) {
      before = server.cpu();
      await setTimeout(SECOND);
    }
    return server.memory();
  } finally {
    await server.stop();
  }
}

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

/** MiB of a server's heap after a collection, and of its resident set. */
async function look(server: RunningProcess, heapFile: string): Promise<{ heap: number; resident: number }> {
  await rm(heapFile, { force: true });
  server.signal('SIGUSR2');
  while (!existsSync(heapFile)) await setTimeout(POLL);
  return { heap: Number(await readFile(heapFile, 'utf8')) / 2 ** 20, resident: server.memory() };
}
