import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';
import type { FaqInput, QuestionInput, SectionInput } from './form-types.ts';

const NEW = { isActive: true, published: true } as const;

/** The initial values of an FAQ's form (SPEC §3). */
export function faqValues(faq: Faq | undefined): FaqInput {
  if (!faq) return { name: '', code: '', overview: '', ...NEW };
  const { name, code, overview, isActive, published } = faq;
  return { name, code, overview, isActive, published };
}

/** The initial values of a section's form; a new section belongs to the FAQ of the page. */
export function sectionValues(section: FaqSection | undefined, faqId: string): SectionInput {
  if (!section) return { faqId, name: '', code: '', overview: '', icon: '', sortOrder: 0, ...NEW };
  const { name, code, overview, icon, sortOrder, isActive, published } = section;
  return { faqId: section.faqId, name, code, overview, icon, sortOrder, isActive, published };
}

/** The initial values of a question's form; a new question belongs to the section of the page. */
export function questionValues(
  faqQuestion: FaqQuestion | undefined,
  section: { faqId: string; sectionId: string },
): QuestionInput {
  if (!faqQuestion) return { ...section, question: '', answer: '', sortOrder: 0, ...NEW };
  const { faqId, sectionId, question, answer, sortOrder, isActive, published } = faqQuestion;
  return { faqId, sectionId, question, answer, sortOrder, isActive, published };
}
