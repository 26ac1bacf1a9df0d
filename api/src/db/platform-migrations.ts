import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { PRODUCT_VERSION } from '../product-version.ts';
import { unlessUnderWay } from './cluster/advisory-lock.ts';
import { LOCK_TIMEOUT } from './connections/session-settings.ts';
import { DatabaseTimeout } from './errors/postgres-errors.ts';
import { PREPARE_SERVER, readMigrations } from './migrate.ts';
import { openPlatform, type Platform } from './platform.ts';

/** For how many minutes a migration is tried again while others hold what it locks: pg_dump holds every table of a large installation for some. */
const PATIENCE = 15;
/** How often a process asks whether another one still migrates, in milliseconds. */
const POLL = 100;

/**
 * Brings the control database to the newest schema; several server processes may do so at once. One that a newer version has migrated
 * stays as it is.
 * @param signal ends the waits for others
 * @throws Error if that schema serves this version no longer, or if others hold for too long what a migration locks; those before it stay.
 * AbortError where the signal has ended a wait
 */
export async function migratePlatform(url: string, signal?: AbortSignal): Promise<void> {
  const { platform } = openPlatform({ url, maxConnections: 2, kind: 'upkeep' });
  try {
    if (!(await isNewest(platform))) await inTurn(platform, () => applyAll(platform, signal), signal);
    await sql.raw(PREPARE_SERVER).execute(platform);
  } finally {
    await platform.destroy();
  }
}

/**
 * Whether it has all migrations of this version and no others, as at most starts. To find that out, Kysely's migrator asks PostgreSQL for every
 * table, several times.
 */
async function isNewest(platform: Platform): Promise<boolean> {
  const known = readMigrations('platform').map(({ name }) => name);
  const has = sql<{ table: string | null }>`select to_regclass('kysely_migration')::text as table`;
  if (!(await has.execute(platform)).rows[0]?.table) return false;
  const applied = sql<{ name: string }>`select name from kysely_migration order by name collate "C"`;
  return isDeepStrictEqual(
    (await applied.execute(platform)).rows,
    known.map((name) => ({ name })),
  );
}

async function applyAll(platform: Platform, signal: AbortSignal | undefined): Promise<void> {
  const provider = { getMigrations: async () => migrations() };
  const migrator = new Migrator({ db: platform, provider });
  // Nobody works with a new database, and one transaction for all takes a tenth of the time.
  const isNew = (await migrator.getMigrations()).every(({ executedAt }) => !executedAt);
  const next = () => (isNew ? migrator.migrateToLatest() : migrator.migrateUp());
  while (await applyNext(platform, next, signal));
}

/**
 * Runs `work` while no other process of this version migrates, however long they take. Kysely's own lock is held for one migration: before each it
 * reads what tables there are, of which another process may just rename one.
 */
async function inTurn(platform: Platform, work: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  await platform.connection().execute(async (session) => {
    // Asked again and again: a statement that waits for the lock would not hear the signal.
    while (!(await unlessUnderWay(session, 'platform-migrations', work))) await setTimeout(POLL, undefined, { signal });
  });
}

const migrations = (): Record<string, Migration> =>
  Object.fromEntries(readMigrations('platform').map(({ name, text }) => [name, { up: (db) => apply(db, text) }]));

/** Others queue behind a lock that is waited for, so the wait is short. */
async function apply(trx: Parameters<Migration['up']>[0], text: string): Promise<void> {
  await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT}; ${text}`).execute(trx);
}

/**
 * Applies what comes next, in one transaction. In use, a control database gets one migration at a time: processes of the version before work
 * meanwhile, and what one migration locks is free again before the next one waits. Where they hold what it locks, it lets them pass and is
 * tried again.
 * @returns whether there was one
 */
async function applyNext(
  platform: Platform,
  next: () => Promise<MigrationResultSet>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const end = performance.now() + PATIENCE * 60_000;
  for (;;) {
    const { error, results = [] } = await next();
    if (error === undefined) return results.length > 0;
    if (!(error instanceof DatabaseTimeout)) {
      // To Kysely a migration that it does not know is an error. Another process may have applied it while this one waited.
      if (await isMigratedFurther(platform)) return false;
      throw error;
    }
    if (performance.now() > end) {
      const name = results.find(({ status }) => status === 'Error')?.migrationName;
      throw new Error(`others have held for ${PATIENCE} minutes what its migration ${name} locks`, { cause: error });
    }
    await setTimeout(LOCK_TIMEOUT, undefined, { signal });
  }
}

/**
 * Whether a newer version has migrated the control database: its schema goes on serving the versions before it (decision 074).
 * @throws Error if it serves this version no longer, or lacks a migration of this version: nothing says that it could be applied after others
 */
async function isMigratedFurther(platform: Platform): Promise<boolean> {
  const { rows: tables } = await sql<{ has: boolean }>`
    select to_regclass('kysely_migration') is not null and to_regclass('schema_floor') is not null as has`.execute(
    platform,
  );
  if (!tables[0]?.has) return false;
  const known = readMigrations('platform').map(({ name }) => name);
  const { rows } = await sql<{ newer: string; floor: string; lacking: string[] }>`
    select m.name as newer, f.oldest_version as floor,
      array(select unnest(${known}::text[]) except select name from kysely_migration order by 1) as lacking
    from kysely_migration m cross join schema_floor f
    where m.name <> all(${known}::text[]) order by m.name desc limit 1`.execute(platform);
  const [further] = rows;
  if (!further) return false;
  const { newer, floor, lacking } = further;
  if (isVersionBelow(PRODUCT_VERSION, floor))
    throw new Error(
      `it is of a newer version (${newer}); this is ${PRODUCT_VERSION}, and it serves ${floor} and newer`,
    );
  if (lacking.length > 0)
    throw new Error(
      `it has ${newer} of another version, and lacks ${lacking.join(', ')} of this one, ${PRODUCT_VERSION}`,
    );
  return true;
}

/** Whether a version such as 0.9.0 is older than another one. */
export function isVersionBelow(version: string, floor: string): boolean {
  return version.localeCompare(floor, 'en', { numeric: true }) < 0;
}
