import type { Operation } from '@apotheca/contract/operations';
import { type Selectable, sql } from 'kysely';
import type { Actor } from '../actor.ts';
import { deleteExpired } from '../db/delete-expired.ts';
import { type TrackedList, utcMoment } from '../db/json-list.ts';
import type { Platform } from '../db/platform.ts';
import type { Operations } from '../db/tables/operation-tables.ts';

/** The columns of an {@link OperationRow}. */
export const COLUMNS = [
  'id',
  'kind',
  'databaseId',
  'databaseName',
  'input',
  'actorId',
  'actorName',
  'address',
  'state',
  'steps',
  'step',
  'percent',
  'cancellable',
  'cancelRequested',
  'cancelledBy',
  'attempts',
  'outlived',
  'expectedMs',
  'message',
  'error',
  'createdAt',
  'startedAt',
  'heartbeatAt',
  'finishedAt',
  'result',
] as const;

export type OperationRow = Pick<Selectable<Operations>, (typeof COLUMNS)[number]>;

/**
 * An operation in the shape of contract/operations `operation`. Its elapsed time is that of its last heartbeat: so the row alone says it, and
 * the list has a version.
 */
const SUMMARY = `
  id, kind, database_id as "databaseId", database_name as "databaseName",
  case when jsonb_typeof(input -> 'copyFrom') = 'string' then input ->> 'copyFrom' end as "copiedFrom",
  actor_name as "startedBy", state, steps, step, percent, cancellable, cancel_requested as "cancelRequested",
  coalesce(greatest(0, extract(epoch from coalesce(finished_at, heartbeat_at) - started_at)), 0)::float8 as "elapsedSeconds",
  expected_ms / 1000::float8 as "expectedSeconds",
  ${utcMoment('created_at')} as "createdOnUtc", ${utcMoment('started_at')} as "startedOnUtc",
  ${utcMoment('heartbeat_at')} as "heartbeatOnUtc", ${utcMoment('finished_at')} as "finishedOnUtc", message`;

/** The unfinished operation that claims one of some databases, if there is one. */
export function findClaimant(platform: Platform, databaseIds: readonly string[]): Promise<OperationRow | undefined> {
  return platform
    .selectFrom('operations')
    .select(COLUMNS)
    .where('id', 'in', (query) =>
      query
        .selectFrom('operationClaims')
        .select('operationId')
        .where('databaseId', 'in', [...databaseIds]),
    )
    .executeTakeFirst();
}

export function findOperation(platform: Platform, id: string): Promise<OperationRow | undefined> {
  return platform.selectFrom('operations').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** An operation as people see it, with its result. */
export async function findOperationDetails(
  platform: Platform,
  id: string,
): Promise<(Operation & Pick<OperationRow, 'result' | 'error'>) | undefined> {
  const { rows } = await sql<Operation & Pick<OperationRow, 'result' | 'error'>>`
    select ${sql.raw(SUMMARY)}, result, error from operations where id = ${id}`.execute(platform);
  return rows[0];
}

/** How many of each group come first in the list, so that a large group does not hide those after it. */
const FIRST_OF_GROUP = 10;

/**
 * The last upgrades of outdated databases, if they failed. They are in a group of their own, so that newer operations do not hide the
 * reason. Each is looked up in the index of its database: `offset 0` keeps PostgreSQL from reading all operations for them.
 */
const DUE_UPGRADES = `
  select upgrade.id, upgrade.finished_at
  from databases d
  cross join lateral (
    select id, finished_at, state from operations
    where database_id = d.id and kind = 'upgrade'
      and created_at = (select max(created_at) from operations where database_id = d.id and kind = 'upgrade')
    offset 0
  ) upgrade
  where d.state = 'ready' and d.schema_version < $1 and upgrade.state = 'failed'`;

/**
 * The operations for the list: running ones, those that people have queued, failed upgrades that are still due, ended ones, those
 * that the server has queued itself. First the newest ten of each, then the others, newest first. One that has ended is as new as its end:
 * a change of many databases would be gone when it ends, as its own operations began after it. Of those that have ended only the newest
 * can be among them: they are found by an index, as backups by schedule leave millions.
 * @param newestVersion of the tenants' schema: a database below it is outdated
 * @param limit how many at most
 */
export const operationsList = (newestVersion: number, limit: number): TrackedList<unknown> => ({
  tables: ['operations', 'databases'],
  select: () => ({
    name: 'operations',
    values: [newestVersion, limit],
    rows: `
      with due as (${DUE_UPGRADES}), ended as (
        select id, finished_at from operations
        where state not in ('queued', 'running') and finished_at is not null and id not in (select id from due)
        order by finished_at desc, id
        limit $2
      ), grouped as (
        select id, created_at as moment, case when state = 'running' then 0 when actor_id is not null then 1 else 4 end as place
        from operations where state in ('queued', 'running')
        union all select id, finished_at, 2 from due
        union all select id, finished_at, 3 from ended
      ), shown as (
        select id, moment,
          case when row_number() over (partition by place order by moment desc, id) <= ${FIRST_OF_GROUP} then place else 5 end as rank
        from grouped
        order by rank, moment desc, id
        limit $2
      )
      select ${SUMMARY}
      from shown join operations using (id)
      order by rank, moment desc, id`,
  }),
});

/** Asks for an operation to be cancelled. @returns whether it can still be cancelled */
export async function requestCancel(platform: Platform, id: string, actor: Actor): Promise<boolean> {
  const row = await platform
    .updateTable('operations')
    .set({
      cancelRequested: true,
      // The first who asked is kept.
      cancelledBy: sql<string>`coalesce(cancelled_by, ${JSON.stringify(actor)}::jsonb)`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('cancellable', '=', true)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes operations that ended before a moment. */
export const deleteOperationsBefore = (platform: Platform, before: Date, stopping?: AbortSignal): Promise<void> =>
  deleteExpired(platform, 'operations', sql`finished_at < ${before}`, stopping);
