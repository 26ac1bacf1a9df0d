import { type Menu, menu as menuSchema } from '@apotheca/contract/menus';
import {
  MENU_MODULE,
  type Permission,
  type PermissionSync,
  permission as permissionSchema,
  permissionSync,
} from '@apotheca/contract/permissions';

export const AVAILABLE_IDS = ['00000000-0000-4000-a000-0000000000f1', '00000000-0000-4000-a000-0000000000f2'];

let made = 0;

/** A permission as the list gives it, checked against the contract. */
export function makePermission(fields: Partial<Permission> = {}): Permission {
  made += 1;
  return permissionSchema.parse({
    id: `${String(made).padStart(8, '0')}-0000-4000-a000-000000000001`,
    name: `Permission ${made}`,
    module: 'Inventory',
    identifier: `permission${made}`,
    sortOrder: made,
    isActive: true,
    isMenu: false,
    icon: null,
    route: null,
    parentPermissionId: null,
    isBuiltIn: false,
    isFirst: false,
    isLast: false,
    version: 3,
    createdBy: null,
    updatedBy: null,
    ...fields,
  });
}

/**
 * A menu as the tree and the list give it, checked against the contract; the menus inside it get it as their parent.
 */
export function makeMenu(name: string, fields: Partial<Menu> = {}): Menu {
  const base = makePermission({ name, module: MENU_MODULE, isMenu: true, icon: 'folder', route: '#' });
  const menu = { ...base, childMenus: [], ...fields };
  const childMenus = menu.childMenus.map((child) => ({ ...child, parentPermissionId: menu.id }));
  return menuSchema.parse({ ...menu, childMenus });
}

/** All menus of a tree, as the list of permissions has them. */
export const listedMenus = (menus: readonly Menu[]): Permission[] =>
  menus.flatMap(({ childMenus, ...menu }, index) => [
    { ...menu, isFirst: index === 0, isLast: index === menus.length - 1 },
    ...listedMenus(childMenus),
  ]);

/** The result of a sync; by default nothing was changed. */
export function makeSync(permissions: PermissionSync['permissions'] = []): PermissionSync {
  const having = (outcome: string) => permissions.filter((permission) => permission.outcome === outcome);
  return permissionSync.parse({
    added: having('added').length,
    changed: having('changed').length,
    removed: having('removed').length,
    kept: having('kept').map(({ identifier }) => identifier),
    permissions,
  });
}
