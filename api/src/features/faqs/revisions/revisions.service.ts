import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import type { ComparedRevision, faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import type { BodyOf, QueryOf } from '@apotheca/contract/route';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { whenEmpty } from '../../../db/json-list.ts';
import type { Platform } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { editFaq, getFaq } from '../faqs.service.ts';
import { editQuestion, getQuestion } from '../questions.service.ts';
import { editSection, getSection } from '../sections.service.ts';
import { findCompared, type RevisedRecord, revisionsList } from './revisions.repository.ts';

const RECORD_TABLES = ['faqs', 'faq_sections', 'faq_questions'];
const GET = { faq: getFaq, section: getSection, question: getQuestion };
const getRecord = (platform: Platform, { kind, id }: RevisedRecord) => GET[kind](platform, id);

/** The revisions of an FAQ, section or question, newest first. not-found if there is no such record. */
export const listRevisions = ({ platform }: Context) =>
  whenEmpty(revisionsList, RECORD_TABLES, (record) => getRecord(platform, record));

/** A revision beside what the record is now. @throws AppError not-found */
export async function compareRevision(
  { platform }: Context,
  asked: QueryOf<typeof faqRevisionRoutes.compare>,
): Promise<ComparedRevision> {
  const compared = await findCompared(platform, asked);
  if (compared) return compared;
  await getRecord(platform, asked);
  throw new AppError('not-found', { message: 'There is no such revision, or no longer.' });
}

/**
 * Makes an FAQ, section or question what it was, where it is now: an edit with all that an edit is refused for.
 * @throws AppError not-found, invalid, stale, already-exists
 */
export async function restoreRevision(
  context: Context,
  actor: Actor,
  { kind, id, revision, version }: BodyOf<typeof faqRevisionRoutes.restore>,
): Promise<{ id: string }> {
  const { past } = await compareRevision(context, { kind, id, revision });
  const edit = { ...past, id, version };
  switch (kind) {
    case 'faq':
      return editFaq(context, actor, validated(faqRoutes.edit.body, edit), 'restore');
    case 'section': {
      const { faqId } = await getSection(context.platform, id);
      return editSection(context, actor, validated(faqSectionRoutes.edit.body, { ...edit, faqId }), 'restore');
    }
    case 'question': {
      const { faqId, sectionId } = await getQuestion(context.platform, id);
      const place = { faqId, sectionId };
      return editQuestion(context, actor, validated(faqQuestionRoutes.edit.body, { ...edit, ...place }), 'restore');
    }
  }
}

/** What was valid once may be no more. @throws AppError invalid */
function validated<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const errors = z.flattenError(error).fieldErrors as Record<string, string[]>;
  throw new AppError('invalid', { errors, message: Object.values(errors)[0]?.[0] ?? '' });
}
