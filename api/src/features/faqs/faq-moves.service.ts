import type { Actor } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { moveAmongSiblings } from '../../db/sibling-order.ts';
import { AppError } from '../../errors.ts';
import { noteFaqChange } from './faq-changes.ts';
import { findParents, noteMove, type Ordered, questionsOf, sectionsOf } from './faq-order.repository.ts';
import { changeOrderTogether } from './faq-order.ts';

interface Move {
  id: string;
  moveUp: boolean;
}

/** Moves a section within its FAQ by one place. @returns whether it moved; the first one does not move up, the last one not down. @throws AppError not-found */
export function moveSection(context: Context, actor: Actor, move: Move): Promise<{ id: string; hasMoved: boolean }> {
  return moveOrdered(context, actor, 'faqSections', move);
}

/** Moves a question within its section by one place. @returns whether it moved; the first one does not move up, the last one not down. @throws AppError not-found */
export function moveQuestion(context: Context, actor: Actor, move: Move): Promise<{ id: string; hasMoved: boolean }> {
  return moveOrdered(context, actor, 'faqQuestions', move);
}

async function moveOrdered(context: Context, actor: Actor, entity: Ordered, { id, moveUp }: Move) {
  for (;;) {
    const { faqId, sectionId } = await getParents(context, entity, id);
    const siblings = sectionId ? questionsOf(sectionId) : sectionsOf(faqId);
    const locked = { faqIds: [faqId], ...(sectionId && { sectionIds: [sectionId] }) };
    const hasMoved = await changeOrderTogether(context.platform, locked, async (trx) => {
      if (!(await moveAmongSiblings(trx, siblings, { id, moveUp }))) {
        // It is the first or last one, or another change has put it into another parent. Then the loop starts again.
        const parents = await findParents(trx, entity, id);
        return parents && (parents.sectionId ?? parents.faqId) === (sectionId ?? faqId) ? false : undefined;
      }
      const after = await noteMove(trx, entity, id, { updatedBy: actor.id, updatedAt: context.now() });
      const before = { sortOrder: after.sortOrder + (moveUp ? 1 : -1), version: after.version - 1 };
      const changes = changedVersion(before, { sortOrder: after.sortOrder });
      await noteFaqChange(context, trx, actor, { entity, verb: moveUp ? 'move-up' : 'move-down', id, changes });
      return true;
    });
    if (hasMoved !== undefined) return { id, hasMoved };
  }
}

async function getParents({ platform }: Context, table: Ordered, id: string) {
  const parents = await findParents(platform, table, id);
  const what = table === 'faqSections' ? 'section' : 'question';
  if (!parents) throw new AppError('not-found', { message: `There is no such ${what}.` });
  return parents;
}
