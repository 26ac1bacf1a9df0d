import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseRoutes } from '@apotheca/contract/databases';
import { permissionRoutes, type TenantsSync } from '@apotheca/contract/permissions';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { type Access, call, perform } from './calls.ts';
import { ensureFleet } from './fleet-databases.ts';
import type { Installation } from './installation.ts';
import { ratiosOf } from './measurements.ts';
import type { RunningProcess } from './processes.ts';
import { withServer } from './real-tenants.ts';
import { withClient } from './rows.ts';
import { type Table, verdictOn } from './tables.ts';

const SMALL = 1_000;
const LARGE = 3_000;
/** Seconds for making all databases. */
const MAKING = 900;
/** Seconds without a server process. */
const REST = 20;
const STARTS = 3;
/** Turns of a list, and its calls in a turn: one alone takes less than processor time is counted by. */
const TURNS = 7;
const CALLS = 10;
const RECONCILIATIONS = 5;
const SYNCS = 2;

interface Cost {
  milliseconds: number;
  /** Of processor time, of server and PostgreSQL. */
  cpu: number;
}

/** By the name of the work. */
type Costs = Record<string, Cost[]>;

/** Start, lists, reconcile and permission sync of all with 3,000 databases beside the same with 1,000. */
export async function benchFleet(installation: Installation): Promise<Table[]> {
  const startedAt = performance.now();
  const left = () => MAKING - (performance.now() - startedAt) / 1000;
  const few = (await ensureFleet(installation, SMALL, left())).length;
  const small = await measureAll(installation);
  const many = (await ensureFleet(installation, LARGE, left())).length;
  const large = await measureAll(installation);
  // As often as the databases are more.
  const target = { atMost: many / few };
  const [fewer, more] = [few.toLocaleString('en-US'), many.toLocaleString('en-US')];
  const rows = Object.entries(large.costs).map(([name, costs]) => {
    const before = small.costs[name] ?? [];
    const ratios = ratiosOf(costs.map(timeOf), before.map(timeOf));
    const cells = [
      { figures: before.map(timeOf), unit: ' ms' },
      { figures: costs.map(timeOf), unit: ' ms' },
      { figures: ratios },
      verdictOn(ratios, target),
      { figures: before.map(cpuOf), unit: ' ms' },
      { figures: costs.map(cpuOf), unit: ' ms' },
      { figures: ratiosOf(costs.map(cpuOf), before.map(cpuOf)) },
    ];
    return { name, cells };
  });
  const notes = [
    `All databases are real, and all on one PostgreSQL, which runs with fsync off. Processor time is that of the server and PostgreSQL.`,
    `PostgreSQL at rest, where its autovacuum looks into each database in turn: ${small.rest.toFixed(0)} ms of processor time a second with ${fewer}, ${large.rest.toFixed(0)} with ${more}.`,
    `Memory of the server at its peak: ${small.peak.toFixed(0)} MiB with ${fewer}, ${large.peak.toFixed(0)} MiB with ${more}. Load: ${small.load} and ${large.load}.`,
  ];
  const columns: Table['columns'] = [
    '',
    fewer,
    more,
    'ratio',
    'target',
    `CPU, ${fewer}`,
    `CPU, ${more}`,
    'ratio of CPU',
  ];
  return [{ title: `A fleet of ${more} databases`, columns, rows, notes, chart: { kind: 'bars', cell: 2 } }];
}

const timeOf = ({ milliseconds }: Cost): number => milliseconds;
const cpuOf = ({ cpu }: Cost): number => cpu;

interface Measured {
  costs: Costs;
  /** Milliseconds of processor time that PostgreSQL takes in a second while nobody asks it for anything. */
  rest: number;
  /** MiB of the server. */
  peak: number;
  load: string;
}

async function measureAll(installation: Installation): Promise<Measured> {
  await withClient(installation.environment.DATABASE_URL, (client) => client.query('vacuum analyze'));
  const before = installation.postgresCpu();
  await setTimeout(REST * 1000);
  const rest = (installation.postgresCpu() - before) / REST;
  const starts: Cost[] = [];
  for (let start = 1; start < STARTS; start += 1) starts.push(await measureStart(installation, async () => {}));
  const costs: Costs = {};
  let peak = 0;
  const last = await measureStart(installation, async (access, server) => {
    Object.assign(costs, await measureWorks(installation, access, server));
    peak = server.peakMemory();
  });
  const load = loadavg()
    .map((figure) => figure.toFixed(1))
    .join(', ');
  return { costs: { start: [...starts, last], ...costs }, rest, peak, load };
}

/** @param work what is done with the server then */
async function measureStart(
  installation: Installation,
  work: (access: Access, server: RunningProcess) => Promise<void>,
): Promise<Cost> {
  const before = installation.postgresCpu();
  return withServer(installation, async (access, server) => {
    const cost = { milliseconds: server.readyAfter, cpu: server.cpu() + installation.postgresCpu() - before };
    await work(access, server);
    return cost;
  });
}

function measureWorks(installation: Installation, access: Access, server: RunningProcess): Promise<Costs> {
  return withClient(installation.environment.DATABASE_URL, async (client) => {
    const cpu = () => server.cpu() + installation.postgresCpu();
    const measure = async (turns: number, calls: number, work: () => Promise<unknown>) => {
      const costs: Cost[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const [startedAt, before] = [performance.now(), cpu()];
        for (let time = 0; time < calls; time += 1) await work();
        costs.push({ milliseconds: (performance.now() - startedAt) / calls, cpu: (cpu() - before) / calls });
      }
      return costs;
    };
    const write = () => client.query(`update tenants set city = reverse(city) where code = 'FLEET1'`);
    const afterWrite = (route: ContractRoute) => () => write().then(() => call(access, route));
    const reconcile = () => call(access, reconciliationRoutes.reconcile);
    const sync = () => syncAll(access, client);
    await call(access, tenantRoutes.list);
    await call(access, databaseRoutes.list);
    await sync();
    return {
      'a write, and the list of tenants': await measure(TURNS, CALLS, afterWrite(tenantRoutes.list)),
      'a write, and the list of databases': await measure(TURNS, CALLS, afterWrite(databaseRoutes.list)),
      'a write, and the dashboard': await measure(TURNS, CALLS, afterWrite(dashboardRoutes.getCounts)),
      'list of tenants, unchanged': await measure(TURNS, CALLS, () => call(access, tenantRoutes.list)),
      'list of databases, unchanged': await measure(TURNS, CALLS, () => call(access, databaseRoutes.list)),
      reconcile: await measure(RECONCILIATIONS, 1, reconcile),
      'permission sync of all': await measure(SYNCS, 1, sync),
    };
  });
}

/** A permission gets another name, which each tenant is told. @throws when one could not be synced */
async function syncAll(access: Access, client: pg.Client): Promise<void> {
  await client.query(
    'update permissions set name = reverse(name) where id = (select min(id::text)::uuid from permissions)',
  );
  const { tenants }: TenantsSync = await perform(access, permissionRoutes.syncTenants);
  const failed = tenants.filter(({ problem }) => problem !== undefined);
  if (failed.length > 0) throw new Error(`${failed.length} tenants were not synced: ${failed[0]?.problem}`);
}
