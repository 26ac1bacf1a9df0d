import { createHash } from 'node:crypto';
import type { FaqDeletion } from '@apotheca/contract/faq-content';

type Content = Record<'sections' | 'questions', readonly { id: string }[]>;

/** What goes along when an FAQ or a section is deleted, with a digest that names exactly these. */
export function planOf({ sections, questions }: Content): FaqDeletion {
  const ids = [...sections, ...questions].map(({ id }) => id).sort();
  const digest = createHash('sha256').update(ids.join()).digest('base64url');
  return { sections: sections.length, questions: questions.length, digest };
}

/** '2 sections and 9 questions'; empty where there is nothing. */
export function describePlan({ sections, questions }: FaqDeletion): string {
  const parts = [counted(sections, 'section'), counted(questions, 'question')];
  return parts.filter((part) => part !== '').join(' and ');
}

const counted = (count: number, word: string): string =>
  count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
