import { VIEW_LIMITS, type View, type ViewList } from '@apotheca/contract/views';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit, changedFields } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import { AppError, fieldError } from '../../errors.ts';
import { requirePermission } from '../auth/callers.service.ts';
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockView,
  lockViewsOf,
  updateView,
} from './views.repository.ts';

interface Fields {
  name: string;
  query: string;
  roleId: string | null;
}

/** The views of a list that somebody has saved, or that are shared with their role. */
export const getViews = ({ platform }: Context, { id }: Pick<Caller, 'id'>, list: ViewList): Promise<View[]> =>
  listViews(platform, id, list);

/** Saves a view. @throws AppError already-exists, conflict when there are too many; not-allowed, invalid for the role */
export async function createView(
  context: Context,
  caller: Caller,
  actor: Actor,
  { list, ...fields }: Fields & { list: ViewList },
): Promise<{ id: string }> {
  await requireSharing(context, caller, actor, fields);
  return context.platform
    .transaction()
    .execute(async (trx) => {
      await lockViewsOf(trx, caller.id);
      if ((await countViews(trx, caller.id, list)) >= VIEW_LIMITS.perList)
        throw new AppError('conflict', {
          message: `You have ${VIEW_LIMITS.perList} views of this list already: please delete one of them first.`,
        });
      const id = await insertView(trx, { ...fields, list, ownerId: caller.id, createdAt: context.now() });
      const event = { actor, action: 'account.create-view', entity: 'views', entityId: id };
      await appendAudit(context, trx, { ...event, changes: { list, ...fields } });
      return { id };
    })
    .catch(refuseByConstraint);
}

/** Changes what is given of a view of one's own. @throws AppError not-found, already-exists, not-allowed, invalid */
export async function editView(
  context: Context,
  caller: Caller,
  actor: Actor,
  { id, ...changes }: Partial<Fields> & { id: string },
): Promise<{ id: string }> {
  const { roleId: sharedWith = (await findView(context.platform, id))?.roleId ?? null } = changes;
  await requireSharing(context, caller, actor, { roleId: sharedWith });
  return context.platform
    .transaction()
    .execute(async (trx) => {
      const before = (await lockView(trx, id, caller.id)) ?? refuseUnknown();
      const { name = before.name, query = before.query, roleId = before.roleId } = changes;
      const fields = { name, query, roleId };
      await updateView(trx, id, fields);
      const event = { actor, action: 'account.edit-view', entity: 'views', entityId: id };
      await appendAudit(context, trx, { ...event, changes: changedFields({ ...before }, fields) });
      return { id };
    })
    .catch(refuseByConstraint);
}

/** Deletes a view of one's own, or one that is shared where the caller may share. @throws AppError not-found, not-allowed */
export async function removeView(context: Context, caller: Caller, actor: Actor, id: string): Promise<{ id: string }> {
  const { ownerId, roleId } = (await findView(context.platform, id)) ?? refuseUnknown();
  const isOwn = ownerId === caller.id;
  if (!isOwn) await requireSharing(context, caller, actor, { roleId });
  await context.platform.transaction().execute(async (trx) => {
    const view = await lockView(trx, id, ownerId);
    if (!view || (!isOwn && view.roleId === null)) refuseUnknown();
    const { list, name } = view;
    await deleteView(trx, id);
    const event = { actor, action: 'account.delete-view', entity: 'views', entityId: id };
    await appendAudit(context, trx, { ...event, changes: { list, name } });
  });
  return { id };
}

/** A shared view stands on the screens of others: who may change roles may put it there, and take it away. */
async function requireSharing(
  context: Context,
  caller: Caller,
  actor: Actor,
  { roleId }: Pick<Fields, 'roleId'>,
): Promise<void> {
  if (roleId !== null) await requirePermission(context, caller, actor, 'permissions.write');
}

function refuseUnknown(): never {
  throw new AppError('not-found', { message: 'You have no such view.' });
}

const refuseByConstraint = refuseBy({
  saved_views__owner_id__list__name: () =>
    fieldError('already-exists', 'name', 'You have a view with this name already.'),
  saved_views__role_id: () => fieldError('invalid', 'roleId', 'This role is unknown.'),
});
