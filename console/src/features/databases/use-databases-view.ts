import { DATABASE_SORT_COLUMNS } from '@apotheca/contract/databases';
import type { SortDirection } from '@apotheca/contract/sorting';
import { useMemo } from 'react';
import { useAddressParams } from '../../components/use-address-params.ts';

/** How the list is sorted and filtered. It lives in the address, so that a link or a reload shows the same list. */
interface DatabasesView {
  sort: { column: (typeof DATABASE_SORT_COLUMNS)[0]; direction: SortDirection };
  /** Text filter; empty for none. */
  text: string;
}

/** Reads the view from the address. There is one column to sort by, so nothing else can be asked for there. */
const readDatabasesView = (params: URLSearchParams): DatabasesView => ({
  sort: { column: DATABASE_SORT_COLUMNS[0], direction: params.get('dir') === 'desc' ? 'desc' : 'asc' },
  text: params.get('q') ?? '',
});

/** The view of the databases list in the address (`?sort=datName&dir=asc&q=…`) and how to change it. */
export const useDatabasesView = () => {
  const [params, changeView] = useAddressParams<'sort' | 'dir' | 'q'>();
  const view = useMemo(() => readDatabasesView(params), [params]);
  return { view, changeView };
};
