import { sql } from 'kysely';
import { QUEUE } from '../db/operation-queue.ts';
import type { Platform } from '../db/platform.ts';
import type { OperationRow } from './operations.repository.ts';

/** An operation that no job brings to a worker. */
export type Jobless = Pick<OperationRow, 'id' | 'kind' | 'actorId' | 'step' | 'attempts' | 'outlived'> & {
  /** It has rested since its last run. */
  hasRested: boolean;
};

/** Unfinished operations that no job of pg-boss's queue waits for, and that do not rest, oldest first. */
export async function listOperationsWithoutJob(platform: Platform): Promise<Jobless[]> {
  const { rows } = await sql<Jobless>`
    select id, kind, actor_id as "actorId", step, attempts, outlived, resume_at is not null as "hasRested"
    from operations o
    where state in ('queued', 'running') and coalesce(resume_at <= now(), true) and not exists (
      select from pgboss.job
      where name = ${QUEUE} and state in ('created', 'retry') and data ->> 'operationId' = o.id::text
    )
    order by created_at`.execute(platform);
  return rows;
}

/** Operations that somebody has asked to be given up, and that can be, oldest first: they run, or wait for a worker. */
export async function listCancelled(platform: Platform): Promise<string[]> {
  const rows = await platform
    .selectFrom('operations')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .where('cancellable', '=', true)
    .where('cancelRequested', '=', true)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ id }) => id);
}
