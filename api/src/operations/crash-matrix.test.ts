import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { type Operation, type OperationKindName, operationRoutes } from '@apotheca/contract/operations';
import { type ParkedDatabase, parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userImportRoutes } from '@apotheca/contract/user-import';
import { userRoutes } from '@apotheca/contract/users';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { insertSampleRows } from '../demo/sample-rows.ts';
import { operationKinds } from '../operation-kinds.ts';
import type { Answer } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { FOREIGN_SHAPES, type ForeignShape, makeForeignArchive } from '../testing/foreign-databases.ts';
import { csvOf } from '../testing/imports.ts';
import { type KillableInstallation, makeKillable } from '../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { holdAt, installStops, removeStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';
import { callServer, signInToServer } from '../testing/server-process.ts';
import { stateOfTables } from '../testing/tenant-state.ts';

const ADMINISTRATOR_PASSWORD = 'correct horse';
/** The state of the test's databases: names, owners, rows and identities. */
type Snapshot = Record<string, string>;

interface Scenario {
  title: string;
  kind: OperationKindName;
  call(world: World): Promise<Answer>;
  /** Whether the databases are as after the finished operation. */
  isDone(before: Snapshot, after: Snapshot): boolean;
  /** Restores the state for the next kill, if the operation was finished. */
  reset?(world: World): Promise<unknown>;
}

/** The installation under test, with the calls of an administrator. */
interface World {
  backup: Backup;
  /** An archive of another system's database. */
  foreign: Buffer;
  purgeId: string;
  /** The rows of PARKED, which is parked. */
  parked: string | undefined;
  /** The rows of TURNS, and those that a restore replaced there. */
  turns: (string | undefined)[];
  /** Which of two ends the tenant gets next. */
  isExtended: boolean;
  /** How many users have been imported. */
  imported: number;
  call(route: ContractRoute, options?: { query?: Record<string, string>; body?: unknown }): Promise<Answer>;
}

const same = (before: Snapshot, after: Snapshot, except: readonly string[] = []): boolean => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].every((name) => except.includes(name) || before[name] === after[name]);
};

/** Whether a database has as many patients as SOURCE, and other values. */
function isAnonymized(after: Snapshot, name: string): boolean {
  const [own, source] = [after[name], after.SOURCE].map((snapshot) =>
    JSON.parse(snapshot ?? '[]').find((table: { name: string }) => table.name === 'patients'),
  );
  return own?.rows === source?.rows && own?.checksum !== source?.checksum;
}

function rowsOf(after: Snapshot, name: string, table: string): number | undefined {
  const tables: { name: string; rows: number }[] = JSON.parse(after[name] ?? '[]');
  return tables.find((one) => one.name === table)?.rows;
}

const SCENARIOS: Scenario[] = [
  {
    title: 'clone',
    kind: 'clone',
    call: ({ call }) => call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName: 'COPY' } }),
    isDone: (before, after) => same(before, after, ['COPY']) && after.COPY === before.SOURCE,
    reset: ({ call }) => call(databaseRoutes.delete, { query: { databaseName: 'COPY' } }),
  },
  {
    title: 'rename',
    kind: 'rename',
    call: ({ call }) => call(databaseRoutes.rename, { query: { databaseName: 'SPARE', newName: 'RENAMED' } }),
    isDone: (before, after) => same(before, after, ['SPARE', 'RENAMED']) && after.RENAMED === before.SPARE,
    reset: ({ call }) => call(databaseRoutes.rename, { query: { databaseName: 'RENAMED', newName: 'SPARE' } }),
  },
  {
    title: 'put back',
    kind: 'put-back',
    call: ({ call, purgeId }) =>
      call(purgeRoutes.putBack, {
        query: { databaseName: 'SPARE', operationId: purgeId },
        body: ['otps', 'wslogs'],
      }),
    isDone: (before, after) => same(before, after, ['SPARE']) && after.SPARE !== before.SPARE,
    reset: purgeSpare,
  },
  {
    title: 'sync of all tenants',
    kind: 'sync-tenants',
    call: ({ call }) => call(permissionRoutes.syncTenants),
    isDone: same,
  },
  {
    title: 'backup',
    kind: 'backup',
    call: ({ call }) => call(backupRoutes.create, { query: { databaseName: 'SOURCE' } }),
    isDone: same,
  },
  {
    title: 'proof of a backup',
    kind: 'prove',
    call: ({ call, backup }) => call(backupProofRoutes.prove, { query: { id: backup.id } }),
    isDone: same,
  },
  {
    title: 'restore into a new database',
    kind: 'restore',
    call: ({ call, backup }) => call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'COPY' } }),
    isDone: (before, after) => same(before, after, ['COPY']) && after.COPY === before.SOURCE,
    reset: ({ call }) => call(databaseRoutes.delete, { query: { databaseName: 'COPY' } }),
  },
  {
    title: 'purge',
    kind: 'purge',
    call: ({ call }) =>
      call(purgeRoutes.purge, { query: { databaseName: 'SOURCE' }, body: ['otps', 'wslogs', 'trlogs'] }),
    isDone: (before, after) => same(before, after, ['SOURCE']) && after.SOURCE !== before.SOURCE,
    reset: putBackNewest,
  },
  {
    title: 'anonymize',
    kind: 'anonymize',
    call: ({ call }) => call(anonymizationRoutes.anonymize, { query: { databaseName: 'SPARE' } }),
    isDone: (before, after) => same(before, after, ['SPARE']) && after.SPARE !== before.SPARE,
  },
  {
    title: 'clone anonymized',
    kind: 'clone-anonymized',
    call: ({ call }) =>
      call(anonymizedCloneRoutes.cloneAnonymized, { query: { copyFrom: 'SOURCE', databaseName: 'CLEAN' } }),
    isDone: (before, after) => same(before, after, ['CLEAN']) && isAnonymized(after, 'CLEAN'),
    reset: ({ call }) => call(databaseRoutes.delete, { query: { databaseName: 'CLEAN' } }),
  },
  {
    title: 'refresh an anonymized clone',
    kind: 'refresh',
    call: ({ call }) => call(anonymizedCloneRoutes.refresh, { query: { databaseName: 'STAGING' } }),
    isDone: (before, after) =>
      same(before, after, ['STAGING']) && after.STAGING !== before.STAGING && isAnonymized(after, 'STAGING'),
  },
  {
    title: 'restore over a database',
    kind: 'restore',
    call: ({ call, backup }) => call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'SPARE' } }),
    isDone: (before, after) => same(before, after, ['SPARE']) && after.SPARE === before.SOURCE,
  },
  {
    title: 'delete',
    kind: 'delete',
    call: ({ call }) => call(databaseRoutes.delete, { query: { databaseName: 'SPARE' } }),
    isDone: (before, after) => same(before, after, ['SPARE']) && after.SPARE === undefined,
    reset: ({ call }) => call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName: 'SPARE' } }),
  },
  {
    title: 'put back a deleted database',
    kind: 'unpark',
    call: async ({ call }) =>
      call(parkedDatabaseRoutes.putBack, { query: { id: (await parkedOf(call, 'PARKED')).id } }),
    isDone: (before, after) => same(before, after, ['PARKED']) && after.PARKED === world.parked,
    reset: ({ call }) => call(databaseRoutes.delete, { query: { databaseName: 'PARKED' } }),
  },
  {
    title: 'put back what a restore replaced',
    kind: 'unpark',
    call: async ({ call }) => call(parkedDatabaseRoutes.putBack, { query: { id: (await parkedOf(call, 'TURNS')).id } }),
    isDone: (before, after) =>
      same(before, after, ['TURNS']) && before.TURNS !== after.TURNS && world.turns.includes(after.TURNS ?? ''),
  },
  {
    title: 'adopt',
    kind: 'adopt',
    call: async ({ call, foreign }) => {
      const { id } = (await call(adoptionRoutes.inspectArchive, { body: foreign })).result;
      return call(adoptionRoutes.adopt, { body: { id, databaseName: 'ADOPTED' } });
    },
    isDone: (before, after) => same(before, after, ['ADOPTED']) && rowsOf(after, 'ADOPTED', 'locations') === 3,
    reset: ({ call }) => call(databaseRoutes.delete, { query: { databaseName: 'ADOPTED' } }),
  },
  {
    title: 'change many tenants',
    kind: 'bulk-tenants',
    async call({ call, isExtended }) {
      const [{ id }] = (await call(tenantRoutes.list)).result;
      const body = { action: 'extend', ids: [id], subscriptionEndDate: isExtended ? '2098-01-01' : '2097-01-01' };
      const { result: plan } = await call(tenantBulkRoutes.plan, { body });
      return call(tenantBulkRoutes.start, { query: { id: plan.id, plan: plan.digest } });
    },
    isDone: same,
    reset: async (now) => {
      const [tenant] = (await now.call(tenantRoutes.list)).result;
      expect(tenant.subscriptionEndDate).toBe(now.isExtended ? '2098-01-01' : '2097-01-01');
      now.isExtended = !now.isExtended;
    },
  },
  {
    title: 'import users',
    kind: 'import-users',
    async call({ call, imported }) {
      const headings = ['User Name', 'First Name', 'Last Name', 'Access Role', 'Clinical Role'];
      const body = csvOf(headings, [`imported${imported}`, 'Ines', 'Moreau', 'Viewer', 'None']);
      const { result: plan } = await call(userImportRoutes.plan, { body });
      return call(userImportRoutes.start, { query: { id: plan.id, plan: plan.digest } });
    },
    isDone: same,
    reset: async (now) => {
      const { result } = await now.call(userRoutes.list);
      const made = result.filter(({ userName }: { userName: string }) => userName === `imported${now.imported}`);
      expect(made, 'it is made once').toHaveLength(1);
      now.imported += 1;
    },
  },
  {
    title: 'remove a parked database',
    kind: 'remove-parked',
    call: async ({ call }) =>
      call(parkedDatabaseRoutes.removeParked, {
        query: { id: (await parkedOf(call, 'DOOMED')).id, databaseName: 'DOOMED' },
      }),
    isDone: same,
    reset: async ({ call }) => {
      await expect(parkedOf(call, 'DOOMED')).rejects.toThrow('DOOMED is not parked.');
      await parkCopy(call, 'DOOMED');
    },
  },
];

/** The newest parked database of a name. */
async function parkedOf(call: World['call'], name: string): Promise<ParkedDatabase> {
  const { result } = await call(parkedDatabaseRoutes.listParked);
  const found = result.find(({ databaseName }: ParkedDatabase) => databaseName === name);
  if (!found) throw new Error(`${name} is not parked.`);
  return found;
}

/** Parks a copy of SOURCE. */
async function parkCopy(call: World['call'], databaseName: string): Promise<void> {
  await call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName } });
  expect(await call(databaseRoutes.delete, { query: { databaseName } })).toMatchObject({ status: 200 });
}

async function putBackNewest({ call }: World): Promise<void> {
  const { result } = await call(purgeRoutes.listPurges, { query: { databaseName: 'SOURCE' } });
  const [{ operationId, tables }] = result;
  const body = tables.map(({ name }: { name: string }) => name);
  expect(await call(purgeRoutes.putBack, { query: { databaseName: 'SOURCE', operationId }, body })).toMatchObject({
    status: 200,
  });
}

async function purgeSpare(world: World): Promise<void> {
  const body = ['otps', 'wslogs'];
  const answer = await world.call(purgeRoutes.purge, { query: { databaseName: 'SPARE' }, body });
  expect(answer).toMatchObject({ status: 200, result: { deletedTables: body } });
  world.purgeId = answer.result.operationId;
}

/** Where operations of a kind are killed: at the beginning, at each further step, and before their end is committed. */
function pointsOf(kind: OperationKindName): string[] {
  const steps = operationKinds.get(kind)?.steps ?? [];
  return ['running', ...steps.slice(1).map((_, index) => `step ${index + 1}`), 'succeeded'];
}

const MATRIX = SCENARIOS.flatMap((scenario) =>
  pointsOf(scenario.kind).flatMap((point) =>
    (['server', 'PostgreSQL'] as const).map((victim) => ({ scenario, point, victim, title: scenario.title })),
  ),
);

/** The operations whose point of no return comes before their end: in a tenant's database, or with the drop where nothing is parked. */
const COMMITTED_EARLIER = SCENARIOS.filter(({ kind }) => operationKinds.get(kind)?.complete);
/** After how many kills an operation is given up. */
const KILLS = 3;

const environment: Record<string, string> = { APOTHECA_DEMO: 'off', APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR_PASSWORD };
let installation: KillableInstallation;
let world: World;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'apotheca-crash-'));
  installation = makeKillable(dataDir, environment);
  await installation.start();
  await installStops(await installation.databaseUrl());
  const [shape] = FOREIGN_SHAPES.filter(({ encoding }) => encoding === 'SQL_ASCII') as [ForeignShape];
  const foreign = (await makeForeignArchive(shape)).archive;
  world = {
    ...(await signIn()),
    purgeId: '',
    parked: '',
    turns: [],
    isExtended: false,
    imported: 0,
    backup: {} as Backup,
    foreign,
  };
  await world.call(tenantRoutes.create, { body: tenantInput('SOURCE') });
  await withSource((client) => insertSampleRows(client, { patients: 4, seed: 7 }));
  await world.call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName: 'SPARE' } });
  await world.call(anonymizedCloneRoutes.cloneAnonymized, { query: { copyFrom: 'SOURCE', databaseName: 'STAGING' } });
  world.backup = (await world.call(backupRoutes.create, { query: { databaseName: 'SOURCE' } })).result;
  await purgeSpare(world);
  await prepareParked();
});

/** Parks PARKED and DOOMED, and the rows of TURNS by a restore. */
async function prepareParked(): Promise<void> {
  const { call, backup } = world;
  for (const databaseName of ['PARKED', 'TURNS']) {
    await call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName } });
  }
  await call(purgeRoutes.purge, { query: { databaseName: 'TURNS' }, body: ['otps', 'wslogs'] });
  const before = await takeSnapshot();
  await call(databaseRoutes.delete, { query: { databaseName: 'PARKED' } });
  const restored = await call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'TURNS' } });
  expect(restored).toMatchObject({ status: 200 });
  world.parked = before.PARKED;
  world.turns = [before.TURNS, (await takeSnapshot()).TURNS];
  await parkCopy(call, 'DOOMED');
}

afterAll(async () => {
  await installation.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function signIn(): Promise<Pick<World, 'call'>> {
  const { url } = installation.server();
  const token = await signInToServer(url, ADMINISTRATOR_PASSWORD);
  return { call: (route, options = {}) => callServer(url, route, { token, ...options }) };
}

async function withSource<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = await installation.databaseUrl();
  const { rows } = await withClient(url, (client) =>
    client.query("select physical_name as name from databases where name = 'SOURCE'"),
  );
  return withClient(withDatabaseName(url, rows[0].name), work);
}

/** Takes a snapshot of the registered databases. */
async function takeSnapshot(): Promise<Snapshot> {
  const url = await installation.databaseUrl();
  const { rows } = await withClient(url, (client) =>
    client.query("select name, physical_name as physical from databases where state = 'ready' order by name"),
  );
  const snapshot: Snapshot = {};
  for (const { name, physical } of rows) {
    const state = await withClient(withDatabaseName(url, physical), stateOfTables);
    snapshot[name] = JSON.stringify(state);
  }
  return snapshot;
}

/** Starts an operation, lets it stop at a point, and kills the victim there. */
async function killAt({ scenario: { kind, call }, point, victim }: (typeof MATRIX)[number]): Promise<void> {
  const kill = victim === 'server' ? installation.killServer : installation.killPostgres;
  await holdAt(await installation.databaseUrl(), { kind, point }, () => call(world), kill);
}

/** Starts an operation, and kills the server each time that the operation is about to commit its end. */
async function killAgainAndAgain({ kind, call }: Scenario): Promise<void> {
  const url = await installation.databaseUrl();
  const atTheEnd = { kind, point: 'succeeded' };
  await holdAt(
    url,
    atTheEnd,
    () => call(world),
    async ({ endSessions, untilHeld }) => {
      for (let kill = 1; kill < KILLS; kill += 1) {
        await installation.killServer();
        await endSessions();
        await installation.start();
        await untilHeld();
      }
      await installation.killServer();
    },
  );
}

/** How many audit entries a kind of operation has made, for successes and for failures. */
async function countEntries(kind: OperationKindName): Promise<{ done: number; failed: number }> {
  const { rows } = await withClient(await installation.databaseUrl(), (client) =>
    client.query(
      `select (count(*) filter (where action = $1))::int as done,
         (count(*) filter (where action = $1 || '-failed'))::int as failed
       from audit_entries`,
      [`databases.${kind}`],
    ),
  );
  return rows[0];
}

async function newestOperation(kind: OperationKindName): Promise<Operation> {
  const { result } = await world.call(operationRoutes.list);
  return result.find((operation: Operation) => operation.kind === kind);
}

it('the matrix has at least 60 kills [DECISIONS §8]', () => {
  expect(MATRIX.length).toBeGreaterThanOrEqual(60);
});

/** Operations that are killed once each: at the beginning, at a step in the middle and before the end in turn, with the two ways of killing in turn. */
const SAMPLED = ['purge', 'anonymize', 'clone anonymized', 'restore over a database', 'delete', 'adopt'];
const SAMPLE = SCENARIOS.filter(({ title }) => SAMPLED.includes(title)).flatMap((scenario, index) => {
  const points = pointsOf(scenario.kind);
  const point = [points[0], points[Math.floor(points.length / 2)], points.at(-1)][index % 3];
  const victim = index % 2 === 0 ? 'server' : 'PostgreSQL';
  return MATRIX.filter((cell) => cell.scenario === scenario && cell.point === point && cell.victim === victim);
});

const isSampledAtTheEnd = (scenario: Scenario) =>
  SAMPLE.some((cell) => cell.scenario === scenario && cell.point === 'succeeded');

it('the sample of the matrix has both ways of killing at each place [DECISIONS §8]', () => {
  const places = SAMPLE.map(({ victim, point }) => `${victim} ${point.replace(/ .*/, '')}`);
  expect(new Set(places).size).toBe(6);
});

it.each(IS_LONG_RUN ? MATRIX : SAMPLE)(
  '$title, $victim killed at $point: finished, undone or failed with its reason, and nothing is left over [DECISIONS §8]',
  async (cell) => {
    const { scenario } = cell;
    const before = await takeSnapshot();
    await killAt(cell);
    await installation.start();
    const url = await installation.databaseUrl();
    await removeStops(url);
    world = { ...world, ...(await signIn()) };
    await operationsEnded(url);
    const ended = await newestOperation(scenario.kind);
    const after = await takeSnapshot();
    if (ended.state === 'succeeded') {
      expect(scenario.isDone(before, after), `${ended.message}`).toBe(true);
    } else {
      expect(ended.message).not.toBe('');
      expect(same(before, after), ended.message).toBe(true);
    }
    // Registry and server agree on directories, roles and archives, and there is no invalid or closed database.
    await settled(url);
    expect((await world.call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
    const list: Database[] = (await world.call(databaseRoutes.list)).result;
    for (const { databaseName } of list) {
      const details = await world.call(databaseRoutes.details, { query: { databaseName } });
      expect(details.status, databaseName).toBe(200);
    }
    if (ended.state === 'succeeded') await scenario.reset?.(world);
  },
);

it('restore, server killed while it is loading the archive: not run again, and the reason says so [§2.13]', async () => {
  const scenario = SCENARIOS.find(({ kind }) => kind === 'restore');
  if (!scenario) throw new Error('There is no such scenario.');
  const before = await takeSnapshot();
  await killAt({ scenario, point: 'step 1', victim: 'server', title: scenario.title });
  await installation.start();
  const url = await installation.databaseUrl();
  await removeStops(url);
  world = { ...world, ...(await signIn()) };
  await operationsEnded(url);
  expect(await newestOperation('restore')).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/while it was reading this archive/),
  });
  expect(await takeSnapshot()).toEqual(before);
  expect((await world.call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
});

describe('after the point of no return', () => {
  // A fresh database with rows to purge, whatever the earlier kills have left. What is deleted or replaced is dropped from here on.
  beforeAll(async () => {
    await parkedOf(world.call, 'DOOMED').catch(() => parkCopy(world.call, 'DOOMED'));
    await installation.stop();
    environment.APOTHECA_PARK_DAYS = '0';
    await installation.start();
    world = { ...world, ...(await signIn()) };
    await world.call(databaseRoutes.delete, { query: { databaseName: 'SPARE' } });
    await world.call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName: 'SPARE' } });
    await purgeSpare(world);
  });

  // The first of those that the sample does not kill before their end stands for all.
  it.each(IS_LONG_RUN ? COMMITTED_EARLIER : COMMITTED_EARLIER.filter((each) => !isSampledAtTheEnd(each)).slice(0, 1))(
    `$title, server killed ${KILLS} times in a row after what it did was committed: succeeded, with its audit entry [DECISIONS §8]`,
    async (scenario) => {
      const before = await takeSnapshot();
      const entries = await countEntries(scenario.kind);
      await killAgainAndAgain(scenario);
      await installation.start();
      const url = await installation.databaseUrl();
      await removeStops(url);
      world = { ...world, ...(await signIn()) };
      await operationsEnded(url);
      const { state, message } = await newestOperation(scenario.kind);
      expect([state, message]).toEqual(['succeeded', expect.any(String)]);
      expect(scenario.isDone(before, await takeSnapshot())).toBe(true);
      expect(await countEntries(scenario.kind)).toEqual({ ...entries, done: entries.done + 1 });
      expect((await world.call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
      await scenario.reset?.(world);
    },
  );

  it.each(['server', 'PostgreSQL'] as const)(
    'restore over a database, %s killed after the swap: succeeded, and the replaced rows are dropped [DECISIONS §8]',
    async (victim) => {
      const scenario = SCENARIOS.find(({ title }) => title === 'restore over a database');
      if (!scenario) throw new Error('There is no such scenario.');
      await killAt({ scenario, point: 'dropped', victim, title: scenario.title });
      await installation.start();
      const url = await installation.databaseUrl();
      await removeStops(url);
      world = { ...world, ...(await signIn()) };
      expect(await newestOperation(scenario.kind)).toMatchObject({ state: 'succeeded' });
      const after = await takeSnapshot();
      expect(after.SPARE).toBe(after.SOURCE);
      await settled(url);
      expect((await world.call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
    },
  );
});

/** Waits until everything is dropped that a finished operation leaves to be dropped. */
async function settled(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (;;) {
      const { rowCount } = await client.query("select from databases where state in ('creating', 'deleting')");
      if (!rowCount) return;
      await client.query('select pg_sleep(0.05)');
    }
  });
}
