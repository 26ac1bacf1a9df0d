import type { FaqTree } from '@apotheca/contract/faqs';
import type { Context } from '../../context.ts';
import { listFaqs, listQuestions, listSections } from './faq-tree.repository.ts';

interface Flags {
  isActive: boolean;
  published: boolean;
}

interface Asked {
  /** Absent: all FAQs. */
  faqId: string | undefined;
  /** Whether the tree includes what readers do not see, with the reason. */
  hidden: boolean;
}

/** FAQs with their sections and questions, as readers see them: published and active, in parents that are so too. */
export async function getFaqTree({ platform }: Context, { faqId, hidden }: Asked): Promise<FaqTree[]> {
  const [faqs, sections, questions] = await Promise.all([
    listFaqs(platform, faqId),
    listSections(platform, faqId),
    listQuestions(platform, faqId),
  ]);
  const sectionsIn = Map.groupBy(sections, (section) => section.faqId);
  const questionsIn = Map.groupBy(questions, (question) => question.sectionId);
  const shown = <Entry extends { hiddenBecause: string | null }>(entries: Entry[]): Entry[] =>
    entries.filter(({ hiddenBecause }) => hidden || hiddenBecause === null);

  return shown(
    faqs.map((faq) => {
      const faqReason = ownReason(faq);
      const within = (sectionsIn.get(faq.id) ?? []).map((section) => {
        const sectionReason = ownReason(section);
        const entries = (questionsIn.get(section.id) ?? []).map((question) => ({
          ...question,
          hiddenBecause: reasonOf(question, ['section', sectionReason], ['FAQ', faqReason]),
        }));
        return { ...section, hiddenBecause: reasonOf(section, ['FAQ', faqReason]), questions: shown(entries) };
      });
      return { ...faq, hiddenBecause: reasonOf(faq), sections: shown(within) };
    }),
  );
}

/** Why readers do not see something, in words: because of its own flags or those of its parents. null if they see it. */
function reasonOf(flags: Flags, ...outside: [name: string, reason: string | undefined][]): string | null {
  const own = ownReason(flags);
  if (own) return own.charAt(0).toUpperCase() + own.slice(1);
  const [hiding] = outside.filter(([, reason]) => reason);
  if (!hiding) return null;
  const [name, reason] = hiding;
  return `Published, but its ${name} is ${reason}`;
}

function ownReason({ isActive, published }: Flags): string | undefined {
  if (!published) return isActive ? 'not published' : 'not published and inactive';
  return isActive ? undefined : 'inactive';
}
