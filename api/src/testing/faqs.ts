import { type FaqQuestion, faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { type FaqSection, faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { type Faq, faqRoutes } from '@apotheca/contract/faqs';
import type { ContractRoute } from '@apotheca/contract/route';
import type { TestApp } from './app.ts';

let made = 0;

/** An FAQ as the form sends it, with a new code. */
export function faqInput(fields: Record<string, unknown> = {}) {
  made += 1;
  return { name: `FAQ ${made}`, code: `FAQ-${made}`, overview: '', ...fields };
}

/** A section as the form sends it, with a new code. */
export function sectionInput(faqId: string, fields: Record<string, unknown> = {}) {
  made += 1;
  return { faqId, name: `Section ${made}`, code: `S-${made}`, overview: '', sortOrder: 0, ...fields };
}

/** A question as the form sends it. */
export function questionInput(place: { faqId: string; sectionId: string }, fields: Record<string, unknown> = {}) {
  made += 1;
  return { ...place, question: `Question ${made}?`, answer: '<p>Yes.</p>', sortOrder: 0, ...fields };
}

/** Functions that create FAQs, sections and questions. Each returns the new id. */
export function makeFaqs(test: TestApp) {
  const create = async (route: ContractRoute, body: unknown): Promise<string> => {
    const { status, message, result } = await test.call(route, { body });
    if (status !== 200) throw new Error(`${route.path}: ${message}`);
    return result.id;
  };
  const faq = (fields = {}) => create(faqRoutes.create, faqInput(fields));
  const section = (faqId: string, fields = {}) => create(faqSectionRoutes.create, sectionInput(faqId, fields));
  return {
    faq,
    section,
    question: (place: { faqId: string; sectionId: string }, fields = {}) =>
      create(faqQuestionRoutes.create, questionInput(place, fields)),
    /** Makes an FAQ with one section. */
    place: async () => {
      const faqId = await faq();
      return { faqId, sectionId: await section(faqId) };
    },
  };
}

/** Functions that list FAQs, sections and questions. */
export function listsOf(test: TestApp) {
  const faqs = async (): Promise<Faq[]> => (await test.call(faqRoutes.list)).result;
  return {
    findFaq: async (id: string) => (await faqs()).find((one) => one.id === id),
    sectionsOf: async (faqId: string): Promise<FaqSection[]> =>
      (await test.call(faqSectionRoutes.list, { query: { faqId } })).result,
    questionsOf: async (sectionId: string): Promise<FaqQuestion[]> =>
      (await test.call(faqQuestionRoutes.list, { query: { sectionId } })).result,
  };
}
