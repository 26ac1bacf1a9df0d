import { type RawBuilder, sql } from 'kysely';
import { isSetAhead, postgresNow, seconds } from '../../../../db/due-moments.ts';
import type { Platform } from '../../../../db/platform.ts';
import type { PiecewiseDigest } from './digesting.ts';
import { LONGEST_PAUSE } from './failures.ts';

/** A copy that this server process has to itself, until its lease ends. */
export interface ClaimedCopy {
  backupId: string;
  store: string;
  state: 'copying' | 'copied' | 'deleting';
  /** Of the lease. */
  run: string;
  /** Of the copy, where there is one. */
  isEncrypted: boolean;
  sizeBytes: number;
  sha256: string;
  /** As {@link PiecewiseDigest} has them. */
  pieces: Buffer;
  /** Failures before this attempt. */
  attempts: number;
  databaseName: string;
  /** Of the archive. */
  archive: { sizeBytes: number; sha256: string };
}

/** What lies in a store. */
export interface StoredCopy extends PiecewiseDigest {
  isEncrypted: boolean;
}

/** SQL of the copies of a backup, as contract/backups `backup` has them. @param backup its name in the query */
export const copiesOf = (backup: string): string => `(
  select coalesce(json_agg(json_build_object('store', store, 'state', state, 'isEncrypted', is_encrypted, 'attempts', attempts,
    'reason', last_error) order by store), '[]')
  from backup_copies where backup_id = ${backup}.id)`;

/** Registers copies of backups that have none: of one backup, or of every ready one. */
export async function insertCopies(platform: Platform, stores: readonly string[], backupId?: string): Promise<void> {
  await sql`
    insert into backup_copies (backup_id, store)
    select b.id, s.store from backups b cross join unnest(${stores}::text[]) as s (store)
    where b.state = 'ready' and (${backupId ?? null}::uuid is null or b.id = ${backupId ?? null})
      -- To insert all and to leave the conflicts out looks each copy up: this reads them once.
      and not exists (select from backup_copies c where c.backup_id = b.id and c.store = s.store)
    on conflict do nothing`.execute(platform);
}

/** Has copies that are not encrypted made anew. */
export async function renewPlainCopies(platform: Platform, stores: readonly string[]): Promise<void> {
  await sql`
    update backup_copies set state = 'waiting', due_at = now(), run = null
    where state = 'copied' and not is_encrypted and store = any(${stores}::text[])`.execute(platform);
}

/** Begins the removal of all copies of a backup; whoever is making one has lost it. @returns how many */
export async function discardCopies(platform: Platform, backupId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update backup_copies set state = 'deleting', due_at = now(), run = null, attempts = 0, last_error = ''
    where backup_id = ${backupId} and state <> 'deleting'`.execute(platform);
  return Number(numAffectedRows);
}

/** What a worker keeps to. */
interface ClaimLimits {
  run: string;
  /** In seconds; shorter than the longest pause after a failure. */
  lease: number;
  /** In how many seconds a copy is read back. */
  nextCheck: number;
  /** How many bytes of the store are read back in a day. */
  checkedBytes: number;
}

/** Takes the copy of a store that is due for longest, removals and new copies before checks. */
export async function claimCopy(
  platform: Platform,
  store: string,
  { run, lease, nextCheck, checkedBytes }: ClaimLimits,
): Promise<ClaimedCopy | undefined> {
  const isOf = (condition: RawBuilder<boolean>) => sql<boolean>`d.store = ${store} and ${condition}`;
  const toDo = firstDue(isOf(sql`d.state <> 'copied'`), seconds(LONGEST_PAUSE));
  // By a word of d: summed once for a claim, and only where a check is due. None that a clock noted that was ahead.
  const toCheck = sql`
    select d.backup_id, d.store from (${firstDue(isOf(sql`d.state = 'copied'`), seconds(nextCheck))}) d
    where ${checkedBytes}::float8 > (
      select coalesce(sum(e.size_bytes), 0) from backup_copies e
      where e.store = d.store and e.checked_at between now() - interval '1 day' and now()
    )`;
  return (await claim(platform, toDo, { run, lease })) ?? claim(platform, toCheck, { run, lease });
}

/**
 * SQL: the copy that is due for longest, and after all others one whose moment was set ahead. One look into an index for each of the two: to
 * sort what is due would read all of it for each claim.
 * @param condition on `backup_copies` d
 * @param longest how far away its moment is set at most: SQL of an interval
 */
function firstDue(condition: RawBuilder<boolean>, longest: RawBuilder<unknown>): RawBuilder<unknown> {
  const first = (isDue: RawBuilder<boolean>) => sql`
    select d.backup_id, d.store from backup_copies d where ${condition} and ${isDue}
    order by d.due_at limit 1 for update skip locked`;
  return sql`
    select * from (${first(sql`d.due_at <= ${postgresNow}`)}) come
    union all
    select * from (${first(isSetAhead('d.due_at', postgresNow, longest))}) ahead
    limit 1`;
}

async function claim(
  platform: Platform,
  due: RawBuilder<unknown>,
  { run, lease }: Pick<ClaimLimits, 'run' | 'lease'>,
): Promise<ClaimedCopy | undefined> {
  const { rows } = await sql<ClaimedCopy>`
    update backup_copies c
    set state = case when c.state in ('waiting', 'failed') then 'copying' else c.state end,
      run = ${run}, due_at = now() + make_interval(secs => ${lease})
    from backups b
    where b.id = c.backup_id and (c.backup_id, c.store) = (${due})
    returning c.backup_id as "backupId", c.store, c.state, c.run, c.is_encrypted as "isEncrypted",
      c.size_bytes::float8 as "sizeBytes", c.sha256, c.pieces, c.attempts, b.database_name as "databaseName",
      json_build_object('sizeBytes', b.size_bytes, 'sha256', b.sha256) as archive`.execute(platform);
  return rows[0];
}

type Lease = Pick<ClaimedCopy, 'backupId' | 'store' | 'run'>;

const isMine = ({ backupId, store, run }: Lease) => sql`backup_id = ${backupId} and store = ${store} and run = ${run}`;

/** @returns whether the copy is still this process's */
export async function renewLease(platform: Platform, copy: Lease, lease: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update backup_copies set due_at = now() + make_interval(secs => ${lease}) where ${isMine(copy)}`.execute(platform);
  return numAffectedRows > 0n;
}

/** Gives a copy back, to be begun again. */
export async function releaseCopy(platform: Platform, copy: Lease): Promise<void> {
  await sql`update backup_copies set due_at = now(), run = null where ${isMine(copy)}`.execute(platform);
}

/**
 * Notes that a copy was made, or read back. Only the latter counts to the share of the day: where much is copied, older ones would never be read.
 * @param nextCheck in how many seconds it is read back
 * @returns whether the copy was still this process's
 */
export async function setCopied(
  platform: Platform,
  copy: Lease,
  { isEncrypted, sizeBytes, sha256, pieces }: StoredCopy,
  nextCheck: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update backup_copies set state = 'copied', is_encrypted = ${isEncrypted}, size_bytes = ${sizeBytes}, sha256 = ${sha256},
      pieces = ${pieces}, attempts = 0, last_error = '', due_at = now() + make_interval(secs => ${nextCheck}), run = null,
      checked_at = case when state = 'copied' then now() else checked_at end
    where ${isMine(copy)}`.execute(platform);
  return numAffectedRows > 0n;
}

/** Whether a copy is to be kept: it is registered, and its removal has not begun. */
export async function isWanted(platform: Platform, { backupId, store }: Lease): Promise<boolean> {
  const row = await platform
    .selectFrom('backupCopies')
    .select('state')
    .where('backupId', '=', backupId)
    .where('store', '=', store)
    .executeTakeFirst();
  return row !== undefined && row.state !== 'deleting';
}

interface Failure {
  state: 'copied' | 'failed' | 'deleting';
  reason: string;
  /** Whether what was in the store is of no use any more. */
  isDamaged: boolean;
  /** Seconds until the next attempt. */
  pause: number;
}

/** @returns whether the copy was still this process's */
export async function setFailed(
  platform: Platform,
  copy: Lease,
  { state, reason, isDamaged, pause }: Failure,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update backup_copies set state = ${state}, attempts = attempts + 1, last_error = ${reason},
      sha256 = case when ${isDamaged} then '' else sha256 end, due_at = now() + make_interval(secs => ${pause}), run = null
    where ${isMine(copy)}`.execute(platform);
  return numAffectedRows > 0n;
}

/** Forgets a copy that is removed from its store. */
export async function deleteCopyRow(platform: Platform, copy: Lease): Promise<void> {
  await sql`delete from backup_copies where ${isMine(copy)}`.execute(platform);
}

/** The whole copies of a backup, those among them that are being replaced by encrypted ones. */
export async function listWholeCopies(
  platform: Platform,
  backupId: string,
): Promise<{ store: string; isEncrypted: boolean }[]> {
  return platform
    .selectFrom('backupCopies')
    .select(['store', 'isEncrypted'])
    .where('backupId', '=', backupId)
    .where('sha256', '<>', '')
    .where('state', '<>', 'deleting')
    .orderBy('isEncrypted')
    .orderBy('store')
    .execute();
}

/** Whether a backup is whole, and nobody has deleted it. */
export async function isListed(platform: Platform, backupId: string): Promise<boolean> {
  const row = await platform
    .selectFrom('backups')
    .select('id')
    .where('id', '=', backupId)
    .where('state', '=', 'ready')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * How many copies some stores have in each state. One that has failed counts as failed while it is tried again: otherwise an alert on copies that
 * stay failed would begin anew with each attempt.
 */
export async function countCopiesByState(
  platform: Platform,
  stores: readonly string[],
): Promise<{ state: string; count: number }[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select s.state, count(c.state)::int as count
    from unnest(array['waiting', 'copying', 'copied', 'failed', 'deleting']) as s (state)
    left join backup_copies c on c.store = any(${stores}::text[])
      and s.state = case when c.state = 'copying' and c.attempts > 0 then 'failed' else c.state end
    group by s.state`.execute(platform);
  return rows;
}
