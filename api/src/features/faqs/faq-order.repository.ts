import { sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';
import type { Siblings } from '../../db/sibling-order.ts';

/** What stands in an order by hand, of all FAQ content. */
export type Ordered = 'faqSections' | 'faqQuestions';

/** The sections of an FAQ. Their sort orders are 0, 1, 2, … without a gap (DECISIONS §11), as are those of questions. */
export const sectionsOf = (faqId: string): Siblings => ({ table: 'faqSections', shared: { faqId } });

/** The questions of a section. */
export const questionsOf = (sectionId: string): Siblings => ({ table: 'faqQuestions', shared: { sectionId } });

/** What an order is changed in: FAQs whose sections change, or, with sections, FAQs and sections whose questions do. */
export interface Parents {
  faqIds: string[];
  sectionIds?: string[];
}

/**
 * Keeps others from changing the order in FAQs and sections until the transaction ends; its first statement. Questions are changed
 * under their section's lock, and under a shared one of its FAQ, so that the FAQ's sections stay what they are meanwhile. Everybody
 * takes the locks of FAQs before those of sections, and each by id, and no id has the same lock as both: nobody waits in a circle.
 */
export async function lockOrder(trx: Trx, { faqIds, sectionIds = [] }: Parents): Promise<void> {
  const ofFaqs = sql.raw(sectionIds.length > 0 ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  const locks = [
    ...sorted(faqIds).map((id) => sql`${ofFaqs}(hashtextextended(${id}, 0))`),
    ...sorted(sectionIds).map((id) => sql`pg_advisory_xact_lock(hashtextextended(${id}, 1))`),
  ];
  await sql`select ${sql.join(locks)}`.execute(trx);
}

/** What a section or question is in; of a section the FAQ only. */
export async function findParents(
  platform: Platform,
  table: Ordered,
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

/** Makes a new version of a section or question that was moved. @returns its sort order and version */
export function noteMove(
  trx: Trx,
  table: Ordered,
  id: string,
  stamps: { updatedBy: string | null; updatedAt: Date },
): Promise<{ sortOrder: number; version: number }> {
  return trx
    .updateTable(table as 'faqSections')
    .set({ ...stamps, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['sortOrder', 'version'])
    .executeTakeFirstOrThrow();
}

const sorted = (ids: readonly string[]): string[] => [...new Set(ids)].sort();
