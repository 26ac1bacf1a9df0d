import type { FaqDeletion } from '@apotheca/contract/faq-content';
import { digestOf } from '../../plan.ts';
import { counted } from '../../wording.ts';

type Content = Record<'sections' | 'questions', readonly { id: string }[]>;

/** The plan of deleting an FAQ or a section: the sections and questions that are deleted with it, with a digest of their ids. */
export function planOf({ sections, questions }: Content): FaqDeletion {
  const ids = [...sections, ...questions].map(({ id }) => id).sort();
  const digest = digestOf(ids);
  return { sections: sections.length, questions: questions.length, digest };
}

/** The counts of a plan in words: '2 sections and 9 questions'. Empty if there are none. */
export function describePlan({ sections, questions }: FaqDeletion): string {
  const parts = [sections > 0 && counted(sections, 'section'), questions > 0 && counted(questions, 'question')];
  return parts.filter(Boolean).join(' and ');
}
