import type { PermissionEdit } from '@apotheca/contract/permissions';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import { AppError, fieldError } from '../../errors.ts';
import type { PermissionRow } from './permissions.repository.ts';

/** Refuses to make a menu of a permission, or a permission of a menu. @throws AppError invalid */
export function refuseOtherKind({ isMenu }: PermissionRow, edit: PermissionEdit): void {
  if (isMenu === (edit.isMenu ?? false)) return;
  throw fieldError('invalid', 'isMenu', isMenu ? 'This is a menu.' : 'This is not a menu.');
}

/** Refuses to change the identifier, module or activity of a built-in permission: the code depends on them. @throws AppError protected */
export function refuseBuiltInEdit(
  before: PermissionRow,
  after: Pick<PermissionRow, 'module' | 'identifier' | 'isActive'>,
): void {
  if (!before.isBuiltIn) return;
  if (!after.isActive) throw builtIn(before, 'be switched off');
  if (after.identifier !== before.identifier) throw builtIn(before, 'get another identifier');
  if (after.module !== before.module) throw builtIn(before, 'get another module');
}

/** @throws AppError protected */
export function refuseBuiltInDeletion(row: PermissionRow): void {
  if (row.isBuiltIn) throw builtIn(row, 'be deleted');
}

/** @throws AppError in-use */
export function refuseMenusInside({ name }: PermissionRow, count: number): void {
  if (count === 0) return;
  const menus = count === 1 ? 'is 1 menu' : `are ${count} menus`;
  throw new AppError('in-use', { message: `There ${menus} inside '${name}'. Move or delete what is inside first.` });
}

/** The refusals of calls that violate constraints of permissions and of what roles have of them. Each names the call's field. */
export const refuseByConstraint = refuseBy({
  permissions__id: () => fieldError('already-exists', 'id', 'This id is used already.'),
  permissions__identifier: () =>
    fieldError('already-exists', 'identifier', 'A permission with this identifier exists already.'),
  role_permissions__role_id: () => fieldError('invalid', 'roleIds', 'This role is unknown.'),
});

function builtIn({ name }: PermissionRow, what: string): AppError {
  return new AppError('protected', { message: `'${name}' is built in: it cannot ${what}.` });
}
