import { DATABASE_SORT_COLUMNS, type DatabaseSortColumn } from '@apotheca/contract/databases';
import type { SortDirection } from '@apotheca/contract/sorting';
import { useMemo } from 'react';
import { useAddressParams } from '../../components/use-address-params.ts';

/** How the list is sorted and filtered. It lives in the address, so that a link or a reload shows the same list. */
interface DatabasesView {
  sort: { column: DatabaseSortColumn; direction: SortDirection };
  /** Text filter; empty for none. */
  text: string;
}

const DEFAULT_COLUMN = DATABASE_SORT_COLUMNS[0];

/** Reads the view from the address; what is no sort column there is the default. */
const readDatabasesView = (params: URLSearchParams): DatabasesView => ({
  sort: {
    column: DATABASE_SORT_COLUMNS.find((column) => column === params.get('sort')) ?? DEFAULT_COLUMN,
    direction: params.get('dir') === 'desc' ? 'desc' : 'asc',
  },
  text: params.get('q') ?? '',
});

/** The view of the databases list in the address (`?sort=datName&dir=asc&q=…`) and how to change it. */
export const useDatabasesView = () => {
  const [params, changeView] = useAddressParams<'sort' | 'dir' | 'q'>();
  const view = useMemo(() => readDatabasesView(params), [params]);
  return { view, changeView };
};
