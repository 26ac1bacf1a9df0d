import { type Insertable, sql, type Updateable } from 'kysely';
import { type TrackedList, utcMoment } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

export type QuestionRow = NonNullable<Awaited<ReturnType<typeof findQuestion>>>;

/** What readers said of an answer, of the table `faq_helpfulness` as h. */
export const HELPFULNESS = 'coalesce(h.helpful, 0) as helpful, coalesce(h.unhelpful, 0) as unhelpful';

/** The questions of a section in their order, in the shape of contract/faqs `faqQuestion`. */
export const questionsList: TrackedList<{ sectionId: string }> = {
  tables: ['faq_questions', 'faq_sections', 'faq_helpfulness'],
  select: ({ sectionId }) => ({
    name: 'faq-questions',
    values: [sectionId],
    rows: `
      select
        q.id, s.faq_id as "faqId", q.section_id as "sectionId", q.question, q.answer, q.sort_order as "sortOrder",
        ${HELPFULNESS}, q.is_active as "isActive", q.published, ${utcMoment('q.publish_at')} as "publishAtUtc",
        ${utcMoment('q.publish_until')} as "publishUntilUtc", q.version, q.created_by as "createdBy", q.updated_by as "updatedBy",
        q.created_at as "createdOnUtc"
      from faq_questions q
      join faq_sections s on s.id = q.section_id
      left join faq_helpfulness h on h.question_id = q.id
      where q.section_id = $1
      order by q.sort_order`,
  }),
};

/** A question's row, with the id of its FAQ. */
export function findQuestion(platform: Platform, id: string) {
  return platform
    .selectFrom('faqQuestions as q')
    .innerJoin('faqSections as s', 's.id', 'q.sectionId')
    .selectAll('q')
    .select('s.faqId')
    .where('q.id', '=', id)
    .executeTakeFirst();
}

/** @returns the new question's id */
export async function insertQuestion(trx: Trx, row: Insertable<PlatformTables['faqQuestions']>): Promise<string> {
  return (await trx.insertInto('faqQuestions').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Changes columns of a question, and increments its version. */
export async function updateQuestion(
  trx: Trx,
  id: string,
  fields: Updateable<PlatformTables['faqQuestions']>,
): Promise<void> {
  await trx
    .updateTable('faqQuestions')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function deleteQuestion(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('faqQuestions').where('id', '=', id).execute();
}
