import { sql } from 'kysely';
import { unlessUnderWay } from '../../../db/cluster/advisory-lock.ts';
import type { Platform } from '../../../db/platform.ts';

/** What PostgreSQL says of its archiving. */
interface Archiver {
  mode: string;
  command: string;
  lastArchivedAt: Date | null;
  lastFailedAt: Date | null;
  /** How many files of WAL wait to be archived. */
  waiting: number;
}

/** What is known of the backups of the cluster. */
interface ArchiveRow {
  /** Of the setting, when the newest backup was made. */
  folder: string;
  unbrokenSince: Date | null;
  earliestMoment: Date | null;
  newestBackupAt: Date | null;
  failedAt: Date | null;
  failure: string;
}

export async function readArchiver(platform: Platform): Promise<Archiver> {
  const { rows } = await sql<Archiver>`
    select current_setting('archive_mode') as mode, current_setting('archive_command') as command,
      last_archived_time as last_archived_at, last_failed_time as last_failed_at,
      (select count(*)::int from pg_ls_archive_statusdir() where name like '%.ready') as waiting
    from pg_stat_archiver`.execute(platform);
  const [archiver] = rows;
  if (!archiver) throw new Error('PostgreSQL says nothing of its archiving.');
  return archiver;
}

export function findArchiveRow(platform: Platform): Promise<ArchiveRow> {
  return platform
    .selectFrom('walArchive')
    .select(['folder', 'unbrokenSince', 'earliestMoment', 'newestBackupAt', 'failedAt', 'failure'])
    .executeTakeFirstOrThrow();
}

export async function setArchiveRow(platform: Platform, change: Partial<ArchiveRow>): Promise<void> {
  await platform.updateTable('walArchive').set(change).execute();
}

/** Runs `work` unless another server backs the cluster up. */
export const ifNobodyBacksUp = (connection: Platform, work: () => Promise<void>): Promise<boolean> =>
  unlessUnderWay(connection, 'cluster-backups', work);

/** Ends the present file of WAL, so that it is archived. @returns its name */
export async function switchWal(platform: Platform): Promise<string> {
  const { rows } = await sql<{ file: string }>`select pg_walfile_name(pg_switch_wal()) as file`.execute(platform);
  return rows[0]?.file ?? '';
}

/** Whether a file of WAL that has ended still waits to be archived. */
export async function isWaiting(platform: Platform, file: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_ls_archive_statusdir() where name = ${`${file}.ready`}`.execute(platform);
  return rows.length > 0;
}

/** A database as PostgreSQL's catalogue has it. */
interface CataloguedDatabase {
  oid: number;
  /** Whether it is a copy that may still have values which nobody may see. */
  isUnfinished: boolean;
}

/**
 * The database of a name; undefined where there is none.
 * @param mark the comment on unfinished copies. One that was made this instant has none yet, and is closed.
 */
export async function findDatabase(
  platform: Platform,
  physicalName: string,
  mark: string,
): Promise<CataloguedDatabase | undefined> {
  const { rows } = await sql<CataloguedDatabase>`
    select oid::int8::int as oid, coalesce(comment = ${mark}, not datallowconn) as is_unfinished
    from pg_database cross join lateral shobj_description(oid, 'pg_database') as d (comment)
    where datname = ${physicalName}`.execute(platform);
  return rows[0];
}

/** Of some ids, those of operations that have not come to their end. */
export async function listUnfinished(platform: Platform, ids: readonly string[]): Promise<string[]> {
  const rows = await platform
    .selectFrom('operations')
    .select('id')
    .where('id', 'in', ids)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return rows.map(({ id }) => id);
}
