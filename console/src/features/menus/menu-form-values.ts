import type { Menu } from '@apotheca/contract/menus';
import { MENU_MODULE } from '@apotheca/contract/permissions';
import type { MenuFormInput } from './menu-form-types.ts';
import { routeOfName } from './menu-route.ts';

/** The initial values of a menu's form. */
export const menuValues = (menu: Menu): MenuFormInput => ({
  id: menu.id,
  name: menu.name,
  route: routeOfName(menu.name, menu),
  icon: menu.icon ?? '',
  sortOrder: menu.sortOrder,
  identifier: menu.identifier,
  parentPermissionId: menu.parentPermissionId ?? '',
  module: MENU_MODULE,
  isMenu: true,
  isActive: menu.isActive,
});

/**
 * The initial values of a new menu's form, with the first free id (SPEC §3).
 * @param parent the menu that will contain it, and whose icon it gets (SPEC §4)
 */
export const newMenuValues = ([id = '']: readonly string[], parent?: Menu): MenuFormInput => ({
  id,
  name: '',
  route: '',
  icon: parent?.icon ?? '',
  sortOrder: 0,
  identifier: '',
  parentPermissionId: parent?.id ?? '',
  module: MENU_MODULE,
  isMenu: true,
  isActive: true,
  roleIds: [],
});
