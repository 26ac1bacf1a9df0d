import type { Platform } from '../../db/platform.ts';

export const listFaqNames = (platform: Platform) =>
  platform.selectFrom('faqs').select(['id', 'code', 'name']).execute();

export const listSectionNames = (platform: Platform) =>
  platform
    .selectFrom('faqSections as s')
    .innerJoin('faqs as f', 'f.id', 's.faqId')
    .select(['s.id', 's.code', 's.name', 'f.code as faqCode'])
    .execute();

/** All questions, with codes and names of their sections and FAQs. */
export const listQuestionsToCompare = (platform: Platform) =>
  platform
    .selectFrom('faqQuestions as q')
    .innerJoin('faqSections as s', 's.id', 'q.sectionId')
    .innerJoin('faqs as f', 'f.id', 's.faqId')
    .select(['q.id', 'q.version', 'q.question', 'q.answer', 'q.isActive', 'q.published'])
    .select(['s.code as sectionCode', 's.name as sectionName', 'f.code as faqCode', 'f.name as faqName'])
    .execute();
