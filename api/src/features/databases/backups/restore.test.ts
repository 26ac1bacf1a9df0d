import { readdir, rm } from 'node:fs/promises';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseDetails, databaseRoutes } from '@apotheca/contract/databases';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { readInventory } from '../../../db/cluster/inventory.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { sealArchive } from './archive/archive-seal.ts';
import { archivePath, createDraft, finishDraft } from './archive/archive-store.ts';
import { insertBackup } from './backups.repository.ts';
import { dumpDatabase } from './database-dump.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });

const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const urlOf = async (name: string) => connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const backUp = async (databaseName: string) =>
  (await test.call(backupRoutes.create, { query: { databaseName } })).result;
const planOf = (id: string, databaseName: string) =>
  test.call(backupRoutes.planRestore, { query: { id, databaseName } });
const restore = (id: string, databaseName: string, plan?: string) =>
  test.call(backupRoutes.restore, { query: { id, databaseName, ...(plan && { plan }) } });
const names = async () =>
  (await test.call(databaseRoutes.list)).result.map(({ databaseName }: { databaseName: string }) => databaseName);
const addLocation = (client: pg.Client, code: string) =>
  client.query("insert into locations (code, name, kind) values ($1, $1, 'clinic')", [code]);
const locations = async (name: string) =>
  withClient(await urlOf(name), async (client) => {
    const { rows } = await client.query<{ code: string }>('select code from locations order by code');
    return rows.map(({ code }) => code);
  });

/** What reconciling finds, without missing files: a test has removed one. */
const findings = async () =>
  (await test.call(reconciliationRoutes.reconcile)).result.findings.filter(
    ({ kind }: { kind: string }) => kind !== 'backup-without-file',
  );

/** The number of rows and a checksum of each table that a restore loads, whatever the order of rows. */
async function fingerprint(client: pg.Client): Promise<Record<string, string>> {
  const tables = [...TENANT_TABLE_NAMES.map((name) => `public.${name}`), 'apotheca.permissions'];
  const sums = tables.map(
    (table) =>
      `select '${table}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as value from ${table} t`,
  );
  const { rows } = await client.query<{ name: string; value: string }>(sums.join(' union all '));
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The last value of each table's identity; null when it was never used. */
async function identities(client: pg.Client): Promise<Record<string, number | null>> {
  const { rows } = await client.query<{ name: string; value: number | null }>(
    `select sequencename as name, last_value::int as value from pg_sequences where schemaname = 'public'`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Constraints, indexes and rights of a database. */
async function shape(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as line
    from pg_constraint where conrelid <> 0
    union select indexdef from pg_indexes where schemaname in ('public', 'apotheca')
    -- Each database grants its rights to a role of its own.
    union select oid::regclass || ' ' || regexp_replace(coalesce(relacl::text, ''), 'db_[0-9a-f]{32}\\w*', 'own role') from pg_class
      where relnamespace in ('public'::regnamespace, 'apotheca'::regnamespace) and relkind in ('r', 'S')
    order by 1`);
  return rows.map(({ line }) => line);
}
const inDatabase = async <T>(name: string, work: (client: pg.Client) => Promise<T>) =>
  test.context.tenants.with(await getDatabaseByName(test.context, name), work);

/** All databases and roles of this installation, all rows of the registry, and all files of backups. */
async function everything() {
  const { rows } = await test.context.pool.query<{ name: string }>(
    `
    select (datname || ' ' || datallowconn) collate "C" as name from pg_database where shobj_description(oid, 'pg_database') like $1
    union all select (rolname || ' ' || rolcanlogin) collate "C" from pg_roles where shobj_description(oid, 'pg_authid') like $1
    union all select (name || ' ' || state) collate "C" from databases
    order by 1`,
    [`%${new URL(test.databaseUrl).pathname.slice(1)}%`],
  );
  return { cluster: rows, files: (await readdir(test.context.backupDir)).sort() };
}

/** Makes a backup, with the fingerprint of the same snapshot. */
async function backUpWithFingerprint(name: string) {
  const { context } = test;
  const row = await getDatabaseByName(context, name);
  const id = crypto.randomUUID();
  const draft = await createDraft(context, id);
  let expected: Record<string, string> = {};
  const run = { signal: new AbortController().signal, progress: () => {} };
  const dumped = await dumpDatabase(context, row, draft, run, async (client) => {
    expected = await fingerprint(client);
  });
  const { sizeBytes, sha256 } = await sealArchive(draft, () => dumped.manifest, run.signal);
  await finishDraft(context, id);
  const { schemaVersion, rowCounts } = dumped;
  await context.platform.transaction().execute((trx) =>
    insertBackup(trx, {
      id,
      databaseId: row.id,
      databaseName: name,
      origin: 'made',
      state: 'ready',
      sizeBytes: String(sizeBytes),
      sha256,
      schemaVersion,
      rowCounts: JSON.stringify(rowCounts),
      manifest: JSON.stringify(dumped.manifest),
      createdBy: null,
      createdAt: context.now(),
    }),
  );
  return { id, expected, rows: Object.values(rowCounts).reduce((sum, count) => sum + count, 0) };
}

/** Inserts rows, each in its transaction, while `work` runs. @returns the number of inserted rows */
async function whileWriting<T>(name: string, work: () => Promise<T>): Promise<{ result: T; written: number }> {
  let isWorking = true;
  let written = 0;
  const writing = withClient(await urlOf(name), async (client) => {
    while (isWorking) await addLocation(client, `WRITTEN-${++written}`);
  });
  const result = await work().finally(() => {
    isWorking = false;
  });
  await writing;
  return { result, written };
}

describe('a backup that was made while rows were inserted', () => {
  it('is restored completely, under a new name and over the database: counts, checksums, identities, constraints [§2.13]', async () => {
    await createTenant('BUSY');
    await withClient(await urlOf('BUSY'), (client) => insertSampleRows(client, { patients: 30, seed: 7 }));
    await inDatabase('BUSY', (client) =>
      client.query(
        "insert into apotheca.permissions (id, module, name, identifier) values (gen_random_uuid(), 'M', 'P', 'p.read')",
      ),
    );
    const { result, written } = await whileWriting('BUSY', () => backUpWithFingerprint('BUSY'));
    const { id, expected, rows } = result;
    expect(written).toBeGreaterThan(1);
    expect(await inDatabase('BUSY', fingerprint)).not.toEqual(expected);
    const before = await inDatabase('BUSY', shape);
    const { locations_id_seq: latest, ...others } = await inDatabase('BUSY', identities);
    const { id: databaseId, physicalName, roleName } = await getDatabaseByName(test.context, 'BUSY');

    expect(await restore(id, 'busy again')).toMatchObject({
      status: 200,
      message: 'Success! BUSY AGAIN has been restored.',
      result: { databaseName: 'BUSY AGAIN', rows },
    });
    expect(await inDatabase('BUSY AGAIN', fingerprint)).toEqual(expected);
    expect(await inDatabase('BUSY AGAIN', shape)).toEqual(before);
    // Sequences have no snapshots: the archive has their values from a little later.
    const { locations_id_seq: dumped, ...dumpedOthers } = await inDatabase('BUSY AGAIN', identities);
    expect(dumpedOthers).toEqual(others);
    expect(dumped).toBeLessThanOrEqual(latest ?? 0);
    const highest = 'select max(id)::int as id from public.locations';
    const { rows: located } = await inDatabase('BUSY AGAIN', (client) => client.query<{ id: number }>(highest));
    expect(dumped).toBeGreaterThanOrEqual(located[0]?.id ?? Number.NaN);

    // Like an archive from elsewhere, which has no counts: all keys and indexes are dropped and rebuilt.
    await test.context.platform.updateTable('backups').set({ rowCounts: null }).where('id', '=', id).execute();
    expect(await restore(id, 'busy elsewhere')).toMatchObject({ status: 200, result: { rows } });
    expect(await inDatabase('BUSY ELSEWHERE', fingerprint)).toEqual(expected);
    expect(await inDatabase('BUSY ELSEWHERE', shape)).toEqual(before);

    const over = await restore(id, 'busy');
    expect(over).toMatchObject({ status: 200, result: { id: databaseId, databaseName: 'BUSY', rows } });
    expect(await inDatabase('BUSY', fingerprint)).toEqual(expected);
    expect(await inDatabase('BUSY', shape)).toEqual(before);
    expect(await inDatabase('BUSY', identities)).toEqual({ ...others, locations_id_seq: dumped });
    expect(await getDatabaseByName(test.context, 'BUSY')).toMatchObject({ id: databaseId, physicalName, roleName });
    // The replaced database is dropped once the restore has succeeded.
    const notReady = test.context.platform.selectFrom('databases').select('state').where('state', '<>', 'ready');
    await expect.poll(() => notReady.execute()).toEqual([]);
    expect((await everything()).cluster.filter(({ name }) => name.includes(over.result.id))).toEqual([]);

    await withClient(await urlOf('BUSY AGAIN'), (client) => addLocation(client, 'AFTERWARDS'));
    expect(await locations('BUSY AGAIN')).toContain('AFTERWARDS');
    expect(test.background).toEqual([]);
  });
});

describe('POST /managedatabase/restoredatabase', () => {
  it('over a database ends its sessions; the same connection string works again afterwards [§2.13]', async () => {
    await createTenant('LIVE');
    const url = await urlOf('LIVE');
    const { id } = await backUp('LIVE');
    const { physicalName } = await getDatabaseByName(test.context, 'LIVE');
    await withClient(url, async (client) => {
      client.on('error', () => {});
      await client.query('begin');
      await addLocation(client, 'UNFINISHED');
      // The program that made the backup may leave before its session has ended.
      const sessions = "select from pg_stat_activity where datname = $1 and backend_type = 'client backend'";
      await expect.poll(async () => (await test.context.pool.query(sessions, [physicalName])).rowCount).toBe(1);
      const plan = await planOf(id, 'LIVE');
      expect(plan).toMatchObject({
        result: {
          databaseName: 'LIVE',
          replaces: true,
          rows: 0,
          connections: 1,
          newestBackupOnUtc: expect.any(String),
        },
        message:
          'Restoring replaces every row of LIVE (0 rows) by those of the chosen backup of LIVE. 1 open session will be ended.',
      });
      expect(await restore(id, 'LIVE')).toMatchObject({ status: 200 });
      await expect(client.query('select 1')).rejects.toThrow();
    });
    await withClient(url, (client) => addLocation(client, 'BACK'));
    expect(await locations('LIVE')).toEqual(['BACK']);
    const tenants = (await test.call(tenantRoutes.list)).result;
    expect(tenants.find(({ code }: { code: string }) => code === 'LIVE')).toMatchObject({ databaseName: 'LIVE' });
  });

  it('changes nothing when the plan has changed, also during the restore [DECISIONS §8]', async () => {
    await createTenant('PLANNED');
    const { id } = await backUp('PLANNED');
    const { result } = await planOf(id, 'PLANNED');
    await withClient(await urlOf('PLANNED'), (client) => addLocation(client, 'NEW'));
    const before = await everything();
    expect(await restore(id, 'PLANNED', result.digest)).toMatchObject({ status: 409, title: 'Plan changed' });
    expect(await everything()).toEqual(before);

    const current = (await planOf(id, 'PLANNED')).result.digest;
    await installStops(test.databaseUrl);
    let restoring: ReturnType<typeof restore> | undefined;
    await holdAt(
      test.databaseUrl,
      { kind: 'restore', point: 'step 1' },
      () => {
        restoring = restore(id, 'PLANNED', current);
        return restoring;
      },
      async () => {
        await withClient(await urlOf('PLANNED'), (client) => addLocation(client, 'LATE'));
        await removeStops(test.databaseUrl);
      },
    );
    expect(await restoring).toMatchObject({ status: 409, title: 'Plan changed', result: { rows: 2 } });
    expect(await everything()).toEqual(before);
    expect(await locations('PLANNED')).toEqual(['LATE', 'NEW']);

    expect(await restore(id, 'PLANNED', (await planOf(id, 'PLANNED')).result.digest)).toMatchObject({ status: 200 });
    expect(await locations('PLANNED')).toEqual([]);
  });

  it('under a new name plans that, and refuses the plan when the name is taken meanwhile [DECISIONS §8]', async () => {
    await createTenant('ORIGIN');
    const { id } = await backUp('ORIGIN');
    const plan = await planOf(id, 'fresh');
    expect(plan).toMatchObject({
      message: 'A new database FRESH will be made from the chosen backup of ORIGIN.',
      result: {
        backupOnUtc: '2026-11-20T23:20:00.000Z',
        databaseName: 'FRESH',
        replaces: false,
        rows: 0,
        sizeBytes: 0,
        connections: 0,
      },
    });
    await createTenant('FRESH');
    expect(await restore(id, 'FRESH', plan.result.digest)).toMatchObject({ status: 409, title: 'Plan changed' });
    expect(await planOf(id, 'postgres')).toMatchObject({ status: 409, title: 'Reserved name' });
    expect(await restore(id, 'template1')).toMatchObject({ status: 409, title: 'Reserved name' });
    expect(await restore(crypto.randomUUID(), 'ANY')).toMatchObject({
      status: 404,
      message: 'There is no such backup.',
    });
  });

  it('fails with a clear message and leaves nothing when the file is missing [DECISIONS §8]', async () => {
    await createTenant('FILELESS');
    const { id } = await backUp('FILELESS');
    await rm(archivePath(test.context, id));
    const before = await everything();
    for (const name of ['FILELESS', 'ANEW']) {
      expect(await restore(id, name)).toMatchObject({ status: 404, message: expect.stringMatching(/is missing/) });
    }
    expect(await everything()).toEqual(before);
    expect(await names()).not.toContain('ANEW');
  });

  it('is audited in the name of the user who started it [DECISIONS §12]', async () => {
    await createTenant('NOTED');
    const { id } = await backUp('NOTED');
    const { result } = await restore(id, 'NOTED');
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select(['action', 'actorName', 'changes'])
      .where('entityId', '=', result.id)
      .where('action', '=', 'databases.restore')
      .execute();
    expect(entries).toEqual([
      {
        action: 'databases.restore',
        actorName: 'admin',
        changes: { name: 'NOTED', backupId: id, replaced: true, rows: 0 },
      },
    ]);
  });
});

describe('a database that a restore has replaced', () => {
  it('can be deleted at once, and reconciling finds nothing [DECISIONS §8]', async () => {
    await createTenant('SOURCE7');
    const backup = await backUp('SOURCE7');
    for (let round = 0; round < 3; round += 1) {
      await test.call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE7', databaseName: 'BRIEF' } });
      expect(await restore(backup.id, 'BRIEF')).toMatchObject({ status: 200 });
      expect(await findings()).toEqual([]);
      expect(await test.call(databaseRoutes.delete, { query: { databaseName: 'BRIEF' } })).toMatchObject({
        status: 200,
      });
    }
  });
});

describe('a tenant’s database that PostgreSQL has lost', () => {
  it('is a 409 with the reason, and is restored with its tenant, role and connection string [DECISIONS §8]', async () => {
    await createTenant('LOST');
    const url = await urlOf('LOST');
    await withClient(url, (client) => addLocation(client, 'KEPT'));
    const backup = await backUp('LOST');
    const { physicalName } = await getDatabaseByName(test.context, 'LOST');
    await test.context.pool.query(`drop database ${physicalName} with (force)`);
    const details = await test.call(databaseRoutes.details, { query: { databaseName: 'LOST' } });
    expect(details).toMatchObject({ status: 409, message: expect.stringMatching(/does not have this database/) });
    const plan = await planOf(backup.id, 'LOST');
    expect(plan).toMatchObject({ status: 200, result: { replaces: true, rows: 0 } });
    expect(await restore(backup.id, 'LOST', plan.result.digest)).toMatchObject({ status: 200 });
    expect(await withClient(url, async (client) => (await client.query('select code from locations')).rows)).toEqual([
      { code: 'KEPT' },
    ]);
    expect(await findings()).toEqual([]);
    const { databases } = await readInventory(test.context.clusters.home.platform);
    expect(databases.filter(({ isUnfinished }) => isUnfinished)).toEqual([]);
  });
});

describe('a database that lacks a table and has a damaged one', () => {
  /** Drops a table, and takes the file of another one away. */
  const damage = (name: string) =>
    inDatabase(name, (client) =>
      client.query(`
        drop table public.otps;
        update pg_class set relfilenode = 999999999 where oid = 'public.trlogs'::regclass`),
    );
  const NAMED = 'Missing or damaged, and not counted: otps and trlogs.';

  it('is planned with their names, and replaced by its backup [DECISIONS §8]', async () => {
    await createTenant('TORN');
    const url = await urlOf('TORN');
    await withClient(url, (client) => addLocation(client, 'KEPT'));
    const { id } = await backUp('TORN');
    const whole = (await planOf(id, 'TORN')).result;
    await damage('TORN');
    const { result: details } = await test.call(databaseRoutes.details, { query: { databaseName: 'TORN' } });
    expect(databaseDetails.parse(details).unreadableTables).toEqual(['otps', 'trlogs']);
    const plan = await planOf(id, 'TORN');
    expect(plan).toMatchObject({ status: 200, message: expect.stringContaining(NAMED), result: { rows: 1 } });
    expect(await restore(id, 'TORN', whole.digest)).toMatchObject({ status: 409, title: 'Plan changed' });
    expect(await restore(id, 'TORN', plan.result.digest)).toMatchObject({ status: 200 });
    expect(await locations('TORN')).toEqual(['KEPT']);
    await withClient(url, async (client) => {
      expect((await client.query('select from otps union all select from trlogs')).rowCount).toBe(0);
    });
  });

  it('is replaced without a plan, also where nothing of purges can be read [DECISIONS §8]', async () => {
    await createTenant('BARE');
    const { id } = await backUp('BARE');
    await damage('BARE');
    await inDatabase('BARE', (client) => client.query('drop table apotheca.purged_tables'));
    expect(await restore(id, 'BARE')).toMatchObject({ status: 200 });
  });

  it('is planned and replaced also where it takes no session [DECISIONS §8]', async () => {
    await createTenant('SHUT');
    const { id } = await backUp('SHUT');
    await inDatabase('SHUT', (client) =>
      client.query("update pg_class set relfilenode = 999999999 where oid = 'pg_catalog.pg_am'::regclass"),
    );
    await expect(urlOf('SHUT').then((url) => withClient(url, async () => {}))).rejects.toThrow('could not open file');
    expect(await planOf(id, 'SHUT')).toMatchObject({ status: 200, message: expect.stringContaining('not counted') });
    expect(await restore(id, 'SHUT')).toMatchObject({ status: 200 });
  });

  it('is deleted with its tenant after a plan that names them [§2.9]', async () => {
    const { id } = (await createTenant('GONE')).result;
    await damage('GONE');
    const plan = await test.call(tenantRoutes.planDeletion, { query: { id } });
    expect(plan).toMatchObject({ status: 200, message: expect.stringContaining(NAMED) });
    expect(await test.call(tenantRoutes.delete, { query: { id, plan: plan.result.digest } })).toMatchObject({
      status: 200,
    });
  });
});
