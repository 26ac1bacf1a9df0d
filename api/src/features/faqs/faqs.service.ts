import type { FaqDeletion } from '@apotheca/contract/faq-content';
import type { faqRoutes } from '@apotheca/contract/faqs';
import type { BodyOf } from '@apotheca/contract/route';
import { type Actor, newStamps } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import type { Platform } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { refuseChangedPlan } from '../../plan.ts';
import { noteFaqChange } from './faq-changes.ts';
import { planOf } from './faq-deletion.ts';
import { changeOrder } from './faq-order.ts';
import { editedPeriod, refuseNoPeriod, toColumns, withPeriod } from './faq-period.ts';
import { refuseByConstraint } from './faq-refusals.ts';
import { faqHitsList } from './faq-search.repository.ts';
import { cleanNamedOverview, cleanRichText } from './faq-text.ts';
import {
  deleteFaq as deleteRow,
  faqsList,
  findFaq,
  insertFaq,
  listContentOfFaq,
  lockFaq,
  updateFaq,
} from './faqs.repository.ts';

type Changed = { id: string };

/** All FAQs in their order. */
export const listFaqs = faqsList;

/** The first 100 FAQs, sections and questions that contain a text, FAQs first. */
export const searchFaqs = faqHitsList;

/** Creates an FAQ. @throws AppError invalid, already-exists */
export async function createFaq(
  context: Context,
  actor: Actor,
  { createdBy: _, ...fields }: BodyOf<typeof faqRoutes.create>,
): Promise<Changed> {
  refuseNoPeriod(fields);
  const overview = await cleanRichText(context, 'overview', fields.overview);
  const now = context.now();
  return context.platform
    .transaction()
    .execute(async (trx) => {
      const id = await insertFaq(trx, { ...toColumns(fields), overview, ...newStamps(actor, now) });
      await noteFaqChange(context, trx, actor, {
        entity: 'faqs',
        verb: 'create',
        id,
        changes: { ...fields, overview },
      });
      return { id };
    })
    .catch(refuseByConstraint);
}

/** Changes an FAQ. Fields that the edit does not name stay as they are. @throws AppError not-found, invalid, stale, already-exists */
export async function editFaq(
  context: Context,
  actor: Actor,
  { id, version, updatedBy: _, ...fields }: BodyOf<typeof faqRoutes.edit>,
  verb: 'edit' | 'restore' = 'edit',
): Promise<Changed> {
  const named = { ...fields, overview: await cleanNamedOverview(context, fields.overview) };
  return context.platform
    .transaction()
    .execute(async (trx) => {
      const before = withPeriod(found(await lockFaq(trx, id)));
      await refuseStale(trx, { entity: 'faqs', id, version: before.version, present: before }, version);
      const { overview = before.overview, module = before.module, sortOrder = before.sortOrder } = named;
      const { isActive = before.isActive, published = before.published } = named;
      const period = editedPeriod(before, named);
      const after = { ...named, overview, module, sortOrder, isActive, published, ...period };
      await updateFaq(trx, id, { ...toColumns(after), updatedBy: actor.id, updatedAt: context.now() });
      const changes = changedVersion(before, after);
      await noteFaqChange(context, trx, actor, { entity: 'faqs', verb, id, changes });
      return { id };
    })
    .catch(refuseByConstraint);
}

/** The plan of deleting an FAQ, with the FAQ's name. @throws AppError not-found */
export async function planFaqDeletion({ platform }: Context, id: string): Promise<{ name: string; plan: FaqDeletion }> {
  const { name } = await getFaq(platform, id);
  return { name, plan: planOf(await listContentOfFaq(platform, id)) };
}

/**
 * Deletes an FAQ with its sections and their questions.
 * @param sentPlan digest of the plan that was confirmed
 * @throws AppError not-found, plan-changed
 */
export async function deleteFaq(
  context: Context,
  actor: Actor,
  id: string,
  sentPlan: string | undefined,
): Promise<Changed & { plan: FaqDeletion }> {
  return changeOrder(context.platform, { faqIds: [id] }, async (trx) => {
    const { name, code } = found(await lockFaq(trx, id));
    const content = await listContentOfFaq(trx, id);
    const plan = planOf(content);
    refuseChangedPlan(sentPlan, plan);
    await deleteRow(trx, id);
    await noteFaqChange(context, trx, actor, {
      entity: 'faqs',
      verb: 'delete',
      id,
      changes: { name, code, ...content },
    });
    return { id, plan };
  });
}

/** @throws AppError not-found */
export async function getFaq(platform: Platform, id: string) {
  return found(await findFaq(platform, id));
}

function found<Row>(row: Row | undefined): Row {
  if (!row) throw new AppError('not-found', { message: 'There is no such FAQ.' });
  return row;
}
