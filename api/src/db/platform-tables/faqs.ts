import type { Generated, GeneratedAlways } from 'kysely';
import type { Timestamp } from './timestamps.ts';

/** What FAQs, sections and questions have in common. */
interface Content {
  id: Generated<string>;
  sortOrder: number;
  isActive: boolean;
  published: boolean;
  version: Generated<number>;
  /** Text of a bigint. */
  creationNumber: GeneratedAlways<string>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface Faqs extends Content {
  name: string;
  code: string;
  overview: string;
  overviewText: GeneratedAlways<string>;
}

export interface FaqSections extends Faqs {
  faqId: string;
  icon: string;
}

export interface FaqQuestions extends Content {
  sectionId: string;
  question: string;
  answer: string;
  answerText: GeneratedAlways<string>;
}
