import type { Menu } from '@apotheca/contract/menus';
import type { StoredPermission } from '@apotheca/contract/permissions';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { listActiveMenusOfRole, listMenus, roleExists } from './menus.repository.ts';

/** All menus as a tree, siblings in their order. */
export async function getMenuTree(context: Context): Promise<Menu[]> {
  return nestMenus(await listMenus(context.platform));
}

/** The active menus of a role, without those inside a menu that the role does not see, as a tree. @throws AppError not-found */
export async function getMenuTreeOfRole(context: Context, roleId: string): Promise<Menu[]> {
  const menus = await listActiveMenusOfRole(context.platform, roleId);
  if (menus.length === 0 && !(await roleExists(context.platform, roleId))) {
    throw new AppError('not-found', { message: 'There is no such role.' });
  }
  return nestMenus(menus);
}

/** Puts each menu into its parent. A menu whose parent is missing is left out, with all menus inside it. */
function nestMenus(menus: readonly StoredPermission[]): Menu[] {
  const menusIn = Map.groupBy(menus, ({ parentPermissionId }) => parentPermissionId);
  const nest = (parentId: string | null): Menu[] =>
    (menusIn.get(parentId) ?? []).map((menu) => ({ ...menu, childMenus: nest(menu.id) }));
  return nest(null);
}
