import type { NamedFaqSection } from '@apotheca/contract/faq-sections';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type TrackedList, utcMoment } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';
import { withPeriod } from './faq-period.ts';

export type SectionRow = Selectable<PlatformTables['faqSections']>;

/** The sections of an FAQ in their order, in the shape of contract/faqs `faqSection`. */
export const sectionsList: TrackedList<{ faqId: string }> = {
  tables: ['faq_sections', 'faq_questions'],
  select: ({ faqId }) => ({
    name: 'faq-sections',
    values: [faqId],
    rows: `
      select
        s.id, s.faq_id as "faqId", s.name, s.code, s.overview, s.icon, s.sort_order as "sortOrder",
        (select count(*) from faq_questions q where q.section_id = s.id) as "questionCount",
        s.is_active as "isActive", s.published, ${utcMoment('s.publish_at')} as "publishAtUtc",
        ${utcMoment('s.publish_until')} as "publishUntilUtc", s.version, s.created_by as "createdBy", s.updated_by as "updatedBy",
        s.created_at as "createdOnUtc"
      from faq_sections s
      where s.faq_id = $1
      order by s.sort_order`,
  }),
};

export function findSection(platform: Platform, id: string): Promise<SectionRow | undefined> {
  return platform.selectFrom('faqSections').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A section in the shape of the list, with the name of its FAQ. */
export async function findNamedSection(platform: Platform, id: string): Promise<NamedFaqSection | undefined> {
  const row = await platform
    .selectFrom('faqSections as s')
    .innerJoin('faqs as f', 'f.id', 's.faqId')
    .selectAll('s')
    .select('f.name as faqName')
    .select(({ selectFrom }) =>
      selectFrom('faqQuestions as q')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('q.sectionId', '=', 's.id')
        .as('questionCount'),
    )
    .where('s.id', '=', id)
    .executeTakeFirst();
  return (
    row && { ...withPeriod(row), questionCount: Number(row.questionCount), createdOnUtc: row.createdAt.toISOString() }
  );
}

/** @returns the new section's id */
export async function insertSection(trx: Trx, row: Insertable<PlatformTables['faqSections']>): Promise<string> {
  return (await trx.insertInto('faqSections').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Changes columns of a section, and increments its version. */
export async function updateSection(
  trx: Trx,
  id: string,
  fields: Updateable<PlatformTables['faqSections']>,
): Promise<void> {
  await trx
    .updateTable('faqSections')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Deletes a section with its questions. */
export async function deleteSection(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('faqSections').where('id', '=', id).execute();
}

/** The questions in a section, by the first 100 characters of their texts. */
export function listContentOfSection(platform: Platform, id: string) {
  return platform
    .selectFrom('faqQuestions')
    .select(['id', sql<string>`left(question, 100)`.as('question')])
    .where('sectionId', '=', id)
    .execute();
}
