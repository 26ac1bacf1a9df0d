import type { Menu } from '@apotheca/contract/menus';
import { MENU_MODULE } from '@apotheca/contract/permissions';
import type { MenuFormInput } from './menu-form-types.ts';
import { routeOfName } from './menu-route.ts';

/** What the form of a menu begins with. */
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
 * What the form of a new menu begins with: the first of the ids that nobody uses (SPEC §3).
 * @param parent the menu it is to be put into, whose icon it takes over (SPEC §4)
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
});
