import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { databaseRoutes } from '@apotheca/contract/databases';
import { type MomentRange, momentRoutes } from '@apotheca/contract/moments';
import { type Operation, operationRoutes } from '@apotheca/contract/operations';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import type { Answer } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { runCommand } from '../../../testing/commands.ts';
import { withClient } from '../../../testing/databases.ts';
import { isAlive, type KillableInstallation, makeKillable } from '../../../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { callServer, signInToServer } from '../../../testing/server-process.ts';
import { stateOfTables } from '../../../testing/tenant-state.ts';

const PASSWORD = 'correct horse';
const POLL = 50;
/** It only finds what hangs. */
const PATIENCE = { timeout: 240_000 };
const DONE = { status: 200, message: expect.stringMatching(/^Success! \w+ is \w+ as it was at \S+ \S+ UTC\.$/) };
/** How many rows each of the writers commits, one at a time. */
const COMMITS = 150;
const WRITERS = 3;

/** One into a table of the platform, one into a table beyond it. */
const INSERTS = [
  `insert into public.wslogs (id, correlation_id, direction, service, method, url, status_code, response, error, duration_ms)
   select $1, gen_random_uuid(), direction, service, method, url, status_code, response, error, 1 from public.wslogs limit 1`,
  "insert into public.ticks values ($1, 'tick')",
];

const environment: Record<string, string> = { APOTHECA_DEMO: 'off', APOTHECA_ADMIN_PASSWORD: PASSWORD };
let folder: string;
let archive: string;
let installation: KillableInstallation;
let token: string;

const call = (route: ContractRoute, query: Record<string, string> = {}, body?: unknown): Promise<Answer> =>
  callServer(installation.server().url, route, { token, query, ...(body !== undefined && { body }) });
const signIn = async () => {
  token = await signInToServer(installation.server().url, PASSWORD);
};
const start = async () => {
  await installation.start();
  await signIn();
};
const range = async (): Promise<MomentRange> => (await call(momentRoutes.range)).result;
const metrics = async () => (await fetch(`${installation.server().url}/metrics`)).text();
const momentsDir = () => join(folder, 'data/moments');

/** Runs `work` as a superuser in the database of a name. */
async function inDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = await installation.databaseUrl();
  const { rows } = await withClient(url, (client) =>
    client.query("select physical_name from databases where name = $1 and state = 'ready'", [name]),
  );
  return withClient(withDatabaseName(url, rows[0].physical_name), work);
}

/** Waits until the server says what is expected of its archive. */
async function untilRange(isExpected: (range: MomentRange) => boolean): Promise<MomentRange> {
  for (;;) {
    const found = await range();
    if (isExpected(found)) return found;
    if (found.warning.includes('backup of the cluster failed')) throw new Error(found.warning);
    await setTimeout(POLL);
  }
}

/** Until then nothing that is committed belongs to the second of the backup's end. */
const untilChoosable = () =>
  untilRange(({ earliestOnUtc, latestOnUtc }) => (latestOnUtc ?? '') > (earliestOnUtc ?? '~'));

const restoreMoment = (databaseName: string, moment: string, newName: string) =>
  call(momentRoutes.restore, { databaseName, moment, newName });

const now = async (): Promise<string> => {
  const { rows } = await withClient(await installation.databaseUrl(), (client) =>
    client.query('select clock_timestamp() as moment'),
  );
  return rows[0].moment.toISOString();
};

/** Ids of rows: all, or of those that were committed by a moment. Older rows have no time of their commit. */
const idsOf = (name: string, committedBy?: string): Promise<string[]> =>
  inDatabase(name, async (client) => {
    const all = 'select id, xmin from public.wslogs union all select id, xmin from public.ticks';
    const { rows } = committedBy
      ? await client.query(
          `select id from (${all}) t where coalesce(pg_xact_commit_timestamp(xmin), '-infinity') <= $1 order by id`,
          [committedBy],
        )
      : await client.query(`select id from (${all}) t order by id`);
    return rows.map(({ id }) => id);
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-moments-'));
  archive = join(folder, 'archive');
  await mkdir(archive);
  installation = makeKillable(join(folder, 'data'), environment);
  await start();
  for (const code of ['ACME', 'BIRCH']) {
    await call(tenantRoutes.create, {}, tenantInput(code));
    await inDatabase(code, (client) => insertSampleRows(client, { patients: 3, seed: 5 }));
  }
  // A table beyond the platform's.
  await inDatabase('ACME', (client) => client.query('create table public.ticks (id bigint primary key, note text)'));
});
// A token lives for less time than all the tests may take.
beforeEach(signIn);

afterAll(async () => {
  await installation.stop();
  await rm(folder, { recursive: true, force: true });
});

it('without the setting it says what to do, and refuses [DECISIONS §13]', async () => {
  expect(await range()).toMatchObject({
    earliestOnUtc: null,
    latestOnUtc: null,
    warning: '',
    missing: expect.stringContaining('APOTHECA_WAL_ARCHIVE'),
  });
  expect(await restoreMoment('ACME', '2026-01-31T08:15:00Z', 'THEN')).toMatchObject({
    status: 409,
    message: expect.stringContaining('APOTHECA_WAL_ARCHIVE'),
  });
});

it('a server that joins a running PostgreSQL says that it must be restarted [DECISIONS §13]', async () => {
  await withClient(await installation.databaseUrl(), (client) =>
    client.query("alter system set track_commit_timestamp = 'on'"),
  );
  environment.APOTHECA_WAL_ARCHIVE = archive;
  await installation.killServer();
  await start();
  expect(await range()).toMatchObject({ missing: expect.stringContaining('start them again') });
  await installation.stop();
  await start();
  await untilChoosable();
  await installStops(await installation.databaseUrl());
});

it('a moment between commits: exactly the rows of that moment, and no other tenant changes [DECISIONS §13]', async () => {
  const others = await inDatabase('BIRCH', stateOfTables);
  // What it writes to WAL does not fit the emptied files of this database.
  await inDatabase('BIRCH', (client) => client.query('vacuum'));
  const write = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: WRITERS }, (_, writer) =>
        inDatabase('ACME', async (client) => {
          for (let count = from; count < to; count += 1)
            await client.query(INSERTS[writer % 2] ?? '', [1_000_000 * (writer + 1) + count]);
        }),
      ),
    );
  await write(0, COMMITS / 2);
  // PostgreSQL dates a commit before it writes it: of two at once, the earlier may come later in WAL, where a restore has ended.
  const moment = await now();
  await write(COMMITS / 2, COMMITS);
  const expected = await idsOf('ACME', moment);
  const all = await idsOf('ACME');
  expect(expected.length).toBeGreaterThan(COMMITS);
  expect(all.length).toBeGreaterThan(expected.length);
  expect(await restoreMoment('ACME', moment, 'THEN')).toMatchObject(DONE);
  expect(await idsOf('THEN')).toEqual(expected);
  expect(await inDatabase('BIRCH', stateOfTables)).toEqual(others);
  expect(await idsOf('ACME')).toEqual(all);
  const { result } = await call(databaseRoutes.list);
  expect(result).toContainEqual(
    expect.objectContaining({ databaseName: 'THEN', tenantCode: null, copiedFrom: 'ACME' }),
  );
  expect(await readdir(momentsDir())).toEqual([]);
});

if (IS_LONG_RUN) {
  it('rows that change every second for two minutes: exactly those of the minute that is chosen, and no other tenant changes [DECISIONS §13]', async () => {
    await inDatabase('ACME', (client) =>
      client.query(
        'create table public.counter as select 0 as value; create table public.history (value int primary key)',
      ),
    );
    const others = await inDatabase('BIRCH', stateOfTables);
    const counted = (name: string) =>
      inDatabase(name, async (client) => (await client.query('select value from public.counter')).rows);
    await inDatabase('ACME', async (client) => {
      for (let value = 1; value <= 120; value += 1) {
        await client.query('begin');
        await client.query("insert into public.ticks values ($1, 'tick')", [9_000_000 + value]);
        await client.query('update public.counter set value = $1', [value]);
        await client.query('delete from public.ticks where id = $1', [9_000_000 + value - 30]);
        await client.query('insert into public.history values ($1)', [value]);
        await client.query('commit');
        await setTimeout(1_000);
      }
    });
    const moment = new Date(Math.floor(Date.parse(await now()) / 60_000) * 60_000).toISOString();
    const { rows } = await inDatabase('ACME', (client) =>
      client.query('select max(value) as value from public.history where pg_xact_commit_timestamp(xmin) <= $1', [
        moment,
      ]),
    );
    const { value } = rows[0];
    const last = Array.from({ length: 30 }, (_, index) => String(9_000_000 + value - 29 + index));
    expect(await restoreMoment('ACME', moment, 'MINUTE')).toMatchObject(DONE);
    expect(await counted('MINUTE')).toEqual([{ value }]);
    expect((await idsOf('MINUTE')).filter((id) => Number(id) > 9_000_000)).toEqual(last);
    expect(await counted('ACME')).toEqual([{ value: 120 }]);
    expect(await inDatabase('BIRCH', stateOfTables)).toEqual(others);
  });
}

it('a database that is younger than the backup [DECISIONS §13]', async () => {
  await call(tenantRoutes.create, {}, tenantInput('CEDAR'));
  await inDatabase('CEDAR', (client) => insertSampleRows(client, { patients: 3, seed: 6 }));
  const then = await inDatabase('CEDAR', stateOfTables);
  const moment = await now();
  await inDatabase('CEDAR', (client) => client.query('delete from public.wslogs'));
  expect(await restoreMoment('CEDAR', moment, 'YOUNG')).toMatchObject(DONE);
  expect(await inDatabase('YOUNG', stateOfTables)).toEqual(then);
});

it('an anonymized clone at a moment at which it was not anonymized yet is refused [DECISIONS §13]', async () => {
  const url = await installation.databaseUrl();
  let moment = '';
  await holdAt(
    url,
    { kind: 'clone-anonymized', point: 'step 3' },
    () => call(anonymizedCloneRoutes.cloneAnonymized, { copyFrom: 'BIRCH', databaseName: 'STAGED' }),
    async () => {
      moment = await now();
    },
  );
  await removeStops(url);
  await operationsEnded(url);
  const finished = await now();
  expect(await restoreMoment('STAGED', moment, 'REAL')).toMatchObject({
    status: 409,
    message: expect.stringContaining('STAGED was still being made at'),
  });
  const { result } = await call(databaseRoutes.list);
  expect(result.map(({ databaseName }: { databaseName: string }) => databaseName)).not.toContain('REAL');
  expect(await restoreMoment('STAGED', finished, 'STAGED THEN')).toMatchObject({ status: 200 });
});

it('a database that took the name of another one after the backup, as a restore does [DECISIONS §13]', async () => {
  const { rows } = await withClient(await installation.databaseUrl(), (client) =>
    client.query("select physical_name as name from databases where name in ('ACME', 'BIRCH') order by name"),
  );
  const [acme, birch] = rows.map(({ name }) => name);
  const swap = `alter database "${acme}" rename to between; alter database "${birch}" rename to "${acme}";
    alter database between rename to "${birch}"`;
  const then = await inDatabase('BIRCH', stateOfTables);
  const swapNames = async () => {
    await withClient(withDatabaseName(await installation.databaseUrl(), 'postgres'), async (client) => {
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname in ($1, $2)', [
        acme,
        birch,
      ]);
      await client.query(swap);
    });
  };
  await swapNames();
  const moment = await now();
  await swapNames();
  expect(await restoreMoment('ACME', moment, 'SWAPPED')).toMatchObject(DONE);
  expect(await inDatabase('SWAPPED', stateOfTables)).toEqual(then);
});

it('moments outside of the range, and before the database was there, are refused [DECISIONS §13]', async () => {
  const { earliestOnUtc } = await range();
  const early = new Date(Date.parse(earliestOnUtc ?? '') - 1).toISOString();
  for (const moment of [early, new Date(Date.now() + 60_000).toISOString()]) {
    expect(await restoreMoment('ACME', moment, 'NEVER')).toMatchObject({
      status: 400,
      errors: { moment: [expect.stringMatching(/^Points in time can be chosen from \S+ \S+ UTC to \S+ \S+ UTC\.$/)] },
    });
  }
  expect(await restoreMoment('CEDAR', earliestOnUtc ?? '', 'NEVER')).toMatchObject({
    status: 404,
    message: expect.stringContaining('CEDAR did not exist at'),
  });
  expect(await restoreMoment('ACME', await now(), 'BIRCH')).toMatchObject({ status: 409 });
  expect(await readdir(momentsDir())).toEqual([]);
});

it('before the first moment of the first backup has come, none is offered [DECISIONS §13]', async () => {
  const setEarliest = async (by: string) =>
    withClient(await installation.databaseUrl(), (client) =>
      client.query('update wal_archive set earliest_moment = earliest_moment + $1::interval', [by]),
    );
  await setEarliest('1 day');
  const missing = expect.stringMatching(/^No change since the first backup of the cluster is archived yet\./);
  expect(await range()).toMatchObject({ earliestOnUtc: null, latestOnUtc: null, missing });
  expect(await restoreMoment('ACME', await now(), 'NEVER')).toMatchObject({ status: 409, message: missing });
  await setEarliest('-1 day');
  expect(await range()).toMatchObject({ missing: '' });
});

it('cancelled while it restores: nothing is left [DECISIONS §13]', async () => {
  const answer = restoreMoment('ACME', await now(), 'CANCELLED');
  const id = await untilRunning();
  await call(operationRoutes.cancel, { id });
  expect(await answer).toMatchObject({ status: 409, title: 'Cancelled' });
  expect(await readdir(momentsDir())).toEqual([]);
  expect((await call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
});

async function untilRunning(): Promise<string> {
  for (;;) {
    const { result }: { result: Operation[] } = await call(operationRoutes.list);
    const running = result.find(({ kind, state }) => kind === 'restore-moment' && state === 'running');
    if (running) return running.id;
    await setTimeout(POLL);
  }
}

// To kill PostgreSQL here kills the server as well.
it.each(IS_LONG_RUN ? (['server', 'PostgreSQL'] as const) : (['PostgreSQL'] as const))(
  '%s killed while the second PostgreSQL runs: that ends at once, and the next start finishes the restore [DECISIONS §13]',
  async (victim) => {
    const name = `${victim} KILLED`.toUpperCase();
    const then = await inDatabase('BIRCH', stateOfTables);
    const moment = await now();
    const url = await installation.databaseUrl();
    let postmaster = 0;
    await holdAt(
      url,
      { kind: 'restore-moment', point: 'step 2' },
      () => restoreMoment('BIRCH', moment, name),
      async () => {
        const [id = ''] = await readdir(momentsDir());
        postmaster = Number((await readFile(join(momentsDir(), id, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
        expect(isAlive(postmaster)).toBe(true);
        await (victim === 'server' ? installation.killServer() : installation.killPostgres());
      },
    );
    while (isAlive(postmaster)) await setTimeout(POLL);
    // A folder of an operation that has ended: its server was killed before it could remove it.
    await mkdir(join(momentsDir(), '00000000-0000-4000-8000-000000000000/cluster'), { recursive: true });
    await start();
    await removeStops(await installation.databaseUrl());
    await operationsEnded(await installation.databaseUrl());
    expect(await inDatabase(name, stateOfTables)).toEqual(then);
    while ((await readdir(momentsDir())).length > 0) await setTimeout(POLL);
    expect((await call(reconciliationRoutes.reconcile)).result.findings).toEqual([]);
  },
);

it('an archive that is away is told, by the call and by /metrics, and the rest is archived when it is back [DECISIONS §13]', async () => {
  await expect.poll(metrics, PATIENCE).toMatch(/^wal_archive_healthy 1$/m);
  await withClient(await installation.databaseUrl(), async (client) => {
    // A backup of the cluster that looks at the archive meanwhile would note a failure of its own.
    await client.query("select pg_advisory_lock(hashtextextended('cluster-backups', 0))");
    await rename(archive, `${archive}.away`);
    for (let file = 0; file < 3; file += 1) {
      await client.query("select pg_logical_emit_message(false, 'test', 'a change')");
      await client.query('select pg_switch_wal()');
    }
    const { warning, latestOnUtc } = await untilRange((found) => found.warning !== '');
    expect(warning).toContain(`pgBackRest cannot write to ${archive}`);
    expect(Date.parse(latestOnUtc ?? '')).toBeLessThan(Date.now());
    await expect.poll(metrics, PATIENCE).toMatch(/^wal_archive_healthy 0$/m);
    expect(existsSync(archive)).toBe(false);
    await rename(`${archive}.away`, archive);
  });
  await untilRange((found) => found.warning === '');
});

it('a failure of its backup is told no more when the archive is back, also while none is due [DECISIONS §13]', async () => {
  await withClient(await installation.databaseUrl(), (client) =>
    client.query("update wal_archive set failed_at = now() - interval '11 minutes', failure = 'It was away.'"),
  );
  // It looks at the archive when it starts, and each minute.
  await installation.killServer();
  await start();
  await expect.poll(async () => (await range()).warning, PATIENCE).toBe('');
  await expect.poll(metrics, PATIENCE).toMatch(/^wal_archive_healthy 1$/m);
});

it.each(['verify-audit.ts', 'admin.ts'])(
  '%s with another secret leaves its configuration as it is [DECISIONS §13]',
  async (file) => {
    const settings = { APOTHECA_DATA_DIR: join(folder, 'data'), APOTHECA_WAL_ARCHIVE: archive };
    const configuration = () => readFile(join(folder, 'data/pgbackrest/pgbackrest.conf'), 'utf8');
    const before = await configuration();
    // Those of `settings` have no database URL: the server's PostgreSQL is joined.
    const ended = await runCommand({ databaseUrl: '' }, file, {
      args: file === 'admin.ts' ? ['list-sessions'] : [],
      settings,
    });
    expect(ended.code).toBe(1);
    expect(ended.errors + ended.output).toMatch(/another (secret|one)/);
    expect(await configuration()).toBe(before);
  },
);
