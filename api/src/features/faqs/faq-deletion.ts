import type { FaqDeletion } from '@apotheca/contract/faq-content';
import { digestOf } from '../../plan.ts';
import { counted } from '../../wording.ts';

type Content = Record<'sections' | 'questions', readonly { id: string }[]>;

/** What goes along when an FAQ or a section is deleted, with a digest that names exactly these. */
export function planOf({ sections, questions }: Content): FaqDeletion {
  const ids = [...sections, ...questions].map(({ id }) => id).sort();
  const digest = digestOf(ids);
  return { sections: sections.length, questions: questions.length, digest };
}

/** '2 sections and 9 questions'; empty where there is nothing. */
export function describePlan({ sections, questions }: FaqDeletion): string {
  const parts = [sections > 0 && counted(sections, 'section'), questions > 0 && counted(questions, 'question')];
  return parts.filter(Boolean).join(' and ');
}
