import type { BackupProof } from '@apotheca/contract/backups';
import { type RawBuilder, sql } from 'kysely';
import type { Proofs } from '../../../../config.ts';
import { isOnAwayServer } from '../../../../db/away-servers.ts';
import { newestFirst } from '../../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../../db/platform.ts';

/** Key of the advisory lock under which proofs are queued, as one is proved at a time. */
const QUEUEING = 'backup-proofs';
/** How many backups are tried at most before the server waits: those before may be too large for the disk. */
const CANDIDATES = 10;
/** An archive takes less room than its rows and indexes in a database. */
const UNPACKED = 5;

/** One that waits for its server, where its scratch database lives, does not count. */
const isUnfinished = sql<boolean>`
  kind = 'prove' and state in ('queued', 'running') and not ${isOnAwayServer('operations.id')}`;

/** Whether backup `b` is the newest of its database `d`. */
const isNewest = (now: Date) =>
  sql<boolean>`(d.id is not null and rank() over (partition by b.database_id order by ${newestFirst('b.created_at', now)}) = 1)`;

/**
 * The name of the database whose backup is queued to be proved, or is being proved. Until the transaction ends nobody else queues one.
 */
export async function findProvedMeanwhile(trx: Trx): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${QUEUEING}, 0))`.execute(trx);
  const row = await trx.selectFrom('operations').select('databaseName').where(isUnfinished).executeTakeFirst();
  return row?.databaseName;
}

/** Whether a backup waits to be proved, or is being proved. */
export async function isProving(platform: Platform): Promise<boolean> {
  return (await platform.selectFrom('operations').select('id').where(isUnfinished).executeTakeFirst()) !== undefined;
}

/** @returns whether the backup still exists; it cannot be deleted until the transaction ends */
export async function noteProofBegun(trx: Trx, id: string, at: Date): Promise<boolean> {
  const row = await trx
    .updateTable('backups')
    .set({ proofBegunAt: at })
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function setProof(platform: Platform, id: string, proof: BackupProof): Promise<void> {
  await platform
    .updateTable('backups')
    .set({ proof: JSON.stringify(proof) })
    .where('id', '=', id)
    .execute();
}

/** How many bytes a backup takes when it is restored: as many as its database, and a multiple of the archive at least. */
export async function estimateRestoredBytes(platform: Platform, id: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select greatest(b.size_bytes * ${UNPACKED}, d.size_bytes)::float8 as bytes
    from backups b left join databases d on d.id = b.database_id
    where b.id = ${id}`.execute(platform);
  return rows[0]?.bytes ?? 0;
}

/**
 * The backups made here that are due for a proof, the first first: the newest of each database, and among them those of databases whose
 * last proof is oldest. None of those whose server is away, none where no database has a schedule, or where the proofs of the last 24
 * hours took their time. What a clock noted that was ahead has not been.
 */
export async function listDueProofs(
  platform: Platform,
  now: Date,
  { minutesPerDay, cycleDays }: Proofs,
): Promise<string[]> {
  if (!(await isTimeLeft(platform, now, minutesPerDay))) return [];
  const newest = await listDueNewest(platform, now, cycleDays);
  if (newest.length === CANDIDATES) return newest;
  const all = new Set([...newest, ...(await listDue(platform, now, cycleDays))]);
  return [...all].slice(0, CANDIDATES);
}

/** Whether some database has a schedule, and the proofs of the last 24 hours took less than so many minutes. */
async function isTimeLeft(platform: Platform, now: Date, minutesPerDay: number): Promise<boolean> {
  const { rows } = await sql<{ isLeft: boolean }>`
    select exists (select from effective_backup_schedules where frequency <> 'off') and ${minutesPerDay} * 60 > (
      select coalesce(sum(greatest(0, extract(epoch from finished_at - started_at))), 0) from operations
      where kind = 'prove' and actor_id is null and created_at between ${now}::timestamptz - interval '1 day' and ${now}
    ) as "isLeft"`.execute(platform);
  return rows[0]?.isLeft === true;
}

/** What backups `b` are looked at: what the index of migration 000083 holds. */
const isMadeHere = sql<boolean>`b.state = 'ready' and b.origin = 'made'`;

/** Whether backup `b`, whose last proof began at some moment that has been, is due again. */
const isDueAgain = (now: Date, cycleDays: number) => sql<boolean>`
  b.proof_begun_at <= ${now}::timestamptz - interval '1 day' and (
    b.proof_begun_at <= ${now}::timestamptz - make_interval(days => ${cycleDays})
    -- It came to no result, as what a clock noted that was ahead is none.
    or coalesce((b.proof ->> 'endedOnUtc')::timestamptz not between b.proof_begun_at and ${now}, true)
  )`;

/** Of each database one look for its newest backup, and of all proofs only when they began, from the index. */
async function listDueNewest(platform: Platform, now: Date, cycleDays: number): Promise<string[]> {
  const newestOf = (condition: RawBuilder<boolean>) => sql`
    select b.id, b.proof, b.proof_begun_at, b.created_at from backups b
    where b.database_id = d.id and ${isMadeHere} and ${condition}
    order by b.created_at desc, b.id desc limit 1`;
  const { rows } = await sql<{ id: string }>`
    with last_proofs as (
      select b.database_id, max(b.proof_begun_at) as at from backups b
      where ${isMadeHere} and b.proof_begun_at <= ${now} group by b.database_id
    )
    select b.id from databases d
    cross join lateral (
      select n.id, n.proof, n.proof_begun_at, n.created_at from (
        (${newestOf(sql`b.created_at <= ${now}`)}) union all (${newestOf(sql`b.created_at > ${now}`)})
      ) n
      order by ${newestFirst('n.created_at', now)} limit 1
    ) b
    left join last_proofs p on p.database_id = d.id
    where d.state = 'ready' and not ${isOnAwayServer('d.id')}
      and (b.proof_begun_at is null or b.proof_begun_at > ${now} or ${isDueAgain(now, cycleDays)})
    order by p.at nulls first, b.created_at desc, b.id
    limit ${CANDIDATES}`.execute(platform);
  return rows.map(({ id }) => id);
}

/** Whatever is due, newest backups among it, in the order of the index of migration 000083: never proved, then by when that was. */
async function listDue(platform: Platform, now: Date, cycleDays: number): Promise<string[]> {
  const first = (begunAt: RawBuilder<unknown>, condition: RawBuilder<boolean>) => sql`
    select b.id, ${begunAt} as begun_at, b.created_at from backups b
    -- 'is false' keeps PostgreSQL from joining all of them to the servers before it takes the first.
    where ${isMadeHere} and ${condition} and ${isOnAwayServer('b.database_id')} is false
    order by b.proof_begun_at nulls first, b.created_at desc limit ${CANDIDATES}`;
  const { rows } = await sql<{ id: string }>`
    select id from (
      (${first(sql`null::timestamptz`, sql`b.proof_begun_at is null`)})
      union all (${first(sql`null`, sql`b.proof_begun_at > ${now}`)})
      union all (${first(sql`b.proof_begun_at`, isDueAgain(now, cycleDays))})
    ) due
    order by begun_at nulls first, created_at desc, id
    limit ${CANDIDATES}`.execute(platform);
  return rows.map(({ id }) => id);
}

/**
 * The databases whose newest backup failed its proof and is to be made anew: once, and not where the backup before it failed too, as
 * the next one would fail as well. Not while its server is away.
 */
export async function listRenewals(platform: Platform, now: Date): Promise<{ backupId: string; databaseId: string }[]> {
  const { rows } = await sql<{ backupId: string; databaseId: string }>`
    select b.id as "backupId", d.id as "databaseId"
    from backups b join databases d on d.id = b.database_id and d.state = 'ready'
    cross join lateral (
      select array_agg(n.id) as ids, bool_and(coalesce(n.proof ->> 'result' = 'failed', false)) as all_failed
      from (
        select id, proof from backups
        where database_id = b.database_id and state = 'ready' order by ${newestFirst('created_at', now)}, id desc limit 2
      ) n
    ) as last
    where b.proof ->> 'result' = 'failed' and b.state = 'ready' and not b.is_renewed and b.id = last.ids[1]
      and (cardinality(last.ids) = 1 or not last.all_failed)
      and not exists (select from operation_claims c where c.database_id = d.id)
      and not ${isOnAwayServer('d.id')}
    order by d.id`.execute(platform);
  return rows;
}

/** @returns whether nobody had done so before */
export async function markRenewed(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .updateTable('backups')
    .set({ isRenewed: true })
    .where('id', '=', id)
    .where('isRenewed', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a schedule made a backup. */
export async function isScheduled(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('backups')
    .select('id')
    .where('id', '=', id)
    .where('dueAt', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many ready backups there are by the result of their proof, and how many of them are the newest of their database. */
export async function countProofs(
  platform: Platform,
  now: Date,
): Promise<{ result: string; all: number; newest: number }[]> {
  const { rows } = await sql<{ result: string; all: number; newest: number }>`
    select r.result, count(b.id)::int as all, (count(b.id) filter (where b.is_newest))::int as newest
    from unnest(array['proved', 'failed', 'none']) as r (result)
    left join (
      select b.id, coalesce(b.proof ->> 'result', 'none') as result,
        ${isNewest(now)} as is_newest
      from backups b left join databases d on d.id = b.database_id and d.state = 'ready'
      where b.state = 'ready'
    ) b on b.result = r.result
    group by r.result`.execute(platform);
  return rows;
}
