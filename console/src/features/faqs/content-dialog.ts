import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';

/** Which dialog of the FAQ list is open, and for which row; a preview without one is of all FAQs. */
export type FaqDialog =
  | { kind: 'none' | 'create' }
  | { kind: 'preview'; faq?: Faq }
  | { kind: 'edit' | 'delete'; faq: Faq };

/** Which dialog of a list of sections is open, and for which row. */
export type SectionDialog = { kind: 'none' | 'create' } | { kind: 'edit' | 'delete'; section: FaqSection };

/** Which dialog of a list of questions is open, and for which row. */
export type QuestionDialog = { kind: 'none' | 'create' } | { kind: 'edit' | 'delete'; question: FaqQuestion };
