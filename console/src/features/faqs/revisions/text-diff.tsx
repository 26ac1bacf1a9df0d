import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

type Part = Pick<ChangeObject<string>, 'value' | 'added' | 'removed'>;

/** Milliseconds after which a comparison by words gives up, and then one by lines. */
const LIMIT = { timeout: 500 };
/** Characters of equal text that stand on each side of what is different. */
const AROUND = 200;

interface TextDiffProps {
  before: string;
  after: string;
  /** It is compared by words; absent: as a whole. */
  isText?: boolean;
}

/** A text as it was and as it is, in one: what is gone is struck out, what came is underlined. */
export function TextDiff({ before, after, isText = false }: TextDiffProps) {
  const { t } = useTranslation();
  const parts = useMemo(() => (isText ? diffOf(before, after) : wholeOf(before, after)), [before, after, isText]);
  return parts.map(({ value, added, removed }, index) => {
    const key = `${index} ${value.length}`;
    if (added || removed) {
      const Element = added ? 'ins' : 'del';
      return (
        <Element key={key}>
          <span className="visually-hidden">{t(added ? 'faqs.revisions.added' : 'faqs.revisions.removed')} </span>
          {value}
        </Element>
      );
    }
    return <span key={key}>{shortened(value, index === 0, index === parts.length - 1)}</span>;
  });
}

const wholeOf = (before: string, after: string): Part[] => [
  { value: before, removed: true, added: false },
  { value: after, added: true, removed: false },
];

const diffOf = (before: string, after: string): Part[] =>
  diffWordsWithSpace(before, after, LIMIT) ?? diffLines(before, after, LIMIT) ?? wholeOf(before, after);

/** Equal text, of which only what is next to differences stays. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  if (text.length <= 2 * AROUND) return text;
  return `${text.slice(0, head)} … ${tail > 0 ? text.slice(-tail) : ''}`.toWellFormed();
}
