import type { Platform } from '../../db/platform.ts';

/** FAQs in their order. @param id absent: all FAQs */
export function listFaqs(platform: Platform, id: string | undefined) {
  return platform
    .selectFrom('faqs')
    .select(['id', 'name', 'code', 'overview', 'isActive', 'published'])
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('sortOrder')
    .orderBy('creationNumber')
    .execute();
}

/** Sections in their order. @param faqId absent: those of all FAQs */
export function listSections(platform: Platform, faqId: string | undefined) {
  return platform
    .selectFrom('faqSections')
    .select(['id', 'faqId', 'name', 'code', 'overview', 'icon', 'isActive', 'published'])
    .$if(faqId !== undefined, (query) => query.where('faqId', '=', faqId ?? ''))
    .orderBy('sortOrder')
    .execute();
}

/** Questions in their order. @param faqId absent: those of all FAQs */
export function listQuestions(platform: Platform, faqId: string | undefined) {
  return platform
    .selectFrom('faqQuestions as q')
    .innerJoin('faqSections as s', 's.id', 'q.sectionId')
    .select(['q.id', 'q.sectionId', 'q.question', 'q.answer', 'q.isActive', 'q.published'])
    .$if(faqId !== undefined, (query) => query.where('s.faqId', '=', faqId ?? ''))
    .orderBy('q.sortOrder')
    .execute();
}
