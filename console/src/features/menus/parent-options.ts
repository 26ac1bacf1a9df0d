import type { Permission } from '@apotheca/contract/permissions';

/** A menu that can contain others. */
export interface ParentOption {
  id: string;
  /** The names from the top down to this menu: 'Reports / Stock'. */
  path: string;
  icon: string;
}

/**
 * The menus that can be a menu's parent, in the order of the tree: each after the one that contains it.
 * @param permissions all of them, siblings in their order
 * @param insideOf a menu that can be moved neither into itself nor into a menu inside it
 */
export function parentOptions(permissions: readonly Permission[], insideOf?: string): ParentOption[] {
  const menusIn = Map.groupBy(
    permissions.filter(({ isMenu, id }) => isMenu && id !== insideOf),
    ({ parentPermissionId }) => parentPermissionId,
  );
  const below = (parentId: string | null, names: readonly string[]): ParentOption[] =>
    (menusIn.get(parentId) ?? []).flatMap(({ id, name, icon }) => {
      const path = [...names, name];
      return [{ id, path: path.join(' / '), icon: icon ?? '' }, ...below(id, path)];
    });
  return below(null, []);
}
