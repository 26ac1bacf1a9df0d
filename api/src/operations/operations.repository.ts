import { type Selectable, sql } from 'kysely';
import type { Actor } from '../actor.ts';
import type { Platform } from '../db/platform.ts';
import type { Operations } from '../db/platform-tables.ts';

const SHOWN_COLUMNS = [
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
] as const;
/** The columns of an {@link OperationRow}. */
export const COLUMNS = [...SHOWN_COLUMNS, 'result'] as const;

export type OperationRow = Pick<Selectable<Operations>, (typeof COLUMNS)[number]>;

/** An operation in the list: without its result, which may be large. */
export type ShownOperation = Omit<OperationRow, 'result'>;

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

/** How many of each group come first in the list, so that a large group does not hide those after it. */
const FIRST_OF_GROUP = 10;

/**
 * The group of an operation in the list. The last upgrade of an outdated database, if it failed, is in a group of its own, so that
 * newer operations do not hide the reason.
 */
const groupOf = (newestVersion: number) => sql`case
  when state = 'running' then 0
  when state = 'queued' and actor_id is not null then 1
  when state = 'failed' and kind = 'upgrade' and exists (
    select from databases d
    where d.id = operations.database_id and d.state = 'ready' and d.schema_version < ${newestVersion}
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
 */
export function listOperationsToShow(
  platform: Platform,
  newestVersion: number,
  limit: number,
): Promise<ShownOperation[]> {
  const group = groupOf(newestVersion);
  return platform
    .selectFrom('operations')
    .select(SHOWN_COLUMNS)
    .orderBy(
      sql`case when row_number() over (partition by ${group} order by created_at desc, id) <= ${FIRST_OF_GROUP} then ${group} else 5 end`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

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
