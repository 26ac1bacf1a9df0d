import type { Operation } from '@apotheca/contract/operations';
import { type Selectable, sql } from 'kysely';
import type { Actor } from '../actor.ts';
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
  id, kind, database_name as "databaseName",
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
 * The group of an operation in the list. The last upgrade of an outdated database, if it failed, is in a group of its own, so that
 * newer operations do not hide the reason.
 */
const GROUP = `case
  when state = 'running' then 0
  when state = 'queued' and actor_id is not null then 1
  when state = 'failed' and kind = 'upgrade' and exists (
    select from databases d
    where d.id = operations.database_id and d.state = 'ready' and d.schema_version < $1
  ) and not exists (
    select from operations later
    where later.database_id = operations.database_id and later.kind = 'upgrade'
      and later.created_at > operations.created_at
  ) then 2
  when state <> 'queued' then 3
  else 4
end`;

/**
 * The operations for the list: running ones, those that people have queued, failed upgrades that are still due, ended ones, those
 * that the server has queued itself. First the newest ten of each, then the others, newest first.
 * @param newestVersion of the tenants' schema: a database below it is outdated
 * @param limit how many at most
 */
export const operationsList = (newestVersion: number, limit: number): TrackedList<unknown> => ({
  tables: ['operations', 'databases'],
  select: () => ({
    name: 'operations',
    values: [newestVersion, limit],
    rows: `
      select ${SUMMARY}
      from operations
      order by
        case when row_number() over (partition by ${GROUP} order by created_at desc, id) <= ${FIRST_OF_GROUP} then ${GROUP} else 5 end,
        created_at desc, id
      limit $2`,
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
export async function deleteOperationsBefore(platform: Platform, before: Date): Promise<void> {
  await platform.deleteFrom('operations').where('finishedAt', '<', before).execute();
}
