// What grows with the number of tenants, and what breaks first.
import { constants } from 'node:buffer';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseRoutes } from '@apotheca/contract/databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { type Access, call, perform } from './calls.ts';
import { ensureFleet } from './fleet-databases.ts';
import type { Installation } from './installation.ts';
import { summarise, time } from './measurements.ts';
import { withServer } from './real-tenants.ts';
import { fillUpTenants, withClient } from './rows.ts';
import type { Cell, Figures, Table } from './tables.ts';

const SIZES = [10, 100, 1_000, 10_000];
/** Databases that are made for real, at most, and the seconds for making them. A real one takes 11 MB and some 50 ms. */
const REAL = 1_000;
const MAKING = 150;
const READS = 11;

/** The works by name, each with its figures for a size; what needs every database to be real is absent where one is not. */
type Figured = Record<string, Figures | undefined>;

interface Measured {
  size: number;
  /** Of these, those whose databases are real. */
  real: number;
  works: Figured;
}

/** Lists, dashboard, start, reconcile, the sync of all, memory and disk with 10 to 10,000 tenants. */
export async function benchGrowth(installation: Installation): Promise<Table[]> {
  const measured: Measured[] = [];
  let left = MAKING;
  for (const size of SIZES) {
    const startedAt = performance.now();
    const wanted = Math.min(size, REAL);
    const real = (await ensureFleet(installation, wanted, left)).length;
    left -= (performance.now() - startedAt) / 1000;
    const isCutShort = real < wanted && measured.every((other) => other.size !== real);
    for (const each of isCutShort ? [real, size] : [size]) measured.push(await measureSize(installation, each, real));
  }
  const names = Object.keys(measured[0]?.works ?? {});
  const rows = names.map((name) => ({ name, cells: measured.map(({ works }): Cell => works[name] ?? 'not measured') }));
  const reals = measured.map(({ real, size }) => `${real} of ${size}`);
  const notes = [
    `Databases that are real: ${reals.join(', ')}. The others stand in the registry only: lists, dashboard and start read nothing else. PostgreSQL runs with fsync off.`,
    ...(await whatBreaks(installation, measured)),
  ];
  const sizes = measured.map(({ size }) => size);
  const columns: Table['columns'] = ['', ...sizes.map((size) => `${size.toLocaleString('en-US')} tenants`)];
  return [{ title: 'Growth', columns, rows, notes, chart: { kind: 'lines', sizes } }];
}

const WORKS = {
  tenants: 'list of tenants',
  answer: 'its answer',
  databases: 'list of databases',
  dashboard: 'dashboard',
  start: 'start of the server',
  ready: 'memory when ready',
  peak: 'memory at its peak',
  reconcile: 'reconcile',
  sync: 'permission sync of all',
  disk: 'disk',
};

async function measureSize(installation: Installation, size: number, real: number): Promise<Measured> {
  await withClient(installation.environment.DATABASE_URL, (client) => fillUpTenants(client, size));
  const works = await measureWorks(installation, real >= size);
  console.log(`${size} tenants measured`);
  return { size, real: Math.min(real, size), works };
}

function measureWorks(installation: Installation, isReal: boolean): Promise<Figured> {
  return withServer(installation, async (access, server) => {
    const ready = server.memory();
    const listed = await read(access, tenantRoutes.list);
    const answer = JSON.stringify(await call(access, tenantRoutes.list)).length;
    return {
      [WORKS.tenants]: listed,
      [WORKS.answer]: { figures: [answer / 1e6], unit: ' MB' },
      [WORKS.databases]: await read(access, databaseRoutes.list),
      [WORKS.dashboard]: await read(access, dashboardRoutes.getCounts),
      [WORKS.start]: { figures: [server.readyAfter], unit: ' ms' },
      [WORKS.ready]: { figures: [ready], unit: ' MiB' },
      [WORKS.peak]: { figures: [server.peakMemory()], unit: ' MiB' },
      [WORKS.reconcile]: isReal ? await read(access, reconciliationRoutes.reconcile, 3) : undefined,
      [WORKS.sync]: isReal
        ? { figures: [await time(() => perform(access, permissionRoutes.syncTenants))], unit: ' ms' }
        : undefined,
      [WORKS.disk]: isReal ? { figures: [await diskUse(installation)], unit: ' MB' } : undefined,
    };
  });
}

async function read(access: Access, route: ContractRoute, reads = READS): Promise<Figures> {
  const figures: number[] = [];
  for (let index = 0; index < reads; index += 1) figures.push(await time(() => call(access, route)));
  return { figures, unit: ' ms' };
}

/** Megabytes of all databases. */
async function diskUse({ environment }: Installation): Promise<number> {
  const { rows } = await withClient(environment.DATABASE_URL, (client) =>
    client.query('select sum(pg_database_size(oid))::float8 / 1e6 as size from pg_database'),
  );
  return rows[0].size;
}

/** Milliseconds that a request may wait for PostgreSQL (api/src/db/connections/time-budget.ts). */
const REQUEST_BUDGET = 8_000;

/** Where a work meets its limit if it goes on growing as it did between the two largest sizes that were measured; the nearest first. */
async function whatBreaks({ environment }: Installation, measured: Measured[]): Promise<string[]> {
  const { bavail, bsize } = await statfs(environment.APOTHECA_DATA_DIR);
  const limits = [
    { work: WORKS.disk, limit: (bavail * bsize) / 1e6, reason: 'the file system has no more room' },
    { work: WORKS.tenants, limit: REQUEST_BUDGET, reason: 'a request waits for PostgreSQL for 8 s at most' },
    { work: WORKS.databases, limit: REQUEST_BUDGET, reason: 'a request waits for PostgreSQL for 8 s at most' },
    { work: WORKS.reconcile, limit: REQUEST_BUDGET, reason: 'a request waits for PostgreSQL for 8 s at most' },
    { work: WORKS.answer, limit: constants.MAX_STRING_LENGTH / 1e6, reason: 'no string of V8 is longer' },
    { work: WORKS.peak, limit: totalmem() / 2 ** 20, reason: 'the machine has no more memory' },
  ];
  const broken = limits.flatMap(({ work, limit, reason }) => {
    const points = measured.flatMap(({ size, works }) => {
      const figure = works[work];
      return figure ? [{ size, value: summarise(figure.figures).median }] : [];
    });
    const [before, last] = points.slice(-2);
    if (!before || !last || last.value <= before.value) return [];
    const slope = (last.value - before.value) / (last.size - before.size);
    const tenants = Math.floor(last.size + Math.max(limit - last.value, 0) / slope);
    return [{ tenants, work, reason }];
  });
  const ordered = broken.toSorted((a, b) => a.tenants - b.tenants);
  return ordered.map(({ tenants, work, reason }, index) => {
    const number = Number(tenants.toPrecision(2)).toLocaleString('en-US');
    return `${index === 0 ? 'What breaks first beyond' : 'Then'}: ${work}, at some ${number} tenants, because ${reason}.`;
  });
}
