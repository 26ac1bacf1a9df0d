import { DATABASE_SORT_COLUMNS, type Database } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useListDatabasesQuery } from '../../api/databases.ts';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';

/** All databases, in the order of the view in the address. The page and its dialogs share one query. */
export function useDatabases() {
  const view = useListView(DATABASE_SORT_COLUMNS);
  const sorted = { sortColumn: view.sort.column, sortDirection: view.sort.direction };
  const query = useListDatabasesQuery(sorted, KEPT_FRESH);
  return { view, query };
}

/**
 * The names that are in use and cannot be given to a database.
 * @param except the database that gets the new name; its own name is allowed
 */
export function useTakenNames(except?: Database): string[] {
  const { data } = useDatabases().query;
  return useMemo(
    () => (data ?? []).filter(({ id }) => id !== except?.id).map(({ databaseName }) => databaseName),
    [data, except],
  );
}
