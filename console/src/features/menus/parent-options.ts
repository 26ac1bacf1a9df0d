import type { Permission } from '@apotheca/contract/permissions';

/** A menu that another one can be put into. */
export interface ParentOption {
  id: string;
  /** The names from the top down to it: 'Reports / Stock'. */
  path: string;
  icon: string;
}

/**
 * The menus that can be a menu's parent, as the tree has them: each after the one it is in.
 * @param permissions all of them, siblings in their order
 * @param insideOf a menu that cannot be put into itself or what is inside it
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
