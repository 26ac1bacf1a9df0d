import type { Actor } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { auditFaqChange } from './faq-audit.ts';
import { moveInOrder } from './in-order.ts';
import { findParents, questionsOf, type Siblings, sectionsOf, swapWithNeighbour } from './sibling-places.repository.ts';

interface Move {
  id: string;
  moveUp: boolean;
}

/** Moves a section within its FAQ by one place. @returns whether it moved: at the edge it stays. @throws AppError not-found */
export function moveSection(context: Context, actor: Actor, move: Move): Promise<{ id: string; hasMoved: boolean }> {
  return moveSibling(context, actor, 'faqSections', move);
}

/** Moves a question within its section by one place. @returns whether it moved: at the edge it stays. @throws AppError not-found */
export function moveQuestion(context: Context, actor: Actor, move: Move): Promise<{ id: string; hasMoved: boolean }> {
  return moveSibling(context, actor, 'faqQuestions', move);
}

async function moveSibling(context: Context, actor: Actor, entity: Siblings['table'], { id, moveUp }: Move) {
  for (;;) {
    const { faqId, sectionId } = await getParents(context, entity, id);
    const siblings = sectionId ? questionsOf(sectionId) : sectionsOf(faqId);
    const places = { faqIds: [faqId], ...(sectionId && { sectionIds: [sectionId] }) };
    const hasMoved = await moveInOrder(context.platform, places, async (trx) => {
      const after = await swapWithNeighbour(trx, siblings, { id, moveUp, by: actor.id, at: context.now() });
      if (!after) {
        // At the edge; or in another parent by now, where it is looked for anew.
        const parents = await findParents(trx, entity, id);
        return parents && (parents.sectionId ?? parents.faqId) === siblings.parentId ? false : undefined;
      }
      const before = { sortOrder: after.sortOrder + (moveUp ? 1 : -1), version: after.version - 1 };
      const changes = changedVersion(before, { sortOrder: after.sortOrder });
      await auditFaqChange(context, trx, actor, { entity, verb: moveUp ? 'move-up' : 'move-down', id, changes });
      return true;
    });
    if (hasMoved !== undefined) return { id, hasMoved };
  }
}

async function getParents({ platform }: Context, table: Siblings['table'], id: string) {
  const parents = await findParents(platform, table, id);
  const what = table === 'faqSections' ? 'section' : 'question';
  if (!parents) throw new AppError('not-found', { message: `There is no such ${what}.` });
  return parents;
}
