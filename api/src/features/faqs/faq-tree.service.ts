import type { FaqTree } from '@apotheca/contract/faqs';
import type { Context } from '../../context.ts';
import { mapResult } from '../../db/json-list.ts';
import { faqTreeList } from './faq-tree.repository.ts';

interface Flags {
  isActive: boolean;
  published: boolean;
  /** Its period has not begun. */
  isEarly: boolean;
  /** Its period has ended. */
  isOver: boolean;
}

/** An entry as it is stored: with its flags, without the reason why it is hidden. */
type Flagged<Entry> = Omit<Entry, 'hiddenBecause' | 'sections' | 'questions'> & Flags;
type StoredSection = Flagged<FaqTree['sections'][number]> & {
  questions: Flagged<FaqTree['sections'][number]['questions'][number]>[];
};
type StoredFaq = Flagged<FaqTree> & { sections: StoredSection[] };

/**
 * FAQs with their sections and questions, as readers see them: published, active and within their period, in parents that are so too. With what is hidden,
 * if that is asked for, and why.
 */
export const faqTree = ({ now }: Context) =>
  mapResult(faqTreeList(now), (faqs: readonly StoredFaq[]): FaqTree[] => faqs.map(explainFaq));

function explainFaq({ sections, ...faq }: StoredFaq): FaqTree {
  const faqReason = ownReason(faq);
  return {
    ...withoutFlags(faq),
    hiddenBecause: reasonOf(faq),
    sections: sections.map(({ questions, ...section }) => {
      const sectionReason = ownReason(section);
      return {
        ...withoutFlags(section),
        hiddenBecause: reasonOf(section, ['FAQ', faqReason]),
        questions: questions.map((question) => ({
          ...withoutFlags(question),
          hiddenBecause: reasonOf(question, ['section', sectionReason], ['FAQ', faqReason]),
        })),
      };
    }),
  };
}

const withoutFlags = <Entry extends Flags>({
  isActive: _,
  published: __,
  isEarly: ___,
  isOver: ____,
  ...entry
}: Entry) => entry;

/** Why readers do not see something, in words: because of its own flags or those of its parents. null if they see it. */
function reasonOf(flags: Flags, ...outside: [name: string, reason: string | undefined][]): string | null {
  const own = ownReason(flags);
  if (own) return own.charAt(0).toUpperCase() + own.slice(1);
  const [hiding] = outside.filter(([, reason]) => reason);
  if (!hiding) return null;
  const [name, reason] = hiding;
  return `Published, but its ${name} is ${reason}`;
}

function ownReason({ isActive, published, isEarly, isOver }: Flags): string | undefined {
  if (!published) return isActive ? 'not published' : 'not published and inactive';
  if (!isActive) return 'inactive';
  if (isEarly) return 'not published yet';
  return isOver ? 'no longer published' : undefined;
}
