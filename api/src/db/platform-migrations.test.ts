import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createPlatformDatabase, type TestDatabase, withClient } from '../testing/databases.ts';
import { newestPlatformMigration, PREPARE_SERVER, readMigrations } from './migrate.ts';
import { migratePlatform } from './platform-migrations.ts';

/** The last migration before some that lock tables of which backups are made. */
const BEFORE_INDEXES = '000077-growth-days';

let database: TestDatabase;

/** Brings the database to the schema of an older version. */
async function migrateTo(last: string): Promise<void> {
  const migrations = readMigrations('platform').filter(({ name }) => name <= last);
  await withClient(database.url, async (client) => {
    await client.query(
      'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
    );
    for (const [index, { name, text }] of migrations.entries()) {
      await client.query(text);
      await client.query('insert into kysely_migration values ($1, $2)', [name, new Date(index).toISOString()]);
    }
  });
}

/** Waits until a migration waits for a table. */
async function waitForWaitingFor(client: pg.Client, table: string): Promise<void> {
  const waiting = `select from pg_locks where relation = $1::regclass and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await client.query(waiting, [table])).rowCount).toBe(1);
}

/** In how many transactions the migrations of the database were applied. */
const countTransactions = (): Promise<number> =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query('select count(distinct xmin::text)::integer as count from kysely_migration');
    return rows[0].count;
  });

describe('the control database is migrated while processes of the version before work [DECISIONS §13]', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase();
    await migrateTo(BEFORE_INDEXES);
  });
  afterEach(() => database.drop());

  it('and none of them waits for it in a circle', async () => {
    await withClient(database.url, async (backup) => {
      // As the end of a backup does: it changes the backup first, and its operation last.
      await backup.query('begin; lock table backups in row exclusive mode');
      const migrating = migratePlatform(database.url);
      await Promise.all([migrating, waitForWaitingFor(backup, 'backups').then(() => endBackup(backup))]);
    });
    await withClient(database.url, async (client) => {
      const { rows } = await client.query('select name from kysely_migration order by name');
      expect(rows).toEqual(readMigrations('platform').map(({ name }) => ({ name })));
    });
    expect(await countTransactions()).toBe(readMigrations('platform').length);
  });

  const endBackup = (client: pg.Client) => client.query('lock table operations in row exclusive mode; commit');

  it('and those who come after it wait for a few seconds, where others hold a table for minutes', async () => {
    await withClient(database.url, async (dump) => {
      await dump.query('begin; lock table database_servers in access share mode');
      const migrating = migratePlatform(database.url);
      await waitForWaitingFor(dump, 'database_servers');
      await withClient(database.url, async (call) => {
        await call.query("set lock_timeout = '5s'");
        await call.query('begin; lock table operations, backups in row exclusive mode');
        await call.query('lock table database_servers in access share mode; commit');
      });
      await dump.query('commit');
      await migrating;
    });
  });

  it.each([
    ['deliveries', 'webhook_deliveries', 'access share', 'mails'],
    ['revisions of FAQs', 'faq_revisions', 'row exclusive', 'faqs, faq_sections, faq_questions'],
  ])('and while it waits for %s, nobody who writes to other tables waits for it', async (_, held, mode, others) => {
    await withClient(database.url, async (holder) => {
      await holder.query(`begin; lock table ${held} in ${mode} mode`);
      const migrating = migratePlatform(database.url);
      await waitForWaitingFor(holder, held);
      await withClient(database.url, async (call) => {
        await call.query(`begin; lock table ${others} in row exclusive mode nowait; commit`);
      });
      await holder.query('commit');
      await migrating;
    });
  });

  it('and a start that is stopped ends, also while others hold what a migration locks', async () => {
    await withClient(database.url, async (dump) => {
      await dump.query('begin; lock table database_servers in access share mode');
      const stopping = new AbortController();
      const migrating = migratePlatform(database.url, stopping.signal);
      await Promise.all([
        expect(migrating).rejects.toMatchObject({ name: 'AbortError' }),
        waitForWaitingFor(dump, 'database_servers').then(() => stopping.abort()),
      ]);
    });
  });
});

describe('a new control database [DECISIONS §13]', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  it('is migrated in one transaction, by one of several processes that start at once', async () => {
    await Promise.all([1, 2, 3].map(() => migratePlatform(database.url)));
    expect(await countTransactions()).toBe(1);
  });
});

describe('a process that starts while another one does [DECISIONS §13]', () => {
  beforeEach(async () => {
    database = await createPlatformDatabase();
  });
  afterEach(() => database.drop());

  /** Starts one while the other has done something that it has not committed. */
  async function startBeside(first: string, last: string): Promise<void> {
    await withClient(database.url, async (other) => {
      await other.query(`begin; ${first}`);
      const starting = migratePlatform(database.url);
      const { rows } = await other.query('select pg_backend_pid() as pid');
      const waiting = 'select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))';
      const end = expect
        .poll(async () => (await other.query(waiting, [rows[0].pid])).rowCount)
        .toBeGreaterThan(0)
        .then(() => other.query(last));
      await Promise.all([starting, end]);
    });
  }

  it('closes the database after it', () => startBeside(PREPARE_SERVER, 'commit'));

  it('leaves the schema to it where that is newer', () =>
    // Kysely's lock. The newest migration is not applied yet when the process looks.
    startBeside(
      `delete from kysely_migration where name = '${newestPlatformMigration()}'; commit;
      select pg_advisory_lock(3853314791062309107)`,
      `insert into kysely_migration (name, timestamp)
      values ('${newestPlatformMigration()}', now()::text), ('900000-colours', now()::text);
      select pg_advisory_unlock(3853314791062309107)`,
    ));

  it('does not wait for it where the schema is the newest already', () =>
    withClient(database.url, async (other) => {
      await other.query("select pg_advisory_lock(hashtextextended('platform-migrations', 0))");
      await migratePlatform(database.url);
    }));
});
