import { sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';
import type { Siblings } from '../../db/sibling-order.ts';

/** The tables of FAQ content whose rows people put in order. FAQs themselves have only a sort order that is typed. */
export type Ordered = 'faqSections' | 'faqQuestions';

/** The sections of an FAQ. Their sort orders are 0, 1, 2, … without a gap (DECISIONS §11); so are those of questions. */
export const sectionsOf = (faqId: string): Siblings => ({ table: 'faqSections', shared: { faqId } });

/** The questions of a section. */
export const questionsOf = (sectionId: string): Siblings => ({ table: 'faqQuestions', shared: { sectionId } });

/** The parents whose order changes. Without sections: FAQs, whose sections change. With sections: these, whose questions change, and their FAQs. */
export interface Parents {
  faqIds: string[];
  sectionIds?: string[];
}

/**
 * Locks the order in FAQs and sections until the transaction ends. It is the transaction's first statement. A change of questions locks
 * their section, and shares the lock of its FAQ, so that the FAQ's sections do not change meanwhile. There is no deadlock: FAQs are
 * locked before sections, each sorted by id, and an id has different locks as an FAQ and as a section.
 */
export async function lockOrder(trx: Trx, { faqIds, sectionIds = [] }: Parents): Promise<void> {
  const ofFaqs = sql.raw(sectionIds.length > 0 ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  const locks = [
    ...sorted(faqIds).map((id) => sql`${ofFaqs}(hashtextextended(${id}, 0))`),
    ...sorted(sectionIds).map((id) => sql`pg_advisory_xact_lock(hashtextextended(${id}, 1))`),
  ];
  await sql`select ${sql.join(locks)}`.execute(trx);
}

/** The parents of a section (its FAQ) or of a question (its section and FAQ). */
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

/** Increments the version of a section or question that was moved. @returns its sort order and version */
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
