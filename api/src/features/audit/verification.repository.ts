import { sql } from 'kysely';
import { unlessUnderWay } from '../../db/cluster/advisory-lock.ts';
import { isSetAhead } from '../../db/due-moments.ts';
import type { Platform, Trx } from '../../db/platform.ts';

interface VerificationRow {
  /** When one was asked for that has not ended. */
  requestedAt: Date | null;
  /** How many entries that one has read. */
  checked: string;
  startedAt: Date | null;
  endedAt: Date | null;
  /** Whether that is still to come: a clock that was ahead has written it. */
  isEndAhead: boolean;
  verified: string;
  problem: string;
  /** How many entries the trail has. */
  entries: string;
}

/** Runs `work` unless another server process does upkeep of the trail now. */
export const ifNobodyVerifies = (connection: Platform, work: () => Promise<void>): Promise<boolean> =>
  unlessUnderWay(connection, 'audit-verification', work);

/** @param now of the process: what is more than a day later than this, and than PostgreSQL's moment, is still to come */
export async function readVerification(platform: Platform, now: Date): Promise<VerificationRow> {
  return platform
    .selectFrom('auditVerification')
    .leftJoin('auditCheckpoint', (join) => join.onTrue())
    .innerJoin('auditHead', (join) => join.onTrue())
    .select(['requestedAt', 'checked', 'startedAt', 'endedAt', 'auditVerification.entries as verified', 'problem'])
    .select(sql<boolean>`coalesce(${isSetAhead('endedAt', now, sql`interval '12 hours'`)}, false)`.as('isEndAhead'))
    .select(sql<string>`audit_head.last_id - coalesce(audit_checkpoint.last_id, 0)`.as('entries'))
    .executeTakeFirstOrThrow();
}

/** When the oldest entry of the trail was written. */
export async function findBeginning(platform: Platform): Promise<Date | undefined> {
  const oldest = platform.selectFrom('auditEntries').select('at').orderBy('id').limit(1);
  return (await oldest.executeTakeFirst())?.at;
}

/** @returns false where one was asked for and has not ended */
export async function requestVerification(platform: Platform | Trx, now: Date): Promise<boolean> {
  const row = await platform
    .updateTable('auditVerification')
    .set({ requestedAt: now, checked: '0' })
    .where('requestedAt', 'is', null)
    .returning('requestedAt')
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteProgress(platform: Platform, entries: number): Promise<void> {
  await platform
    .updateTable('auditVerification')
    .set({ checked: String(entries) })
    .execute();
}

export async function noteVerification(
  platform: Platform,
  { startedAt, endedAt, entries, problem }: { startedAt: Date; endedAt: Date; entries: number; problem: string },
): Promise<void> {
  await platform
    .updateTable('auditVerification')
    .set({ requestedAt: null, checked: '0', startedAt, endedAt, entries: String(entries), problem })
    .execute();
}
