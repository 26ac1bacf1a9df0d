import { type Insertable, sql, type Transaction } from 'kysely';
import type { Platform, PlatformTables } from '../../db/platform.ts';

type Trx = Transaction<PlatformTables>;

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
  const row = await trx.selectFrom('backups').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  return row !== undefined;
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

export async function insertBackup(trx: Trx, row: Insertable<PlatformTables['backups']>): Promise<void> {
  await trx.insertInto('backups').values(row).execute();
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

export async function deleteBackup(platform: Platform, id: string): Promise<void> {
  await platform.deleteFrom('backups').where('id', '=', id).execute();
}
