import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { type Finding, type FindingKind, reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowConnections } from '../../../db/cluster/database-sessions.ts';
import { ownershipMark, unfinishedMark } from '../../../db/cluster/ownership-mark.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { whileUnwritable } from '../../../testing/unwritable-table.ts';
import { tenantsAsOwner } from '../../tenants/tenants.service.ts';
import { settleDatabases } from '../database-settling.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { findBackups } from './backup-findings.ts';
import { findClusterDifferences } from './cluster-differences.ts';

const test = useTestApp();

const findings = async (options = {}): Promise<Finding[]> =>
  (await test.call(reconciliationRoutes.reconcile, options)).result.findings;
const fix = (kind: FindingKind, subject: string, options = {}) =>
  test.call(reconciliationRoutes.fix, { query: { kind, subject }, ...options });
const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const query = (text: string) => withClient(test.databaseUrl, (client) => client.query(text));
const exists = async (kind: 'database' | 'roles', name: string) => {
  const column = kind === 'database' ? 'datname' : 'rolname';
  return (await query(`select from pg_${kind} where ${column} = '${name}'`)).rowCount === 1;
};
const ours = async () => `'${(await ownershipMark(test.context.clusters.home.platform)).replaceAll("'", "''")}'`;

/** Expects one finding, fixes it, and expects none afterwards. */
async function fixOnly(kind: FindingKind, subject: string, options = {}) {
  expect(await findings(options)).toEqual([
    expect.objectContaining({ kind, subject, explanation: expect.any(String) }),
  ]);
  expect(await fix(kind, subject, options)).toMatchObject({ status: 200, result: { kind, subject } });
  expect(await findings(options)).toEqual([]);
  expect(await fix(kind, subject, options)).toMatchObject({ status: 404 });
}

describe('GET /managedatabase/reconcile', () => {
  it('finds nothing where registry and server agree [DECISIONS §8]', async () => {
    await createTenant('FINE');
    const { result } = await test.call(reconciliationRoutes.reconcile);
    expect(reconciliationRoutes.reconcile.result.parse(result)).toMatchObject({ databases: 1, findings: [] });
  });

  it('finds a tenant without a database, and makes it an empty one [DECISIONS §8]', async () => {
    await createTenant('BEREFT');
    const { id, physicalName } = await getDatabaseByName(test.context, 'BEREFT');
    await query(`drop database ${physicalName} with (force)`);
    await query(`drop role ${physicalName}`);
    await query(`delete from databases where id = '${id}'`);
    const [home] = (await test.call(databaseServerRoutes.list)).result;
    const setCapacity = (capacity: number | null) =>
      test.call(databaseServerRoutes.edit, { body: { id: home.id, name: home.name, capacity } });
    await setCapacity(home.tenants);
    expect(await fix('tenant-without-database', 'BEREFT')).toMatchObject({
      status: 409,
      message: `The database server ${home.name} is full: it takes ${home.tenants} tenants. Raise its capacity.`,
    });
    await setCapacity(null);
    await fixOnly('tenant-without-database', 'BEREFT');
    expect(await test.call(databaseRoutes.details, { query: { databaseName: 'BEREFT' } })).toMatchObject({
      status: 200,
      result: { tenantCode: 'BEREFT' },
    });
  });

  it('keeps the tenant when making its database is interrupted, and finds it again [DECISIONS §8]', async () => {
    await createTenant('SPARED');
    const { id, physicalName } = await getDatabaseByName(test.context, 'SPARED');
    await query(`drop database ${physicalName} with (force)`);
    await query(`drop role ${physicalName}`);
    await query(`delete from databases where id = '${id}'`);
    // The session ends when the database is made, so the server cannot undo anything.
    await query(`
      create function cut_off() returns trigger language plpgsql as $$
      begin
        perform pg_terminate_backend(pg_backend_pid());
        return new;
      end $$;
      create trigger cut_off before update of state on databases for each row execute function cut_off()`);
    expect(await fix('tenant-without-database', 'SPARED')).toMatchObject({ success: false });
    await query('drop trigger cut_off on databases; drop function cut_off');
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
    await fixOnly('tenant-without-database', 'SPARED');
  });

  it('finds a registered database that PostgreSQL has lost, without a fix [DECISIONS §8]', async () => {
    await createTenant('SOURCE');
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName: 'GONE' } });
    const { physicalName } = await getDatabaseByName(test.context, 'GONE');
    await query(`drop database ${physicalName} with (force)`);
    expect(await findings()).toEqual([
      {
        kind: 'database-missing',
        subject: 'GONE',
        fix: 'none',
        explanation:
          'GONE is registered, but the PostgreSQL server does not have it. Restore a backup over it, or delete it.',
      },
    ]);
    expect(await fix('database-missing', 'GONE')).toMatchObject({ status: 409 });
    await query(`delete from databases where name = 'GONE'`);
    await fixOnly('role-without-database', physicalName);
    expect(await exists('roles', physicalName)).toBe(false);
  });

  it('does not advise to delete a lost database that a tenant owns [DECISIONS §8]', async () => {
    await createTenant('WIDOWED');
    const { id, physicalName } = await getDatabaseByName(test.context, 'WIDOWED');
    await query(`drop database ${physicalName} with (force)`);
    expect(await findings()).toEqual([
      expect.objectContaining({
        subject: 'WIDOWED',
        explanation: 'WIDOWED is registered, but the PostgreSQL server does not have it. Restore a backup over it.',
      }),
    ]);
    await query(`delete from databases where id = '${id}'`);
    await query(`delete from tenants where code = 'WIDOWED'`);
    await fixOnly('role-without-database', physicalName);
  });

  it('registers an unregistered database, with its rows and its own role [DECISIONS §8]', async () => {
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'SOURCE', databaseName: 'LOST' } });
    const { physicalName } = await getDatabaseByName(test.context, 'LOST');
    await query(`delete from databases where name = 'LOST'`);
    await fixOnly('database-without-owner', physicalName);
    const names = (await test.call(databaseRoutes.list)).result.map(
      (row: { databaseName: string }) => row.databaseName,
    );
    const recovered = names.find((name: string) => name.startsWith('RECOVERED '));
    const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, recovered));
    expect((await withClient(url, (client) => client.query('select from patients'))).rowCount).toBe(0);
  });

  it('deletes what is left of an interrupted DROP DATABASE [DECISIONS §8]', async () => {
    await query('create database broken_drop template template0');
    await query(`comment on database broken_drop is ${await ours()}`);
    await query("update pg_database set datconnlimit = -2 where datname = 'broken_drop'");
    await fixOnly('invalid-database', 'broken_drop');
    expect(await exists('database', 'broken_drop')).toBe(false);
  });

  it('allows connections to a database where they were left blocked [DECISIONS §8]', async () => {
    const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
    await allowConnections(test.context.clusters.home.platform, physicalName, false);
    await fixOnly('connections-off', 'SOURCE');
    expect(await test.call(databaseRoutes.details, { query: { databaseName: 'SOURCE' } })).toMatchObject({
      status: 200,
    });
    const { roleName } = await getDatabaseByName(test.context, 'SOURCE');
    await query(`alter role ${roleName} nologin`);
    await fixOnly('connections-off', 'SOURCE');
  });

  it('keeps the programs of a closed tenant out, and says so [DECISIONS §8]', async () => {
    const { id, roleName } = await getDatabaseByName(test.context, 'SOURCE');
    await query(`update databases set access = 'closed' where id = '${id}'`);
    expect(await findings()).toEqual([
      {
        kind: 'connections-off',
        subject: 'SOURCE',
        fix: 'allow-connections',
        explanation:
          'The programs of SOURCE are to be kept out, but PostgreSQL keeps out nobody or everybody, and no operation is working on it. The fix keeps them out, and nobody else.',
      },
    ]);
    await fixOnly('connections-off', 'SOURCE');
    expect((await query(`select rolcanlogin from pg_roles where rolname = '${roleName}'`)).rows).toEqual([
      { rolcanlogin: false },
    ]);
    await query(`update databases set access = 'open' where id = '${id}'`);
    await fixOnly('connections-off', 'SOURCE');
  });

  it('opens no database that an operation has closed since it was listed [DECISIONS §8]', async () => {
    const { id, physicalName } = await getDatabaseByName(test.context, 'SOURCE');
    await allowConnections(test.context.clusters.home.platform, physicalName, false);
    const fixed = await withClient(test.databaseUrl, async (client) => {
      await client.query(`begin; select from databases where id = '${id}' for update`);
      const fixing = fix('connections-off', 'SOURCE');
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      // Within a transaction a session sees the activity as it was at first.
      const isWaiting = async () => (await test.context.pool.query(waiting)).rowCount;
      await expect.poll(isWaiting, { interval: 20 }).toBe(1);
      await client.query(`insert into operation_claims select '${id}', id from operations limit 1; commit`);
      return fixing;
    });
    expect(fixed).toMatchObject({ status: 404, message: 'This finding no longer exists: nothing was changed.' });
    const entries = await query("select action from audit_entries where entity_id = 'SOURCE' order by id desc limit 2");
    expect(entries.rows.map(({ action }) => action)).toEqual(['databases.reconcile-failed', 'databases.reconcile']);
    const { rows } = await query(`select datallowconn from pg_database where datname = '${physicalName}'`);
    expect(rows).toEqual([{ datallowconn: false }]);
    await query('delete from operation_claims');
    await fixOnly('connections-off', 'SOURCE');
  });

  it('takes no database for closed that an operation closes while the two are compared [DECISIONS §8]', async () => {
    const { id, physicalName } = await getDatabaseByName(test.context, 'SOURCE');
    const { home } = test.context.clusters;
    let reads = 0;
    const platform = test.context.platform.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!result.rows.some((row) => 'isClaimed' in row)) return result;
        reads += 1;
        // The last time before PostgreSQL is asked who may connect.
        if (reads === 2) {
          await query(`insert into operation_claims select '${id}', id from operations limit 1`);
          await allowConnections(home.platform, physicalName, false);
        }
        return result;
      },
    });
    const { closed } = await findClusterDifferences({ ...test.context, platform }, home);
    await query('delete from operation_claims');
    expect(closed).toEqual([]);
    expect(reads).toBe(3);
    await fixOnly('connections-off', 'SOURCE');
  });

  it('drops an abandoned draft of a template, and keeps a recent one [DECISIONS §8]', async () => {
    const today = test.clock.now;
    // Drafts belong to the whole cluster: other tests would find them, and their servers drop them, were they old by any other clock.
    test.clock.now = new Date('2100-01-01T00:00:00Z');
    const { accessToken: token } = (await test.signIn()).result;
    const before = test.clock.now.getTime();
    const [old, young] = [before - 3_600_001, before - 1].map((at) => `apotheca_template_0123456789ab_1_${at}`);
    for (const name of [old, young]) await query(`create database ${name} template template0`);
    await fixOnly('abandoned-draft', String(old), { token });
    expect(await exists('database', String(young))).toBe(true);
    await query(`drop database ${young}`);
    test.clock.now = today;
  });

  it('drops an unfinished copy that the control database does not know, which is not adopted [DECISIONS §13]', async () => {
    await query('create database lost_copy template template0');
    await query(`comment on database lost_copy is '${await unfinishedMark(test.context.clusters.home.platform)}'`);
    await fixOnly('abandoned-draft', 'lost_copy');
    expect(await exists('database', 'lost_copy')).toBe(false);
  });

  it('ignores databases of another installation on the same server [DECISIONS §8]', async () => {
    await query('create database db_of_others template template0');
    await query("comment on database db_of_others is 'Made by Apotheca, control database elsewhere'");
    expect(await findings()).toEqual([]);
    await query('drop database db_of_others');
  });

  it('deletes a backup without a file, and removes a file without a backup [DECISIONS §8]', async () => {
    const { platform, backupDir, now } = test.context;
    const id = '00000000-0000-4000-8000-000000000001';
    await platform
      .insertInto('backups')
      .values({
        id,
        databaseId: null,
        databaseName: 'SOURCE',
        origin: 'made',
        state: 'ready',
        createdBy: null,
        createdAt: now(),
      })
      .execute();
    expect(await findings()).toEqual([
      expect.objectContaining({
        explanation: expect.stringMatching(
          /^The archive of the backup of \w+ of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC is gone from the backup folder, and no store has a copy of it\. /,
        ),
      }),
    ]);
    await fixOnly('backup-without-file', id);
    await mkdir(backupDir, { recursive: true });
    await writeFile(join(backupDir, 'stranger.dump'), 'x');
    await fixOnly('file-without-backup', 'stranger.dump');
    expect(await readdir(backupDir)).not.toContain('stranger.dump');
  });
});

describe('the comparison of backups with their files', () => {
  const COUNT = 1_000;
  const nameOf = (number: number) => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const pathOf = (number: number) => join(test.context.backupDir, `${nameOf(number)}.dump`);
  beforeEach(async () => {
    await query(`
      insert into backups (id, database_name, origin, state, created_at)
      select ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'SOURCE', 'made', 'ready', now() from generate_series(1, ${COUNT}) n`);
    await mkdir(test.context.backupDir, { recursive: true });
    for (let number = 1; number <= COUNT; number += 1) await writeFile(pathOf(number), '');
  });
  afterEach(async () => {
    await query('delete from backup_copies; delete from backups');
    for (const name of await readdir(test.context.backupDir)) await rm(join(test.context.backupDir, name));
  });

  /** @returns what is found, how many rows PostgreSQL answers with, and in how many statements */
  async function compare(beforeFirst = () => {}) {
    let [statements, answered] = [0, 0];
    const platform = test.context.platform.withPlugin({
      transformQuery({ node }) {
        if (statements === 0) beforeFirst();
        statements += 1;
        return node;
      },
      async transformResult({ result }) {
        answered += result.rows.length;
        return result;
      },
    });
    const found = await findBackups({ ...test.context, platform });
    return { found: found.map(({ kind, subject }) => ({ kind, subject })), statements, answered };
  }

  it('reads no backup whose file is there [DECISIONS §8]', async () => {
    expect(await compare()).toEqual({ found: [], statements: 1, answered: 0 });
    for (const number of [1, 2, 3, 4]) await rm(pathOf(number));
    await query(`
      update backups set state = 'deleting' where id = '${nameOf(2)}';
      insert into backup_copies (backup_id, store, state, sha256) values
        ('${nameOf(3)}', 'file:/mnt', 'copied', 'digest'), ('${nameOf(4)}', 'file:/mnt', 'waiting', '');
      update backups set created_at = created_at - interval '1 day' where id = '${nameOf(4)}';
      delete from backups where id = '${nameOf(COUNT)}'`);
    await writeFile(join(test.context.backupDir, 'stranger.dump'), '');
    await writeFile(join(test.context.backupDir, 'unfinished.part'), '');
    expect(await compare()).toEqual({
      found: [
        { kind: 'backup-without-file', subject: nameOf(4) },
        { kind: 'backup-without-file', subject: nameOf(1) },
        { kind: 'file-without-backup', subject: `${nameOf(COUNT)}.dump` },
        { kind: 'file-without-backup', subject: 'stranger.dump' },
      ],
      statements: 2,
      answered: 6,
    });
  });

  it('takes no backup for lost that is made meanwhile, and no file for unknown that is removed meanwhile [DECISIONS §8]', async () => {
    await rm(pathOf(1));
    await query(`delete from backups where id = '${nameOf(2)}'`);
    const { found } = await compare(() => {
      writeFileSync(pathOf(1), '');
      rmSync(pathOf(2));
    });
    expect(found).toEqual([]);
  });
});

it('a backup folder that cannot be read is one finding, which hides no other [DECISIONS §8]', async () => {
  const { platform, now } = test.context;
  const kept = { id: '00000000-0000-4000-8000-000000000002', databaseId: null, databaseName: 'SOURCE' };
  const made = { origin: 'made' as const, state: 'ready' as const, createdBy: null, createdAt: now() };
  await platform
    .insertInto('backups')
    .values({ ...kept, ...made })
    .execute();
  const folder = test.context.backupDir;
  Object.assign(test.context, { backupDir: join(folder, 'a-file') });
  await writeFile(join(folder, 'a-file'), '');
  await query(`create role db_beside; comment on role db_beside is ${await ours()}`);
  expect(await findings()).toEqual([
    expect.objectContaining({ kind: 'role-without-database', subject: 'db_beside' }),
    {
      kind: 'backup-without-file',
      subject: 'backups',
      explanation:
        "The backup folder cannot be read (ENOTDIR), so backups are not compared with their files. Look at it on the server's machine.",
      fix: 'none',
    },
  ]);
  expect(await fix('backup-without-file', kept.id)).toMatchObject({ status: 404 });
  expect(await fix('backup-without-file', 'backups')).toMatchObject({ status: 409 });
  Object.assign(test.context, { backupDir: folder });
  await query('drop role db_beside');
  await fixOnly('backup-without-file', kept.id);
});

describe('POST /managedatabase/fixfinding', () => {
  it('fixes nothing of which there can be no audit entry [DECISIONS §12]', async () => {
    await query(`create role db_untold; comment on role db_untold is ${await ours()}`);
    const fixing = () => fix('role-without-database', 'db_untold');
    expect(await whileUnwritable(test, 'audit_head', fixing)).toMatchObject({ status: 507 });
    expect(await exists('roles', 'db_untold')).toBe(true);
    await fixOnly('role-without-database', 'db_untold');
  });

  it('needs the permission and a known kind [§7.3]', async () => {
    const { token } = await test.signInAs('Operator');
    const asked = { kind: 'connections-off', subject: 'SOURCE' };
    expect(await test.call(reconciliationRoutes.fix, { query: asked, token })).toMatchObject({ status: 403 });
    expect(await test.call(reconciliationRoutes.fix, { query: { ...asked, kind: 'nonsense' } })).toMatchObject({
      status: 400,
      errors: { kind: ['This kind of finding is unknown'] },
    });
  });
});
