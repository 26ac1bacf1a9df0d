import type { OperationKindName } from '@apotheca/contract/operations';
import { sql } from 'kysely';
import { isOnAwayServer } from '../db/away-servers.ts';
import { postgresNow } from '../db/due-moments.ts';
import { QUEUE } from '../db/operation-queue.ts';
import type { Platform } from '../db/platform.ts';
import type { OperationRow } from './operations.repository.ts';
import { isPauseOver } from './runs.repository.ts';

/** An unfinished operation without a job in the queue. */
export type OperationWithoutJob = Pick<OperationRow, 'id' | 'kind' | 'actorId' | 'step' | 'attempts' | 'outlived'> & {
  /** Whether it was postponed since its last run. */
  wasPostponed: boolean;
};

/**
 * Unfinished operations without a waiting job in pg-boss's queue that are not postponed, oldest first. One whose job has just been taken
 * is among them until its worker has its lock.
 * @param kinds the kinds that this server knows: a job of another one would end at once, and the next second bring another one
 */
export async function listOperationsWithoutJob(
  platform: Platform,
  kinds: readonly OperationKindName[],
): Promise<OperationWithoutJob[]> {
  // pg-boss keeps a job for a week after its end. The condition of its index for waiting ones names `blocked`, which none of ours is.
  const { rows } = await sql<OperationWithoutJob>`
    select id, kind, actor_id as "actorId", step, attempts, outlived, resume_at is not null as "wasPostponed"
    from operations o
    where state in ('queued', 'running') and kind = any(${kinds}::text[]) and ${isPauseOver} and not exists (
      select from pgboss.job
      where name = ${QUEUE} and state in ('created', 'retry') and not blocked and data ->> 'operationId' = o.id::text
    )
    order by created_at`.execute(platform);
  return rows;
}

/**
 * Unfinished operations that somebody has cancelled and that can still be cancelled, oldest first. One that has begun on a server that is away
 * ends when that is back: it is run again after its pause, as others there are.
 */
export async function listCancelled(platform: Platform): Promise<string[]> {
  const rows = await platform
    .selectFrom('operations')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .where('cancellable', '=', true)
    .where('cancelRequested', '=', true)
    .where(
      sql<boolean>`not (started_at is not null and (${isOnAwayServer('database_id')} or ${isOnAwayServer('operations.id')}))`,
    )
    .orderBy('createdAt')
    .execute();
  return rows.map(({ id }) => id);
}

/** The server that an interrupted operation waits for, as it is noted as away; undefined: there is none. */
export async function findServerWaitedFor(platform: Platform, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ serverId: string }>`
    select d.server_id as "serverId" from operations o join databases d on d.id in (o.database_id, o.id)
    where o.id = ${id} and o.resume_at is not null and ${isOnAwayServer('d.id')}
    limit 1`.execute(platform);
  return rows[0]?.serverId;
}

/** How many operations of a kind have not ended, and for how many seconds the oldest of them waits, 0 where none does. */
export interface UnfinishedOperations {
  kind: OperationKindName;
  queued: number;
  running: number;
  oldestOfPeople: number;
  oldestOfServer: number;
}

export async function countUnfinished(platform: Platform, now: Date): Promise<UnfinishedOperations[]> {
  const age = sql`greatest(0, extract(epoch from ${now} - created_at))`;
  const { rows } = await sql<UnfinishedOperations>`
    select kind, count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'running')::int as running,
      coalesce(max(${age}) filter (where state = 'queued' and actor_id is not null), 0)::float8 as "oldestOfPeople",
      coalesce(max(${age}) filter (where state = 'queued' and actor_id is null), 0)::float8 as "oldestOfServer"
    from operations where state in ('queued', 'running') group by kind`.execute(platform);
  return rows;
}

/** How many operations of a kind have failed within the last hour, by PostgreSQL's clock. */
export async function countFailedLately(platform: Platform): Promise<{ kind: OperationKindName; count: number }[]> {
  const { rows } = await sql<{ kind: OperationKindName; count: number }>`
    select kind, count(*)::int as count from operations
    where state = 'failed' and finished_at between ${postgresNow} - interval '1 hour' and ${postgresNow}
    group by kind`.execute(platform);
  return rows;
}
