import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';

/** The open dialog of the FAQ list, and its row; a preview without a row is of all FAQs. */
export type FaqDialog =
  | { kind: 'none' | 'create' | 'import' }
  | { kind: 'preview'; faq?: Faq }
  | { kind: 'edit' | 'delete' | 'history'; faq: Faq };

/** The open dialog of a list of sections, and its row. */
export type SectionDialog = { kind: 'none' | 'create' } | { kind: 'edit' | 'delete' | 'history'; section: FaqSection };

/** The open dialog of a list of questions, and its row. */
export type QuestionDialog =
  | { kind: 'none' | 'create' }
  | { kind: 'edit' | 'delete' | 'history'; question: FaqQuestion };
