import { type Selectable, sql } from 'kysely';
import { type AuditHead, appending, type NextEntry } from '../db/audit-chain.ts';
import { compiledOnce } from '../db/compiled-statements.ts';
import { type TrackedList, utcMoment } from '../db/json-list.ts';
import type { Platform, Trx } from '../db/platform.ts';
import type { AuditEntries } from '../db/tables/audit-tables.ts';
import type { Checkpoint } from './signatures.ts';

export type AuditEntry = Selectable<AuditEntries>;

/** Reads the newest entry's id and hash, and locks out other appends until the transaction ends. */
export async function lockAuditHead(trx: Trx): Promise<AuditHead> {
  return trx.selectFrom('auditHead').select(['lastId', 'lastHash']).forUpdate().executeTakeFirstOrThrow();
}

/** Appends an entry. @returns whether it did */
export async function insertAuditEntry(platform: Platform, next: NextEntry): Promise<boolean> {
  const rows = await appendEntry(platform, next);
  return rows.length > 0;
}

const appendEntry = compiledOnce<NextEntry, unknown>((value) => sql`with ${appending(value)} select from head`);

/** Appends entries that follow each other after the newest one, whose lock the transaction has. */
export async function insertAuditEntries(trx: Trx, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(({ hash, ...entry }) => ({ ...entry, hash: hash.toString('hex') }));
  await sql`
    with entry as (
      insert into audit_entries (id, at, actor_id, actor_name, action, entity, entity_id, address, changes, hash)
      select id, at, "actorId", "actorName", action, entity, "entityId", address, changes::json, decode(hash, 'hex')
      from json_to_recordset(${JSON.stringify(rows)}::json) as e (id bigint, at timestamptz, "actorId" uuid, "actorName" text,
        action text, entity text, "entityId" text, address text, changes text, hash text)
      returning id, hash
    )
    update audit_head set last_id = entry.id, last_hash = entry.hash
    from entry where entry.id = (select max(id) from entry)`.execute(trx);
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

export async function getAuditHead(platform: Platform): Promise<AuditHead> {
  return platform.selectFrom('auditHead').select(['lastId', 'lastHash']).executeTakeFirstOrThrow();
}

export function findCheckpoint(platform: Platform): Promise<Checkpoint | undefined> {
  return platform.selectFrom('auditCheckpoint').select(['lastId', 'lastHash', 'signature']).executeTakeFirst();
}

/** One step from a version of a record to the next. `changes` holds `{ field: [before, after] }`. */
export interface VersionStep {
  at: Date;
  actorName: string;
  changes: Record<string, unknown>;
}

/** The changes of a record since one of its versions, oldest first. */
export async function listVersionSteps(
  platform: Platform,
  record: { entity: string; id: string },
  since: number,
): Promise<VersionStep[]> {
  const { rows } = await sql<VersionStep>`
    select at, actor_name as "actorName", changes
    from audit_entries
    where entity = ${record.entity} and entity_id = ${record.id} and (changes->'version'->>1)::integer > ${since}
    order by id`.execute(platform);
  return rows;
}

/** The columns of an entry in the shape of contract/audit `auditEntry`. */
export const SHOWN_ENTRY = `id::text, ${utcMoment('at')} as "onUtc", actor_id as "actorId", actor_name as "actorName", action,
  entity, entity_id as "entityId", audit_outcome(action) as outcome, address, changes`;

/** The newest entries about a record, newest first, in the shape of contract/audit `auditEntry`. @param limit how many at most */
export const auditTrailList = (limit: number): TrackedList<{ entity: string; entityId: string }> => ({
  tables: ['audit_entries'],
  select: ({ entity, entityId }) => ({
    name: 'audit-trail',
    values: [entity, entityId, limit],
    rows: `
      select ${SHOWN_ENTRY}
      from audit_entries
      where entity = $1 and entity_id = $2
      order by audit_entries.id desc
      limit $3`,
  }),
});
