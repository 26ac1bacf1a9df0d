import type { View, ViewList } from '@apotheca/contract/views';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

/**
 * The views of a list that a person has saved, or that are shared with their role, by name. Those of users who are deleted or deactivated are
 * left out, as they no longer look after them.
 */
export function listViews(platform: Platform, userId: string, list: ViewList): Promise<View[]> {
  return platform
    .selectFrom('savedViews')
    .innerJoin('users as owners', 'owners.id', 'ownerId')
    .select(['savedViews.id', 'list', 'name', 'query', 'savedViews.roleId'])
    .select(sql<boolean>`owner_id = ${userId}`.as('isOwn'))
    .where('list', '=', list)
    .where('owners.deletedAt', 'is', null)
    .where('owners.isActive', '=', true)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('ownerId', '=', userId),
        eb('savedViews.roleId', 'in', selectFrom('users').select('users.roleId').where('users.id', '=', userId)),
      ]),
    )
    .orderBy('name')
    .orderBy('savedViews.id')
    .execute();
}

/** Keeps others from adding views of a person until the transaction ends, so that two at once never exceed the limit. */
export async function lockViewsOf(trx: Trx, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views:${ownerId}`}, 0))`.execute(trx);
}

export async function countViews(trx: Trx, ownerId: string, list: ViewList): Promise<number> {
  const counted = trx.selectFrom('savedViews').select(sql<number>`count(*)::int`.as('count'));
  return (await counted.where('ownerId', '=', ownerId).where('list', '=', list).executeTakeFirstOrThrow()).count;
}

/** @returns its id */
export async function insertView(trx: Trx, row: Insertable<PlatformTables['savedViews']>): Promise<string> {
  return (await trx.insertInto('savedViews').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Who has saved a view, and the role that it is shared with. */
export function findView(platform: Platform, id: string) {
  return platform.selectFrom('savedViews').select(['ownerId', 'roleId']).where('id', '=', id).executeTakeFirst();
}

/** A view of a person, locked. */
export function lockView(trx: Trx, id: string, ownerId: string) {
  const own = trx.selectFrom('savedViews').selectAll().where('id', '=', id).where('ownerId', '=', ownerId);
  return own.forUpdate().executeTakeFirst();
}

export async function updateView(
  trx: Trx,
  id: string,
  fields: Updateable<PlatformTables['savedViews']>,
): Promise<void> {
  await trx.updateTable('savedViews').set(fields).where('id', '=', id).execute();
}

export async function deleteView(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('savedViews').where('id', '=', id).execute();
}
