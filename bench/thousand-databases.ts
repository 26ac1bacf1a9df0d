import { databaseRoutes } from '@apotheca/contract/databases';
import pg from 'pg';
import { type Access, call, createTenant } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { reportBound, time } from './measurements.ts';
import { type RunningProcess, startServer } from './processes.ts';

const DATABASES = 1_000;
const LISTS = 200;
const TENANTS = 30;
const CALLS = 10;
/** Calls at a time, where the number is free. */
const AT_ONCE = 10;
/** APOTHECA_MAX_CONNECTIONS, when nothing is set. */
const BUDGET = 40;

const codes = Array.from({ length: DATABASES }, (_, index) => `T${index}`);

/** The list, the server's connections and its memory with 1,000 tenants' databases on one PostgreSQL. @returns the lines to print */
export async function benchThousandDatabases(installation: Installation): Promise<string[]> {
  await withServer(installation, createTenants);
  return withServer(installation, async (server) => {
    const access = { url: server.url, token: await signIn(server.url) };
    return [
      ...(await measureMemory(server, access)),
      ...(await measureList(access)),
      await measureConnections(installation, access),
    ];
  });
}

async function withServer<T>({ environment }: Installation, work: (server: RunningProcess) => Promise<T>): Promise<T> {
  const server = await startServer(environment);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function createTenants(server: RunningProcess): Promise<void> {
  const access = { url: server.url, token: await signIn(server.url) };
  let created = 0;
  await eachOf(codes, 4, async (code) => {
    await createTenant(access, code);
    created += 1;
    if (created % 100 === 0) console.log(`${created} databases of ${DATABASES}`);
  });
}

const details = (access: Access, databaseName: string) =>
  call(access, databaseRoutes.details, { query: { databaseName } });

/** How much larger the server's process gets, at its peak, by a look into each database; one is looked into often before. */
async function measureMemory(server: RunningProcess, access: Access): Promise<string[]> {
  const [first = ''] = codes;
  const idle = server.memory();
  await eachOf(new Array(100).fill(first), AT_ONCE, (code) => details(access, code));
  const before = server.memory();
  await eachOf(codes, AT_ONCE, (code) => details(access, code));
  const title = `${DATABASES} databases, memory gained by touching all (${before.toFixed(0)} MiB before, ${idle.toFixed(0)} MiB idle)`;
  return [reportBound(title, [server.peakMemory() - before], ' MiB', 50)];
}

async function measureList(access: Access): Promise<string[]> {
  const figures: number[] = [];
  for (let index = 0; index < LISTS; index += 1) figures.push(await time(() => call(access, databaseRoutes.list)));
  const sorted = figures.toSorted((a, b) => a - b);
  return [0.5, 0.95].map((share) =>
    reportBound(
      `${DATABASES} databases, list, p${share * 100}`,
      sorted.slice(share * LISTS, share * LISTS + 1),
      ' ms',
      300,
    ),
  );
}

/** Counts the server's connections over and over while many calls are answered. */
async function measureConnections({ environment }: Installation, access: Access): Promise<string> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  let isOver = false;
  const calls = codes.slice(0, TENANTS).flatMap((code) => Array.from({ length: CALLS }, () => details(access, code)));
  const answers = Promise.all(calls).finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    // All but this one and the one by which an embedded server knows that it is used.
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'apotheca presence'`,
    );
    most = Math.max(most, rows[0].count);
  }
  await answers;
  await client.end();
  return reportBound(`${TENANTS} tenants × ${CALLS} calls at once, connections at most`, [most], '', BUDGET);
}

/** Does something with each item, so many at a time. */
async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
