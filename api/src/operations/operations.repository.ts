import { type Selectable, sql } from 'kysely';
import type { Actor } from '../actor.ts';
import type { Platform } from '../db/platform.ts';
import type { Operations } from '../db/platform-tables/operations.ts';

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

/** The unfinished operation on one of some databases, if there is one. */
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

/** Of each group of the list so many come first, so that none hides the ones after it, however large it is. */
const FIRST_OF_GROUP = 10;

/**
 * The group of an operation in the list. Of a database that is outdated, the last upgrade is in one of its own if it failed: newer ones
 * of other databases would hide its reason.
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
 * What runs, what people have queued, failed upgrades that are still due, what has ended, what the server has queued by itself: the newest
 * ten of each, then the others; the newest first.
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

/** Asks for an operation to be given up, if it still can. @returns whether it can */
export async function requestCancel(platform: Platform, id: string, actor: Actor): Promise<boolean> {
  const row = await platform
    .updateTable('operations')
    .set({
      cancelRequested: true,
      // Who asked first.
      cancelledBy: sql<string>`coalesce(cancelled_by, ${JSON.stringify(actor)}::jsonb)`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('cancellable', '=', true)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets operations that ended before a moment. */
export async function deleteOperationsBefore(platform: Platform, before: Date): Promise<void> {
  await platform.deleteFrom('operations').where('finishedAt', '<', before).execute();
}
