import type { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import type { BodyOf } from '@apotheca/contract/route';
import { type Actor, newStamps } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import { whenEmpty } from '../../db/json-list.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { numberSiblings } from '../../db/sibling-order.ts';
import { AppError, fieldError } from '../../errors.ts';
import { noteFaqChange } from './faq-changes.ts';
import { questionsOf } from './faq-order.repository.ts';
import { changeOrder, newSortOrder, settleIn } from './faq-order.ts';
import { editedPeriod, refuseNoPeriod, toColumns, withPeriod } from './faq-period.ts';
import { cleanRichText } from './faq-text.ts';
import {
  deleteQuestion as deleteRow,
  findQuestion,
  insertQuestion,
  type QuestionRow,
  questionsList,
  updateQuestion,
} from './questions.repository.ts';
import { findSection } from './sections.repository.ts';
import { getSection } from './sections.service.ts';

type Changed = { id: string };
/** A section and its FAQ. */
type Place = { faqId: string; sectionId: string };

const entity = 'faqQuestions';

/** The questions of a section in their order. not-found if there is no such section. */
export const listQuestions = ({ platform }: Context) =>
  whenEmpty(questionsList, ['faq_sections'], ({ sectionId }) => getSection(platform, sectionId));

/**
 * Creates a question: after those whose sort order is not larger, or at the end if it has the default one.
 * @throws AppError invalid
 */
export async function createQuestion(
  context: Context,
  actor: Actor,
  { createdBy: _, faqId, ...fields }: BodyOf<typeof faqQuestionRoutes.create>,
): Promise<Changed> {
  refuseNoPeriod(fields);
  const answer = await cleanRichText(context, 'answer', fields.answer);
  const { sectionId } = fields;
  const now = context.now();
  return changeOrder(context.platform, { faqIds: [faqId], sectionIds: [sectionId] }, async (trx) => {
    await refuseForeignSection(trx, { faqId, sectionId });
    const row = { ...fields, answer, sortOrder: newSortOrder(fields.sortOrder) };
    const id = await insertQuestion(trx, { ...toColumns(row), ...newStamps(actor, now) });
    const sortOrder = await settleIn(trx, id, questionsOf(sectionId));
    await noteFaqChange(context, trx, actor, { entity, verb: 'create', id, changes: { faqId, ...row, sortOrder } });
    return { id };
  });
}

/**
 * Changes a question, which may move to another section. Fields that the edit does not name stay as they are.
 * @throws AppError not-found, invalid, stale
 */
export async function editQuestion(
  context: Context,
  actor: Actor,
  { id, version, updatedBy: _, faqId, ...fields }: BodyOf<typeof faqQuestionRoutes.edit>,
  verb: 'edit' | 'restore' = 'edit',
): Promise<Changed> {
  const answer = await cleanRichText(context, 'answer', fields.answer);
  const to = { faqId, sectionId: fields.sectionId };
  return changeQuestion(context, id, to, async (trx, row) => {
    const before = withPeriod(row);
    await refuseStale(trx, { entity, id, version: before.version, present: before }, version);
    await refuseForeignSection(trx, to);
    const { isActive = before.isActive, published = before.published, sortOrder: typed = before.sortOrder } = fields;
    const after = { ...fields, answer, isActive, published, sortOrder: typed, ...editedPeriod(before, fields) };
    await updateQuestion(trx, id, { ...toColumns(after), updatedBy: actor.id, updatedAt: context.now() });
    const sortOrder = await settleIn(trx, id, questionsOf(to.sectionId), questionsOf(before.sectionId));
    const changes = changedVersion(before, { ...after, sortOrder, faqId });
    await noteFaqChange(context, trx, actor, { entity, verb, id, changes });
    return { id };
  });
}

/** Deletes a question with its answer. @throws AppError not-found */
export async function deleteQuestion(context: Context, actor: Actor, id: string): Promise<Changed> {
  return changeQuestion(context, id, undefined, async (trx, { faqId, sectionId, question, answer }) => {
    await deleteRow(trx, id);
    await numberSiblings(trx, questionsOf(sectionId));
    const changes = { faqId, sectionId, question, answer };
    await noteFaqChange(context, trx, actor, { entity, verb: 'delete', id, changes });
    return { id };
  });
}

/** @throws AppError not-found */
export async function getQuestion(platform: Platform, id: string): Promise<QuestionRow> {
  const row = await findQuestion(platform, id);
  if (!row) throw new AppError('not-found', { message: 'There is no such question.' });
  return row;
}

/** @throws AppError invalid */
async function refuseForeignSection(trx: Trx, { faqId, sectionId }: Place): Promise<void> {
  const section = await findSection(trx, sectionId);
  if (section?.faqId === faqId) return;
  throw fieldError('invalid', 'sectionId', section ? 'This section is in another FAQ.' : 'This section is unknown.');
}

/**
 * Runs a change of a question in a transaction, under the locks of its section and of the one that it moves to. If another change has
 * moved the question before the locks are taken, it starts again.
 */
async function changeQuestion<T>(
  context: Context,
  id: string,
  to: Place | undefined,
  work: (trx: Trx, before: QuestionRow) => Promise<T>,
): Promise<T> {
  for (;;) {
    const seen = await getQuestion(context.platform, id);
    const { faqId, sectionId } = to ?? seen;
    const places = { faqIds: [seen.faqId, faqId], sectionIds: [seen.sectionId, sectionId] };
    const done = await changeOrder(context.platform, places, async (trx) => {
      const before = await getQuestion(trx, id);
      const isThere = before.sectionId === seen.sectionId && before.faqId === seen.faqId;
      return isThere ? { value: await work(trx, before) } : undefined;
    });
    if (done) return done.value;
  }
}
