import { databaseRoutes } from '@apotheca/contract/databases';
import { type Access, call } from './calls.ts';
import { ensureFleet } from './fleet-databases.ts';
import type { Installation } from './installation.ts';
import type { RunningProcess } from './processes.ts';
import { eachOf, withServer } from './real-tenants.ts';
import { withClient } from './rows.ts';
import { type Comparison, compare, type Table } from './tables.ts';

const DATABASES = 1_000;
/** Seconds for making them. */
const MAKING = 150;
const TENANTS = 30;
const CALLS = 10;
/** Calls at a time, where the number is free. */
const AT_ONCE = 10;
/** APOTHECA_MAX_CONNECTIONS, when nothing is set. */
const BUDGET = 40;

/** The server's connections and its memory with 1,000 tenants' databases on one PostgreSQL. */
export async function benchThousandDatabases(installation: Installation): Promise<Table[]> {
  const codes = await ensureFleet(installation, DATABASES, MAKING);
  return withServer(installation, async (access, server) => {
    const memory = await measureMemory(server, access, codes);
    const connections = await measureConnections(installation, access, codes);
    return [compare(`${codes.length.toLocaleString('en-US')} tenants' databases`, [memory, connections])];
  });
}

const details = (access: Access, databaseName: string) =>
  call(access, databaseRoutes.details, { query: { databaseName } });

/** How much larger the server's process gets, at its peak, by a look into each database; one is looked into often before. */
async function measureMemory(server: RunningProcess, access: Access, codes: string[]): Promise<Comparison> {
  const [first = ''] = codes;
  const idle = server.memory();
  await eachOf(new Array(100).fill(first), AT_ONCE, (code) => details(access, code));
  const before = server.memory();
  await eachOf(codes, AT_ONCE, (code) => details(access, code));
  const name = `memory gained by touching all (${before.toFixed(0)} MiB before, ${idle.toFixed(0)} MiB idle)`;
  return { name, unit: ' MiB', ours: [server.peakMemory() - before], target: { atMost: 50 } };
}

/** Counts the server's connections over and over while many calls are answered. */
function measureConnections({ environment }: Installation, access: Access, codes: string[]): Promise<Comparison> {
  return withClient(environment.DATABASE_URL, async (client) => {
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
    const name = `${TENANTS} tenants × ${CALLS} calls at once, connections at most`;
    return { name, unit: '', ours: [most], target: { atMost: BUDGET } };
  });
}
