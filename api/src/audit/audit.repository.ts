import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Platform, PlatformTables } from '../db/platform.ts';

export interface AuditEntry {
  id: string;
  at: Date;
  actorId: string | null;
  actorName: string;
  action: string;
  entity: string;
  entityId: string;
  address: string;
  changes: string;
  hash: Buffer;
}

/** Takes the newest entry's id and hash and keeps others from appending until the transaction ends. */
export async function lockAuditHead(trx: Transaction<PlatformTables>): Promise<{ lastId: string; lastHash: Buffer }> {
  return trx.selectFrom('auditHead').select(['lastId', 'lastHash']).forUpdate().executeTakeFirstOrThrow();
}

/** Appends an entry and moves the head to it, in one statement. */
export async function insertAuditEntry(trx: Transaction<PlatformTables>, entry: AuditEntry): Promise<void> {
  await trx
    .with('entry', (db) => db.insertInto('auditEntries').values(entry).returning(['id', 'hash']))
    .updateTable('auditHead')
    .from('entry')
    .set((eb) => ({ lastId: eb.ref('entry.id'), lastHash: eb.ref('entry.hash') }))
    .execute();
}

/** Entries after an id, oldest first, `changes` as the text that was hashed. */
export async function listAuditEntriesAfter(platform: Platform, id: string, limit: number): Promise<AuditEntry[]> {
  return platform
    .selectFrom('auditEntries')
    .select(['id', 'at', 'actorId', 'actorName', 'action', 'entity', 'entityId', 'address', 'hash'])
    .select(sql<string>`changes::text`.as('changes'))
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function getAuditHead(platform: Platform): Promise<{ lastId: string; lastHash: Buffer }> {
  return platform.selectFrom('auditHead').select(['lastId', 'lastHash']).executeTakeFirstOrThrow();
}
