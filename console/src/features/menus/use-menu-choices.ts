import type { Menu } from '@apotheca/contract/menus';
import { useMemo } from 'react';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { useListAvailableIdsQuery, useListPermissionsQuery } from '../../api/permissions.ts';
import { type ParentOption, parentOptions } from './parent-options.ts';

interface MenuChoices {
  availableIds: readonly string[];
  parents: readonly ParentOption[];
  /** The identifiers in use, in lower case. */
  identifiers: ReadonlySet<string>;
}

const NO_IDS: readonly string[] = [];

/**
 * The choices of the menu form; undefined until all of them are loaded.
 * @param show while the form fades out, no ids are loaded, so that the next form gets new ones
 * @param menu absent: a new one, which needs an id
 */
export function useMenuChoices(show: boolean, menu?: Menu) {
  const ids = useListAvailableIdsQuery(undefined, { skip: menu !== undefined || !show });
  const permissions = useListPermissionsQuery({}, { refetchOnMountOrArgChange: true });
  useErrorToast(ids.error ?? permissions.error);
  const availableIds = menu ? NO_IDS : ids.data;
  const choices = useMemo(
    (): MenuChoices | undefined =>
      availableIds &&
      permissions.data && {
        availableIds,
        parents: parentOptions(permissions.data, menu?.id),
        identifiers: new Set(permissions.data.map(({ identifier }) => identifier.toLowerCase())),
      },
    [availableIds, permissions.data, menu?.id],
  );
  function retry() {
    for (const query of [ids, permissions]) if (query.isError) void query.refetch();
  }
  return { choices, isFetching: ids.isFetching || permissions.isFetching, retry };
}
