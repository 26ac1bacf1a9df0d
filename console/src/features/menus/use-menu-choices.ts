import type { Menu } from '@apotheca/contract/menus';
import { useMemo } from 'react';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { useListAvailableIdsQuery, useListPermissionsQuery } from '../../api/permissions.ts';
import { type ParentOption, parentOptions } from './parent-options.ts';

interface MenuChoices {
  availableIds: readonly string[];
  parents: readonly ParentOption[];
  /** Those that are in use, in lower case. */
  identifiers: ReadonlySet<string>;
}

const NO_IDS: readonly string[] = [];

/**
 * What the menu form offers to choose from, once all of it is there.
 * @param show while the form fades out, the ids are no longer asked for: the next one gets fresh ones
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
