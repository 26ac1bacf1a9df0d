import { type Insertable, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';

export interface BackupRow {
  id: string;
  databaseName: string;
  origin: 'made' | 'uploaded';
  sizeBytes: number;
  sha256: string;
  schemaVersion: number;
  rowCounts: Record<string, number> | null;
  /** User name. */
  createdBy: string | null;
  createdAt: Date;
}

// Archives that are still being written are nobody's backups.
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
    // A double holds every size that there is.
    .select(sql<number>`b.size_bytes::float8`.as('sizeBytes'))
    .where('b.state', '=', 'ready');

/** The backups, newest first. @param databaseId only those of one database */
export function listBackups(platform: Platform, databaseId?: string): Promise<BackupRow[]> {
  const all = backups(platform).orderBy('b.createdAt', 'desc').orderBy('b.id');
  return (databaseId === undefined ? all : all.where('b.databaseId', '=', databaseId)).execute();
}

export function findBackup(platform: Platform, id: string): Promise<BackupRow | undefined> {
  return backups(platform).where('b.id', '=', id).executeTakeFirst();
}

/** Keeps a backup from being deleted until the transaction ends. @returns whether it is still there */
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

/** Begins the deletion of a backup, which is no longer listed from then on. @returns whether it was there */
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
 * Backups whose deletion was not finished, and those that nobody makes any more.
 * @param before when one that belongs to no operation must have been begun
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

/** Whether a restore of a backup waits or runs. */
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

/** Ids of all backups, those under way too. */
export async function listBackupIds(platform: Platform): Promise<string[]> {
  const rows = await platform.selectFrom('backups').select('id').execute();
  return rows.map(({ id }) => id);
}

export async function insertBackup(platform: Platform, row: Insertable<PlatformTables['backups']>): Promise<void> {
  await platform.insertInto('backups').values(row).execute();
}

/** Makes a backup valid whose archive is whole. */
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

/** Makes a backup valid whose archive came from elsewhere. */
export async function setUploadReady(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('backups').set({ state: 'ready' }).where('id', '=', id).execute();
}

export async function deleteBackupRow(platform: Platform, id: string): Promise<void> {
  await platform.deleteFrom('backups').where('id', '=', id).execute();
}
