import type { FaqDeletion } from '@apotheca/contract/faq-content';
import type { faqSectionRoutes, NamedFaqSection } from '@apotheca/contract/faq-sections';
import type { BodyOf } from '@apotheca/contract/route';
import { type Actor, newStamps } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import { whenEmpty } from '../../db/json-list.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { numberSiblings } from '../../db/sibling-order.ts';
import { AppError } from '../../errors.ts';
import { refuseChangedPlan } from '../../plan.ts';
import { noteFaqChange } from './faq-changes.ts';
import { planOf } from './faq-deletion.ts';
import { sectionsOf } from './faq-order.repository.ts';
import { changeOrder, newSortOrder, settleIn } from './faq-order.ts';
import { editedPeriod, refuseNoPeriod, toColumns, withPeriod } from './faq-period.ts';
import { refuseByConstraint } from './faq-refusals.ts';
import { cleanNamedOverview, cleanRichText } from './faq-text.ts';
import { getFaq } from './faqs.service.ts';
import {
  deleteSection as deleteRow,
  findNamedSection,
  findSection,
  insertSection,
  listContentOfSection,
  type SectionRow,
  sectionsList,
  updateSection,
} from './sections.repository.ts';

type Changed = { id: string };

const entity = 'faqSections';

/** The sections of an FAQ in their order. not-found if there is no such FAQ. */
export const listSections = ({ platform }: Context) =>
  whenEmpty(sectionsList, ['faqs'], ({ faqId }) => getFaq(platform, faqId));

/** A section with the name of its FAQ. @throws AppError not-found */
export async function getNamedSection({ platform }: Context, id: string): Promise<NamedFaqSection> {
  return found(await findNamedSection(platform, id));
}

/**
 * Creates a section: after those whose sort order is not larger, or at the end if it has the default one.
 * @throws AppError invalid, already-exists
 */
export async function createSection(
  context: Context,
  actor: Actor,
  { createdBy: _, ...fields }: BodyOf<typeof faqSectionRoutes.create>,
): Promise<Changed> {
  refuseNoPeriod(fields);
  const overview = await cleanRichText(context, 'overview', fields.overview);
  const now = context.now();
  return changeOrder(context.platform, { faqIds: [fields.faqId] }, async (trx) => {
    const row = { ...fields, overview, sortOrder: newSortOrder(fields.sortOrder) };
    const id = await insertSection(trx, { ...toColumns(row), ...newStamps(actor, now) });
    const sortOrder = await settleIn(trx, id, sectionsOf(fields.faqId));
    await noteFaqChange(context, trx, actor, { entity, verb: 'create', id, changes: { ...row, sortOrder } });
    return { id };
  }).catch(refuseByConstraint);
}

/**
 * Changes a section, which may move to another FAQ. Fields that the edit does not name stay as they are.
 * @throws AppError not-found, invalid, stale, already-exists
 */
export async function editSection(
  context: Context,
  actor: Actor,
  { id, version, updatedBy: _, ...fields }: BodyOf<typeof faqSectionRoutes.edit>,
  verb: 'edit' | 'restore' = 'edit',
): Promise<Changed> {
  const named = { ...fields, overview: await cleanNamedOverview(context, fields.overview) };
  return changeSection(context, id, fields.faqId, async (trx, row) => {
    const before = withPeriod(row);
    await refuseStale(trx, { entity, id, version: before.version, present: before }, version);
    const { overview = before.overview, icon = before.icon } = named;
    const { isActive = before.isActive, published = before.published, sortOrder: typed = before.sortOrder } = named;
    const period = editedPeriod(before, named);
    const after = { ...named, overview, icon, isActive, published, sortOrder: typed, ...period };
    await updateSection(trx, id, { ...toColumns(after), updatedBy: actor.id, updatedAt: context.now() });
    const sortOrder = await settleIn(trx, id, sectionsOf(named.faqId), sectionsOf(before.faqId));
    const changes = changedVersion(before, { ...after, sortOrder });
    await noteFaqChange(context, trx, actor, { entity, verb, id, changes });
    return { id };
  });
}

/** The plan of deleting a section, with the section's name. @throws AppError not-found */
export async function planSectionDeletion(
  { platform }: Context,
  id: string,
): Promise<{ name: string; plan: FaqDeletion }> {
  const { name } = await getSection(platform, id);
  return { name, plan: planOf({ sections: [], questions: await listContentOfSection(platform, id) }) };
}

/**
 * Deletes a section with its questions.
 * @param sentPlan digest of the plan that was confirmed
 * @throws AppError not-found, plan-changed
 */
export async function deleteSection(
  context: Context,
  actor: Actor,
  id: string,
  sentPlan: string | undefined,
): Promise<Changed & { plan: FaqDeletion }> {
  return changeSection(context, id, undefined, async (trx, { faqId, name, code }) => {
    const questions = await listContentOfSection(trx, id);
    const plan = planOf({ sections: [], questions });
    refuseChangedPlan(sentPlan, plan);
    await deleteRow(trx, id);
    await numberSiblings(trx, sectionsOf(faqId));
    const changes = { faqId, name, code, questions };
    await noteFaqChange(context, trx, actor, { entity, verb: 'delete', id, changes });
    return { id, plan };
  });
}

/** @throws AppError not-found */
export async function getSection(platform: Platform, id: string): Promise<SectionRow> {
  return found(await findSection(platform, id));
}

function found<Row>(row: Row | undefined): Row {
  if (!row) throw new AppError('not-found', { message: 'There is no such section.' });
  return row;
}

/**
 * Runs a change of a section in a transaction, under the locks of its FAQ and of the one that it moves to. If another change has moved
 * the section before the locks are taken, it starts again.
 */
async function changeSection<T>(
  context: Context,
  id: string,
  toFaqId: string | undefined,
  work: (trx: Trx, before: SectionRow) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { faqId } = await getSection(context.platform, id);
    const done = await changeOrder(context.platform, { faqIds: [faqId, toFaqId ?? faqId] }, async (trx) => {
      const before = await getSection(trx, id);
      return before.faqId === faqId ? { value: await work(trx, before) } : undefined;
    }).catch(refuseByConstraint);
    if (done) return done.value;
  }
}
