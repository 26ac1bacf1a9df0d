import { type Insertable, sql } from 'kysely';
import { type TrackedList, utcMoment } from '../../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';

export interface BackupRow {
  id: string;
  databaseName: string;
  origin: 'made' | 'uploaded';
  sizeBytes: number;
  sha256: string;
  schemaVersion: number;
  rowCounts: Record<string, number> | null;
  /** A user name. */
  createdBy: string | null;
  createdAt: Date;
}

// Only ready ones: an archive that is still being written is no backup yet.
const backups = (platform: Platform) =>
  platform
    .selectFrom('backups as b')
    .leftJoin('users as u', 'u.id', 'b.createdBy')
    .select([
      'b.id',
      'b.databaseName',
      'b.origin',
      'b.sha256',
      'b.schemaVersion',
      'b.rowCounts',
      'u.userName as createdBy',
      'b.createdAt',
    ])
    // A double is exact for every size that an archive can have.
    .select(sql<number>`b.size_bytes::float8`.as('sizeBytes'))
    .where('b.state', '=', 'ready');

/** The backups, newest first, in the shape of contract/backups `backup`; of one database where one is named. */
export const backupsList: TrackedList<{ databaseName?: string | undefined }> = {
  tables: ['backups', 'users', 'databases'],
  select: ({ databaseName }) => ({
    name: 'backups',
    values: [databaseName || null],
    rows: `
      select b.id, b.database_name as "databaseName", b.origin, b.size_bytes as "sizeBytes", b.sha256,
        b.schema_version as "schemaVersion",
        case when b.row_counts is not null then
          (select coalesce(sum(count::bigint), 0) from jsonb_each_text(b.row_counts) as counts (name, count))
        end as rows,
        u.user_name as "createdBy", ${utcMoment('b.created_at')} as "createdOnUtc"
      from backups b
      left join users u on u.id = b.created_by
      where b.state = 'ready'
        and ($1::text is null or b.database_id = (select id from databases where name = $1 and state = 'ready'))
      order by b.created_at desc, b.id`,
  }),
};

export function findBackup(platform: Platform, id: string): Promise<BackupRow | undefined> {
  return backups(platform).where('b.id', '=', id).executeTakeFirst();
}

/** Locks a backup against deletion until the transaction ends. @returns whether it still exists */
export async function lockBackup(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('backups')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Begins the deletion of a backup, which is no longer listed. @returns whether it existed */
export async function markDeleting(platform: Platform, id: string): Promise<boolean> {
  const row = await platform
    .updateTable('backups')
    .set({ state: 'deleting' })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ids of the backups whose deletion is unfinished, and of those that no operation is writing any more.
 * @param before an unfinished backup counts only when it was begun before this moment
 */
export async function listDiscardedBackups(platform: Platform, before: Date): Promise<string[]> {
  const rows = await platform
    .selectFrom('backups as b')
    .select('b.id')
    .where(
      sql<boolean>`b.state = 'deleting' or b.state = 'writing' and b.created_at < ${before} and not exists (
        select from operations o where o.id = b.id and o.state in ('queued', 'running')
      )`,
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether a restore of a backup is queued or running. */
export async function isBeingRestored(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('operations')
    .select('id')
    .where('kind', '=', 'restore')
    .where('state', 'in', ['queued', 'running'])
    .where(sql<string>`input ->> 'backupId'`, '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of all backups, in every state. */
export async function listBackupIds(platform: Platform): Promise<string[]> {
  const rows = await platform.selectFrom('backups').select('id').execute();
  return rows.map(({ id }) => id);
}

export async function insertBackup(platform: Platform, row: Insertable<PlatformTables['backups']>): Promise<void> {
  await platform.insertInto('backups').values(row).execute();
}

/** Makes a backup ready when its archive is complete. */
export async function setBackupReady(
  trx: Trx,
  id: string,
  archive: { sizeBytes: number; sha256: string; schemaVersion: number; rowCounts: Record<string, number> },
): Promise<void> {
  const { sizeBytes, sha256, schemaVersion, rowCounts } = archive;
  await trx
    .updateTable('backups')
    .set({
      state: 'ready',
      sizeBytes: String(sizeBytes),
      sha256,
      schemaVersion,
      rowCounts: JSON.stringify(rowCounts),
    })
    .where('id', '=', id)
    .execute();
}

/** Makes an uploaded backup ready. */
export async function setUploadReady(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('backups').set({ state: 'ready' }).where('id', '=', id).execute();
}

export async function deleteBackupRow(platform: Platform, id: string): Promise<void> {
  await platform.deleteFrom('backups').where('id', '=', id).execute();
}
