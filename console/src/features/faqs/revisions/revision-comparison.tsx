import type { ComparedRevision, FaqKind, RevisedContent } from '@apotheca/contract/faq-revisions';
import { useTranslation } from 'react-i18next';
import { FIELD_LABELS } from '../form/field-labels.ts';
import { useFieldWords } from '../form/use-field-words.ts';
import { richTextLines } from './rich-text-lines.ts';
import { TextDiff } from './text-diff.tsx';

type Field = keyof RevisedContent;
type Labels = keyof typeof import('../../../locales/en-pages.json')['faqs']['fields'];

interface RevisionComparisonProps extends Pick<ComparedRevision, 'past' | 'present'> {
  kind: FaqKind;
}

const RICH_TEXT: readonly Field[] = ['overview', 'answer'];
const TEXT: readonly Field[] = ['name', 'code', 'question', ...RICH_TEXT];

/** What is different in a revision and now, field by field. */
export function RevisionComparison({ kind, past, present }: RevisionComparisonProps) {
  const { t } = useTranslation();
  const bothOf = useValues();
  const labels = Object.entries<Labels>(FIELD_LABELS[kind]) as [Field, Labels][];
  const different = labels.filter(([field]) => past[field] !== present[field]);
  if (different.length === 0) return <p>{t('faqs.revisions.same')}</p>;
  return (
    <>
      <p className="text-muted">
        <del>{t('faqs.revisions.struckOut')}</del> {t('faqs.revisions.onlyThen')}{' '}
        <ins>{t('faqs.revisions.underlined')}</ins> {t('faqs.revisions.onlyNow')}
      </p>
      <dl className="faq-comparison">
        {different.map(([field, label]) => {
          const [before, after] = bothOf(field, past[field], present[field]);
          return (
            <div key={field}>
              <dt>{t(`faqs.fields.${label}`)}</dt>
              <dd dir="auto">
                <TextDiff before={before} after={after} isText={TEXT.includes(field)} />
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

/** The two values of a field in words. Rich text whose lines are the same, as with another direction, is compared as HTML. */
function useValues() {
  const { t } = useTranslation();
  const fieldWords = useFieldWords();
  const wordsOf = (field: Field, value: unknown): string => {
    if (TEXT.includes(field)) return String(value ?? '');
    if (field === 'module' && !value) return t('faqs.everybody');
    return fieldWords(field, value) ?? (String(value ?? '') || t('faqs.revisions.none'));
  };
  return (field: Field, past: unknown, present: unknown): [string, string] => {
    const [before, after] = [wordsOf(field, past), wordsOf(field, present)];
    if (!RICH_TEXT.includes(field)) return [before, after];
    const lines: [string, string] = [richTextLines(before), richTextLines(after)];
    return lines[0] === lines[1] ? [before, after] : lines;
  };
}
