import type { Generated, GeneratedAlways } from 'kysely';
import type { OptionalTimestamp, Timestamp } from './column-types.ts';

/** FAQ content and its earlier versions. */
export interface FaqTables {
  faqs: Faqs;
  faqImages: FaqImages;
  faqSections: FaqSections;
  faqQuestions: FaqQuestions;
  faqRevisions: FaqRevisions;
}

/** What FAQs, sections and questions have in common. */
interface Content {
  id: Generated<string>;
  sortOrder: number;
  isActive: boolean;
  published: boolean;
  publishAt: OptionalTimestamp;
  publishUntil: OptionalTimestamp;
  version: Generated<number>;
  /** Text of a bigint. */
  creationNumber: GeneratedAlways<string>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface NamedContent extends Content {
  name: string;
  code: string;
  overview: string;
  overviewText: GeneratedAlways<string>;
}

interface Faqs extends NamedContent {
  module: string | null;
}

interface FaqImages {
  hash: string;
  bytes: Buffer;
  width: number;
  height: number;
  createdBy: string | null;
  createdAt: Timestamp;
  unusedSince: OptionalTimestamp;
}

interface FaqSections extends NamedContent {
  faqId: string;
  icon: string;
}

interface FaqQuestions extends Content {
  sectionId: string;
  question: string;
  answer: string;
  answerText: GeneratedAlways<string>;
}

interface FaqRevisions {
  faqId: string | null;
  sectionId: string | null;
  questionId: string | null;
  version: number;
  verb: string;
  fields: string[];
  content: unknown;
  actorName: string;
  at: Timestamp;
}
