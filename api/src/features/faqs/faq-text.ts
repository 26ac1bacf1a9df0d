import { questionForm } from '@apotheca/contract/faq-questions';
import { faqForm } from '@apotheca/contract/faqs';
import type { Context } from '../../context.ts';
import { AppError, fieldError } from '../../errors.ts';
import { sanitizeRichText } from '../../rich-text/rich-text.ts';
import { hasPictures } from './images/images.service.ts';

const FIELDS = {
  overview: { label: 'Overview', schema: faqForm.shape.overview },
  answer: { label: 'Answer', schema: questionForm.shape.answer },
};

/**
 * Sanitizes the rich text of a field, and validates the result again, because sanitizing may make a text empty or longer.
 * @returns the text to store
 * @throws AppError invalid
 */
export async function cleanRichText(context: Context, field: keyof typeof FIELDS, html: string): Promise<string> {
  const { label, schema } = FIELDS[field];
  const clean = await sanitizeRichText(html);
  if (clean === undefined) {
    throw fieldError('invalid', field, `${label} is too complex to be checked. Please simplify it.`);
  }
  const { data, error } = schema.safeParse(clean);
  if (error) throw new AppError('invalid', { errors: { [field]: error.issues.map(({ message }) => message) } });
  if (!(await hasPictures(context, data))) {
    throw fieldError('invalid', field, `${label} has a picture that is not stored here. Please upload it again.`);
  }
  return data;
}

/** As {@link cleanRichText}, for the overview of an edit; undefined if the edit does not name it. @throws AppError invalid */
export async function cleanNamedOverview(context: Context, html: string | undefined): Promise<string | undefined> {
  return html === undefined ? undefined : cleanRichText(context, 'overview', html);
}
