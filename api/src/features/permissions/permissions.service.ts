import {
  identifierOf,
  type NewPermission,
  type PermissionEdit,
  permissionRoutes,
} from '@apotheca/contract/permissions';
import { type Actor, newStamps } from '../../actor.ts';
import { appendAudit, changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { moveAmongSiblings } from '../../db/sibling-order.ts';
import { AppError, fieldError } from '../../errors.ts';
import { refuseLackedPermissions } from '../users/user-protection.ts';
import { changePermissions } from './permission-change.ts';
import { refuseBuiltInDeletion, refuseBuiltInEdit, refuseMenusInside, refuseOtherKind } from './permission-refusals.ts';
import {
  countChildMenus,
  deletePermissions,
  findFreeIdentifier,
  findPermission,
  grantToAdministrator,
  grantToRoles,
  hasMenuNamed,
  insertPermission,
  isWithinMenu,
  listRoleNamesOf,
  listUnusedIds,
  type PermissionRow,
  permissionsList,
  updatePermission,
} from './permissions.repository.ts';

type Kind = Pick<PermissionRow, 'id' | 'isMenu'>;

/** How many new ids a dialog gets. */
const AVAILABLE_IDS = 10;

/** All permissions, menus among them. */
export const listPermissions = permissionsList;

/** New ids that no permission has. */
export function listAvailableIds(context: Context): Promise<string[]> {
  return listUnusedIds(context.platform, AVAILABLE_IDS);
}

/**
 * Creates a permission or menu and gives it to the Administrator (DECISIONS §10), and to the roles that the caller names.
 * @throws AppError already-exists, invalid; not-allowed if roles are named and the caller does not get it
 */
export async function createPermission(context: Context, actor: Actor, fields: NewPermission): Promise<Kind> {
  const { createdBy: _, roleIds, ...columns } = fields;
  return changePermissions(context, actor, permissionRoutes.create, async (trx) => {
    const now = context.now();
    const parentPermissionId = fields.isMenu ? await findParentId(trx, fields.id, fields.parentPermissionId) : null;
    if (fields.isMenu) await refuseMenuTwin(trx, fields, parentPermissionId);
    const row = await insertPermission(trx, {
      ...columns,
      identifier: await newIdentifier(trx, fields),
      route: fields.isMenu ? fields.route : null,
      icon: fields.isMenu ? fields.icon : null,
      parentPermissionId,
      ...newStamps(actor, now),
    });
    await grantToAdministrator(trx, row.id);
    const roles = roleIds && (await giveToRoles(trx, actor, row.id, roleIds));
    await auditPermission(context, trx, actor, 'create', row, { ...contentOf(row), ...(roles && { roles }) });
    return row;
  });
}

/** @returns the names of all roles that have the permission then @throws AppError not-allowed if the caller does not have it */
async function giveToRoles(trx: Trx, actor: Actor, id: string, roleIds: readonly string[]): Promise<string[]> {
  await refuseLackedPermissions(trx, actor, [id]);
  await grantToRoles(trx, id, roleIds);
  return listRoleNamesOf(trx, id);
}

/**
 * Changes a permission or menu. Fields that the edit does not name stay as they are.
 * @throws AppError not-found, stale, protected, already-exists, invalid
 */
export async function editPermission(context: Context, actor: Actor, edit: PermissionEdit): Promise<Kind> {
  return changePermissions(context, actor, permissionRoutes.edit, async (trx) => {
    const before = await getPermission(trx, edit.id);
    refuseOtherKind(before, edit);
    await refuseStale(trx, { entity: 'permissions', id: before.id, version: before.version }, edit.version);
    const after = await editedColumns(trx, before, edit);
    refuseBuiltInEdit(before, after);
    await updatePermission(trx, before.id, { ...after, updatedBy: actor.id, updatedAt: context.now() });
    await auditPermission(context, trx, actor, 'edit', before, changedVersion(before, after));
    return before;
  });
}

/**
 * Moves a permission within its module, or a menu among its siblings, by one place.
 * @returns whether it moved; the first one does not move up, the last one not down
 * @throws AppError not-found
 */
export async function movePermission(
  context: Context,
  actor: Actor,
  id: string,
  moveUp: boolean,
): Promise<Kind & { hasMoved: boolean }> {
  return changePermissions(context, actor, permissionRoutes.move, async (trx) => {
    const before = await getPermission(trx, id);
    const { isMenu, module, parentPermissionId } = before;
    const shared: Record<string, string | boolean | null> = isMenu
      ? { isMenu, parentPermissionId }
      : { isMenu, module };
    const hasMoved = await moveAmongSiblings(trx, { table: 'permissions', shared }, { id, moveUp });
    if (!hasMoved) return { ...before, hasMoved };
    const { sortOrder } = await updatePermission(trx, before.id, { updatedBy: actor.id, updatedAt: context.now() });
    const action = moveUp ? 'move-up' : 'move-down';
    await auditPermission(context, trx, actor, action, before, changedVersion(before, { sortOrder }));
    return { ...before, hasMoved };
  });
}

/**
 * Deletes a permission, or a menu without menus inside; roles lose it. The audit entry has everything needed to create it again.
 * @throws AppError not-found, protected, in-use
 */
export async function deletePermission(context: Context, actor: Actor, id: string): Promise<Kind> {
  return changePermissions(context, actor, permissionRoutes.delete, async (trx) => {
    const row = await getPermission(trx, id);
    refuseBuiltInDeletion(row);
    refuseMenusInside(row, await countChildMenus(trx, row.id));
    const roles = await listRoleNamesOf(trx, row.id);
    await deletePermissions(trx, [row.id]);
    await auditPermission(context, trx, actor, 'delete', row, { ...row, roles });
    return row;
  });
}

async function getPermission(trx: Trx, id: string): Promise<PermissionRow> {
  const row = await findPermission(trx, id);
  if (!row) throw new AppError('not-found', { message: 'There is no such permission.' });
  return row;
}

/** The fields that people see and change. */
const CONTENT = [
  'name',
  'module',
  'identifier',
  'sortOrder',
  'isActive',
  'route',
  'icon',
  'parentPermissionId',
] as const satisfies (keyof PermissionRow)[];

const contentOf = (row: PermissionRow) => Object.fromEntries(CONTENT.map((field) => [field, row[field]]));

async function editedColumns(trx: Trx, before: PermissionRow, edit: PermissionEdit) {
  const { name, module } = edit;
  const columns = {
    name,
    module,
    sortOrder: edit.sortOrder ?? before.sortOrder,
    identifier: edit.identifier || before.identifier,
    isActive: edit.isActive ?? before.isActive,
  };
  if (!edit.isMenu) return columns;
  const { route, icon, parentPermissionId: parentId = before.parentPermissionId } = edit;
  const parentPermissionId = await findParentId(trx, before.id, parentId);
  // Those that are twins already can be edited otherwise.
  const isPlaced = name === before.name && parentPermissionId === before.parentPermissionId;
  if (!isPlaced) await refuseMenuTwin(trx, edit, parentPermissionId);
  return { ...columns, route, icon, parentPermissionId };
}

/** Refuses a menu where another one of its name stands. @throws AppError already-exists */
async function refuseMenuTwin(trx: Trx, { id, name }: { id: string; name: string }, parentId: string | null) {
  if (!(await hasMenuNamed(trx, id, name, parentId))) return;
  throw fieldError('already-exists', 'name', 'There is a menu with this name already.');
}

/**
 * The identifier of a new permission or menu. If a menu's identifier is made of its name and is taken, it gets a number: menus of one
 * name may have different parents, and a renamed menu keeps its identifier.
 */
async function newIdentifier(trx: Trx, fields: NewPermission): Promise<string> {
  const ofName = identifierOf(fields.name);
  const identifier = fields.identifier || ofName;
  return fields.isMenu && identifier === ofName ? findFreeIdentifier(trx, identifier) : identifier;
}

/** Validates the id of a menu's parent: it must be a menu, and not inside this one. null: a top-level menu. @throws AppError invalid */
async function findParentId(trx: Trx, id: string, parentId: string | null | undefined): Promise<string | null> {
  if (!parentId) return null;
  const parent = await findPermission(trx, parentId);
  if (!parent?.isMenu) throw fieldError('invalid', 'parentPermissionId', 'This parent menu is unknown.');
  if (await isWithinMenu(trx, parent.id, id)) {
    throw fieldError('invalid', 'parentPermissionId', 'A menu cannot be inside itself or a menu inside it.');
  }
  return parent.id;
}

function auditPermission(
  context: Context,
  trx: Trx,
  actor: Actor,
  verb: string,
  { id: entityId, isMenu }: Kind,
  changes: Record<string, unknown>,
): Promise<void> {
  const action = `${isMenu ? 'menus' : 'permissions'}.${verb}`;
  return appendAudit(context, trx, { actor, action, entity: 'permissions', entityId, changes });
}
