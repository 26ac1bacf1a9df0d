import type { Permission } from '@apotheca/contract/permissions';
import { useMemo } from 'react';
import { useListPermissionsQuery } from '../../api/permissions.ts';

const NONE: readonly Permission[] = [];

/** All permissions and menus, and the names of some of them by their identifiers. */
export function usePermissions() {
  const { data, error, isFetching, refetch } = useListPermissionsQuery({ sortColumn: 'module', sortDirection: 'asc' });
  const permissions = data ?? NONE;
  const nameOf = useMemo(() => {
    const names = new Map(permissions.map(({ identifier, name }) => [identifier, name]));
    return (identifier: string) => names.get(identifier) ?? identifier;
  }, [permissions]);
  return { permissions: data, nameOf, error, isFetching, refetch };
}
