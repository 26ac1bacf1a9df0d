import { sql } from 'kysely';
import type { Checkpoint } from '../../audit/signatures.ts';
import type { AuditHead } from '../../db/audit-chain.ts';
import type { Platform, Trx } from '../../db/platform.ts';

/**
 * The beginning of the trail that is older than a moment: its first entry, and its last one of so many. An old entry that follows a newer
 * one stays, as only the beginning can go. @returns undefined where there is none
 */
export async function findExpired(
  platform: Platform,
  before: Date,
  most: number,
): Promise<(AuditHead & { firstId: string }) | undefined> {
  const { rows } = await sql<AuditHead & { firstId: string }>`
    with first as (select min(id) as id, min(id) + ${most}::bigint as bound from audit_entries),
    -- No further than may go now, as there is no index on their moments.
    kept as (select id from audit_entries where at >= ${before} and id < (select bound from first) order by id limit 1),
    -- Entries of which somebody is still to be told stay.
    untold as (
      select min(entry_cursor) + 1 as id
      from (select entry_cursor from webhooks where is_active union all select entry_cursor from alerts) as cursors
    )
    select (select id from first) as "firstId", e.id as "lastId", e.hash as "lastHash"
    from audit_entries e
    where e.id < least((select bound from first), (select id from kept), (select id from untold))
    order by e.id desc
    limit 1`.execute(platform);
  return rows[0];
}

/** Removes the entries up to a checkpoint, and keeps that in place of the one before. */
export async function removeEntries(trx: Trx, checkpoint: Checkpoint): Promise<void> {
  await trx.deleteFrom('auditEntries').where('id', '<=', checkpoint.lastId).execute();
  await trx.deleteFrom('auditCheckpoint').execute();
  await trx.insertInto('auditCheckpoint').values(checkpoint).execute();
}
