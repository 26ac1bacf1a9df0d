import { ALWAYS } from '@apotheca/contract/faq-content';
import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';
import type { FaqInput, QuestionInput, SectionInput } from './form-types.ts';

const NEW = { isActive: true, published: true, ...ALWAYS } as const;

/** What the forms of all three begin with. */
const stateOf = ({ isActive, published, publishAtUtc, publishUntilUtc }: Faq | FaqSection | FaqQuestion) => ({
  isActive,
  published,
  publishAtUtc,
  publishUntilUtc,
});

/** The initial values of an FAQ's form (SPEC §3). */
export function faqValues(faq: Faq | undefined): FaqInput {
  if (!faq) return { name: '', code: '', overview: '', module: null, ...NEW };
  const { name, code, overview } = faq;
  const module = faq.module as FaqInput['module'];
  return { name, code, overview, module, ...stateOf(faq) };
}

/** The initial values of a section's form; a new section belongs to the FAQ of the page. */
export function sectionValues(section: FaqSection | undefined, faqId: string): SectionInput {
  if (!section) return { faqId, name: '', code: '', overview: '', icon: '', sortOrder: 0, ...NEW };
  const { name, code, overview, icon, sortOrder } = section;
  return { faqId: section.faqId, name, code, overview, icon, sortOrder, ...stateOf(section) };
}

/** The initial values of a question's form; a new question belongs to the section of the page. */
export function questionValues(
  faqQuestion: FaqQuestion | undefined,
  section: { faqId: string; sectionId: string },
): QuestionInput {
  if (!faqQuestion) return { ...section, question: '', answer: '', sortOrder: 0, ...NEW };
  const { faqId, sectionId, question, answer, sortOrder } = faqQuestion;
  return { faqId, sectionId, question, answer, sortOrder, ...stateOf(faqQuestion) };
}
