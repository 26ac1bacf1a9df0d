import type { Menu } from '@apotheca/contract/menus';
import type { StoredPermission } from '@apotheca/contract/permissions';
import type { Context } from '../../context.ts';
import { mapResult, type TrackedList, whenEmpty } from '../../db/json-list.ts';
import { AppError } from '../../errors.ts';
import { menusList, menusOfRoleList, roleExists } from './menus.repository.ts';

/** All menus as a tree, siblings in their order. */
export const menuTree: TrackedList<unknown> = mapResult(menusList, nestMenus);

/** The active menus of a role, without those inside a menu that the role does not see, as a tree. not-found if there is no such role. */
export const menuTreeOfRole = ({ platform }: Context) =>
  whenEmpty(mapResult(menusOfRoleList, nestMenus), ['roles'], async ({ roleId }) => {
    if (!(await roleExists(platform, roleId))) throw new AppError('not-found', { message: 'There is no such role.' });
  });

/** Puts each menu into its parent. A menu whose parent is missing is left out, with all menus inside it. */
function nestMenus(menus: readonly StoredPermission[]): Menu[] {
  const menusIn = Map.groupBy(menus, ({ parentPermissionId }) => parentPermissionId);
  const nest = (parentId: string | null): Menu[] =>
    (menusIn.get(parentId) ?? []).map((menu) => ({ ...menu, childMenus: nest(menu.id) }));
  return nest(null);
}
