import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ZodForm } from '../../../components/form/form.tsx';
import { type StaleEdit, useStaleEdit } from '../../../forms/use-stale-edit.tsx';
import { plainText } from '../../../lib/plain-text.ts';
import { useFieldWords } from './use-field-words.ts';

type Labels = typeof import('../../../locales/en-pages.json')['faqs']['fields'];

/** This many characters of a long text are shown. */
const SHOWN_LENGTH = 120;
const RICH_TEXT: readonly string[] = ['overview', 'answer'];
const FOLLOWERS = { faqId: 'sectionId', sectionId: 'faqId' };

export interface ContentStaleEditOptions<Input extends FieldValues, Output> {
  form: ZodForm<Input, Output>;
  version: number | undefined;
  /** The label of each field, by its name. */
  labels: Partial<Record<string, keyof Labels>>;
  /** The name of the FAQ or section with an id. */
  nameOf?: (id: string) => string | undefined;
}

/** Merges other users' changes to an FAQ, section or question into its form, and names them in the form's words. */
export function useContentStaleEdit<Input extends FieldValues, Output>(
  options: ContentStaleEditOptions<Input, Output>,
): StaleEdit {
  const { form, version, labels, nameOf } = options;
  const { t } = useTranslation();
  const fieldWords = useFieldWords();
  function labelOf(field: string): string {
    const name = labels[field];
    return name ? t(`faqs.fields.${name}`) : field;
  }
  function wordsOf(field: string, value: unknown): string | undefined {
    const words = fieldWords(field, value);
    if (words !== undefined || typeof value !== 'string') return words;
    if (RICH_TEXT.includes(field)) return shortened(plainText(value)) || undefined;
    return field === 'question' ? shortened(value) : nameOf?.(value);
  }
  return useStaleEdit({ form, version, labelOf, wordsOf, followers: FOLLOWERS });
}

const shortened = (text: string): string => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
