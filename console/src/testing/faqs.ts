import { ALWAYS } from '@apotheca/contract/faq-content';
import { type FaqQuestion, faqQuestion } from '@apotheca/contract/faq-questions';
import {
  type ComparedRevision,
  comparedRevision,
  type FaqRevision,
  faqRevision,
  type RevisedContent,
} from '@apotheca/contract/faq-revisions';
import { type FaqSection, faqSection, type NamedFaqSection, namedFaqSection } from '@apotheca/contract/faq-sections';
import { type Faq, type FaqHit, faqHit, faq as faqSchema } from '@apotheca/contract/faqs';

let made = 0;
const nextId = () => {
  made += 1;
  return `${String(made).padStart(8, '0')}-0000-4000-a000-00000000fa90`;
};
const state = { isActive: true, published: true, ...ALWAYS };
const shared = () => ({
  id: nextId(),
  sortOrder: 0,
  ...state,
  version: 3,
  createdBy: null,
  updatedBy: null,
  createdOnUtc: '2026-03-01T08:00:00.000Z',
});

/** An FAQ as the list gives it, checked against the contract. */
export const makeFaq = (fields: Partial<Faq> = {}): Faq =>
  faqSchema.parse({
    ...shared(),
    name: 'Stock counts',
    code: 'STOCK',
    overview: '',
    module: null,
    sectionCount: 0,
    questionCount: 0,
    ...fields,
  });

/** A section as the list gives it, checked against the contract. */
export const makeSection = (faqId: string, fields: Partial<FaqSection> = {}): FaqSection =>
  faqSection.parse({
    ...shared(),
    faqId,
    name: 'Counting',
    code: 'COUNT',
    overview: '',
    icon: '',
    questionCount: 0,
    ...fields,
  });

/** A section with the name of its FAQ. */
export const withFaqName = (section: FaqSection, faqName: string): NamedFaqSection =>
  namedFaqSection.parse({ ...section, faqName });

/** A question as the list gives it, checked against the contract. */
export const makeQuestion = (section: FaqSection, fields: Partial<FaqQuestion> = {}): FaqQuestion =>
  faqQuestion.parse({
    ...shared(),
    faqId: section.faqId,
    sectionId: section.id,
    question: 'How often do we count?',
    answer: '<p>Every <strong>week</strong>.</p>',
    helpful: 0,
    unhelpful: 0,
    ...fields,
  });

/** A search hit, checked against the contract. */
export const makeHit = (fields: Omit<FaqHit, 'excerpt'> & Partial<FaqHit>): FaqHit =>
  faqHit.parse({ excerpt: '', ...fields });

/** A revision as the list gives it, checked against the contract. */
export const makeRevision = (fields: Partial<FaqRevision> = {}): FaqRevision =>
  faqRevision.parse({
    revision: 1,
    verb: 'edit',
    fields: ['name', 'published'],
    by: 'grace',
    onUtc: '2026-03-01T08:00:00.000Z',
    ...fields,
  });

/** What an FAQ was, beside what it is now, checked against the contract. @param past what was different */
export const makeComparison = (
  past: Partial<RevisedContent>,
  present: Partial<RevisedContent> = {},
): ComparedRevision => {
  const content = { name: 'Stock counts', code: 'STOCK', overview: '', module: null, ...state, ...present };
  return comparedRevision.parse({ past: { ...content, ...past }, present: content, version: 3 });
};
