import type { BackupCopy, BackupProof } from '@apotheca/contract/backups';
import type { OperationKindName } from '@apotheca/contract/operations';
import { type Insertable, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';
import { type Manifest, manifest } from './archive/archive-manifest.ts';
import type { ArchiveFile } from './archive/archive-store.ts';
import type { DumpedDatabase } from './database-dump.ts';
import { copiesOf } from './stores/copies.repository.ts';

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
  copies: BackupCopy[];
  proof: BackupProof | null;
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
      'b.proof',
    ])
    // A double is exact for every size that an archive can have.
    .select(sql<number>`b.size_bytes::float8`.as('sizeBytes'))
    .select(sql<BackupCopy[]>`${sql.raw(copiesOf('b'))}`.as('copies'))
    .where('b.state', '=', 'ready');

/** What a backup knows of its archive; null: of an archive from elsewhere, or of an earlier version of the platform. */
export async function findManifest(platform: Platform, id: string): Promise<Manifest | null> {
  const row = await platform.selectFrom('backups').select('manifest').where('id', '=', id).executeTakeFirst();
  return row?.manifest ? manifest.parse(row.manifest) : null;
}

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

/** Begins the deletion of a backup, which is no longer listed. @returns whether it does: another one may have begun it, or there is none */
export async function markDeleting(platform: Platform, id: string): Promise<boolean> {
  const row = await platform
    .updateTable('backups')
    .set({ state: 'deleting' })
    .where('id', '=', id)
    .where('state', '<>', 'deleting')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Begins the deletion of a backup, unless it is ready. @returns whether it does: another one may have begun it */
export async function markUnfinished(platform: Platform, id: string): Promise<boolean> {
  const row = await platform
    .updateTable('backups')
    .set({ state: 'deleting' })
    .where('id', '=', id)
    .where('state', '=', 'writing')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of the unfinished backups that no operation is writing: uploads, and what a crash left. */
export async function listUnfinished(platform: Platform): Promise<string[]> {
  const rows = await platform
    .selectFrom('backups')
    .select('id')
    .where('state', '=', 'writing')
    .where(
      sql<boolean>`not exists (
        select from operations o where o.id = backups.id and o.state in ('queued', 'running')
      )`,
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** The backups whose deletion is unfinished. Of some only copies are left, whose removal from their stores has begun. */
export async function listDiscardedBackups(platform: Platform): Promise<{ id: string; hasOnlyCopies: boolean }[]> {
  return platform
    .selectFrom('backups as b')
    .select([
      'b.id',
      sql<boolean>`coalesce((select bool_and(c.state = 'deleting') from backup_copies c where c.backup_id = b.id), false)`.as(
        'hasOnlyCopies',
      ),
    ])
    .where('b.state', '=', 'deleting')
    .execute();
}

/** The kind of a queued or running operation that reads a backup's archive. */
export async function findReader(trx: Trx, id: string): Promise<OperationKindName | undefined> {
  const row = await trx
    .selectFrom('operations')
    .select('kind')
    .where('kind', 'in', ['restore', 'prove'])
    .where('state', 'in', ['queued', 'running'])
    .where(sql<string>`input ->> 'backupId'`, '=', id)
    .executeTakeFirst();
  return row?.kind;
}

/** Those of some ids that belong to a backup, whatever its state. */
export async function findBackupIds(platform: Platform, ids: readonly string[]): Promise<string[]> {
  const rows = await platform
    .selectFrom('backups')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertBackup(platform: Platform, row: Insertable<PlatformTables['backups']>): Promise<void> {
  await platform.insertInto('backups').values(row).execute();
}

/** Makes a backup ready when its archive is complete. It was queued at an earlier moment than that of its rows. */
export async function setBackupReady(trx: Trx, id: string, archive: ArchiveFile & DumpedDatabase): Promise<void> {
  const { takenAt, sizeBytes, sha256, schemaVersion, rowCounts } = archive;
  await trx
    .updateTable('backups')
    .set({
      state: 'ready',
      createdAt: takenAt,
      sizeBytes: String(sizeBytes),
      sha256,
      schemaVersion,
      rowCounts: JSON.stringify(rowCounts),
      manifest: JSON.stringify(archive.manifest),
    })
    .where('id', '=', id)
    .execute();
}

/** Makes an uploaded backup ready. @returns whether it was still there: {@link markUnfinished} may have begun its deletion */
export async function setUploadReady(trx: Trx, id: string): Promise<boolean> {
  const uploaded = trx
    .updateTable('backups')
    .set({ state: 'ready' })
    .where('id', '=', id)
    .where('state', '=', 'writing');
  return (await uploaded.returning('id').executeTakeFirst()) !== undefined;
}

/** Deletes the row of a backup that has no copies. */
export async function deleteBackupRow(platform: Platform, id: string): Promise<void> {
  await platform
    .deleteFrom('backups')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('backupCopies').select('store').where('backupId', '=', id))),
    )
    .execute();
}

/** Whether a backup was made of this database. */
export async function isBackupOf(platform: Platform, id: string, databaseId: string): Promise<boolean> {
  const row = await platform
    .selectFrom('backups')
    .select('id')
    .where('id', '=', id)
    .where('databaseId', '=', databaseId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The server of the database that a backup was made of; undefined: that database is gone, or the backup comes from elsewhere. */
export async function findServerOfBackup(
  platform: Platform,
  { id }: Pick<BackupRow, 'id'>,
): Promise<string | undefined> {
  const row = await platform
    .selectFrom('backups as b')
    .innerJoin('databases as d', 'd.id', 'b.databaseId')
    .select('d.serverId')
    .where('b.id', '=', id)
    .executeTakeFirst();
  return row?.serverId;
}
