import { type Permission, TOP_MENU_ROUTE } from '@apotheca/contract/permissions';
import { slug } from '../../lib/slug.ts';

type StoredMenu = Pick<Permission, 'name' | 'route' | 'parentPermissionId'>;

/**
 * The route for a menu's name (SPEC §4); empty where the name has neither letter nor digit.
 * @param stored the menu as stored: it keeps its route as long as its name stays the same
 */
export function routeOfName(name: string, stored?: StoredMenu): string {
  const own = stored?.name === name ? stored.route : null;
  if (own && own !== TOP_MENU_ROUTE) return own;
  const words = slug(name);
  return words === '' ? '' : `/${words}`;
}

interface MenuFields {
  name: string;
  parentPermissionId?: string | null | undefined;
}

/**
 * The route to send: '#' without a parent (SPEC §7.3), unless the stored menu is at the top with a route of its own.
 */
export function routeToSend({ name, parentPermissionId }: MenuFields, stored?: StoredMenu): string {
  if (parentPermissionId) return routeOfName(name, stored);
  const isUnchangedTopMenu = stored !== undefined && stored.parentPermissionId === null && stored.name === name;
  return (isUnchangedTopMenu && stored.route) || TOP_MENU_ROUTE;
}
