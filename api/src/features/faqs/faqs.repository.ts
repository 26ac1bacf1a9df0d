import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type TrackedList, utcMoment } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

export type FaqRow = Selectable<PlatformTables['faqs']>;

/** All FAQs in their order, in the shape of contract/faqs `faq`. */
export const faqsList: TrackedList<unknown> = {
  tables: ['faqs', 'faq_sections', 'faq_questions'],
  select: () => ({
    name: 'faqs',
    rows: `
      select
        f.id, f.name, f.code, f.overview, f.module, f.sort_order as "sortOrder",
        (select count(*) from faq_sections s where s.faq_id = f.id) as "sectionCount",
        (select count(*) from faq_sections s join faq_questions q on q.section_id = s.id where s.faq_id = f.id)
          as "questionCount",
        f.is_active as "isActive", f.published, ${utcMoment('f.publish_at')} as "publishAtUtc",
        ${utcMoment('f.publish_until')} as "publishUntilUtc", f.version, f.created_by as "createdBy", f.updated_by as "updatedBy",
        f.created_at as "createdOnUtc"
      from faqs f
      order by f.sort_order, f.creation_number`,
  }),
};

export function findFaq(platform: Platform, id: string): Promise<FaqRow | undefined> {
  return platform.selectFrom('faqs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** An FAQ's row, locked until the transaction ends. */
export function lockFaq(trx: Trx, id: string): Promise<FaqRow | undefined> {
  return trx.selectFrom('faqs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** @returns the new FAQ's id */
export async function insertFaq(trx: Trx, row: Insertable<PlatformTables['faqs']>): Promise<string> {
  return (await trx.insertInto('faqs').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Changes columns of an FAQ, and increments its version. */
export async function updateFaq(trx: Trx, id: string, fields: Updateable<PlatformTables['faqs']>): Promise<void> {
  await trx
    .updateTable('faqs')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Deletes an FAQ with its sections and their questions. */
export async function deleteFaq(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('faqs').where('id', '=', id).execute();
}

/** The sections of an FAQ, and the questions in them by the first 100 characters of their texts. */
export async function listContentOfFaq(platform: Platform, id: string) {
  const sections = await platform.selectFrom('faqSections').select(['id', 'name']).where('faqId', '=', id).execute();
  const questions = await platform
    .selectFrom('faqQuestions as q')
    .innerJoin('faqSections as s', 's.id', 'q.sectionId')
    .select(['q.id', sql<string>`left(q.question, 100)`.as('question')])
    .where('s.faqId', '=', id)
    .execute();
  return { sections, questions };
}
