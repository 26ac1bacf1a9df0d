import { sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';

/** Rows that stand in order within a parent: their sort orders are 0, 1, 2, … without a gap. */
export interface Siblings {
  table: 'faqSections' | 'faqQuestions';
  parentColumn: 'faqId' | 'sectionId';
  parentId: string;
}

/** The sections of an FAQ. */
export const sectionsOf = (faqId: string): Siblings => ({
  table: 'faqSections',
  parentColumn: 'faqId',
  parentId: faqId,
});

/** The questions of a section. */
export const questionsOf = (sectionId: string): Siblings => ({
  table: 'faqQuestions',
  parentColumn: 'sectionId',
  parentId: sectionId,
});

/** FAQs whose sections change, or, with sections, FAQs and sections whose questions do. */
export interface Places {
  faqIds: string[];
  sectionIds?: string[];
}

/** Past the last place. */
export const END = 2_147_483_647;

/**
 * Keeps others from changing the order in FAQs and sections until the transaction ends; its first statement. Questions are changed
 * under their section's lock, and under a shared one of its FAQ, so that the FAQ's sections stay what they are meanwhile. Everybody
 * takes the locks of FAQs before those of sections, and each by id, and no id has the same lock as both: nobody waits in a circle.
 */
export async function lockPlaces(trx: Trx, { faqIds, sectionIds = [] }: Places): Promise<void> {
  const ofFaqs = sql.raw(sectionIds.length > 0 ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  const locks = [
    ...inOrder(faqIds).map((id) => sql`${ofFaqs}(hashtextextended(${id}, 0))`),
    ...inOrder(sectionIds).map((id) => sql`pg_advisory_xact_lock(hashtextextended(${id}, 1))`),
  ];
  await sql`select ${sql.join(locks)}`.execute(trx);
}

/**
 * The place that a typed sort order stands for: after everything that has a smaller one; where one is equal, the older row comes first.
 * @param row the one to be placed; absent for a new one, which is the youngest
 */
export async function findPlace(
  trx: Trx,
  { table, parentColumn, parentId }: Siblings,
  sortOrder: number,
  row?: { id: string; creationNumber: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from ${sql.table(table)}
    where ${sql.ref(parentColumn)} = ${parentId} and id is distinct from ${row?.id ?? null}::uuid
      and (sort_order < ${sortOrder}
        or sort_order = ${sortOrder} and ${row ? sql`creation_number < ${row.creationNumber}` : sql`true`})`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/** Moves all from a place on by one, so that the place is free. */
export function openPlace(trx: Trx, siblings: Siblings, place: number): Promise<void> {
  return shift(trx, siblings, { from: place, to: END, by: 1 });
}

/** Moves all after a place back by one, where a row has gone. */
export function closePlace(trx: Trx, siblings: Siblings, place: number): Promise<void> {
  return shift(trx, siblings, { from: place + 1, to: END, by: -1 });
}

/** Moves those between two places by one, so that a row can go from the first to the second. */
export async function shiftBetween(trx: Trx, siblings: Siblings, from: number, to: number): Promise<void> {
  if (to > from) await shift(trx, siblings, { from: from + 1, to, by: -1 });
  if (to < from) await shift(trx, siblings, { from: to, to: from - 1, by: 1 });
}

/**
 * Swaps a row with the one before or after it, which makes a new version of this row only.
 * @returns the row's new sort order and version; undefined where it is at the edge, or not in this parent
 */
export async function swapWithNeighbour(
  trx: Trx,
  { table, parentColumn, parentId }: Siblings,
  { id, moveUp, by, at }: { id: string; moveUp: boolean; by: string | null; at: Date },
): Promise<{ sortOrder: number; version: number } | undefined> {
  const { rows } = await sql<{ id: string; sortOrder: number; version: number }>`
    with moved as (
      select id, sort_order from ${sql.table(table)} where id = ${id} and ${sql.ref(parentColumn)} = ${parentId}
    ), neighbour as (
      select sibling.id, sibling.sort_order
      from ${sql.table(table)} sibling, moved
      where sibling.${sql.ref(parentColumn)} = ${parentId}
        and sibling.sort_order = moved.sort_order + ${moveUp ? -1 : 1}::integer
    )
    update ${sql.table(table)} as row
    set
      sort_order = case row.id when moved.id then neighbour.sort_order else moved.sort_order end,
      version = case row.id when moved.id then row.version + 1 else row.version end,
      updated_by = case row.id when moved.id then ${by}::uuid else row.updated_by end,
      updated_at = case row.id when moved.id then ${at}::timestamptz else row.updated_at end
    from moved, neighbour
    where row.id in (moved.id, neighbour.id)
    returning row.id, row.sort_order as "sortOrder", row.version`.execute(trx);
  return rows.find((row) => row.id === id);
}

/** What a section or question is in; of a section the FAQ only. */
export async function findParents(
  platform: Platform,
  table: Siblings['table'],
  id: string,
): Promise<{ faqId: string; sectionId?: string } | undefined> {
  if (table === 'faqSections') {
    return platform.selectFrom(table).select('faqId').where('id', '=', id).executeTakeFirst();
  }
  return platform
    .selectFrom('faqQuestions as q')
    .innerJoin('faqSections as s', 's.id', 'q.sectionId')
    .select(['s.faqId', 'q.sectionId'])
    .where('q.id', '=', id)
    .executeTakeFirst();
}

async function shift(
  trx: Trx,
  { table, parentColumn, parentId }: Siblings,
  { from, to, by }: { from: number; to: number; by: 1 | -1 },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set sort_order = sort_order + ${by}::integer
    where ${sql.ref(parentColumn)} = ${parentId} and sort_order between ${from} and ${to}`.execute(trx);
}

const inOrder = (ids: readonly string[]): string[] => [...new Set(ids)].sort();
