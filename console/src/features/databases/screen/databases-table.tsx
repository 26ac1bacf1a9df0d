import { DATABASE_ORDER, type Database } from '@apotheca/contract/databases';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBulk } from '../../../bulks/use-bulk.tsx';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { useSelection } from '../../../components/data-table/use-selection.ts';
import { useFindingFilter } from '../../../lists/use-finding-filter.ts';
import { useList } from '../../../lists/use-list.ts';
import { ViewMenu } from '../../../views/view-menu.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import type { TenantLink } from '../tenant-name.tsx';
import { useDatabases } from '../use-databases.ts';
import { RestoreDatabaseButton } from './database-actions.tsx';
import { databaseColumns, databaseFilters, databaseTexts, serverColumn } from './database-columns.tsx';
import { DatabaseRowActions } from './database-row-actions.tsx';

/** Five icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 170;

interface DatabasesTableProps {
  /** The address of a tenant's page, to which the tenant of a database leads. */
  tenantLink: TenantLink;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The databases list with its tools (SPEC §2.13). */
export function DatabasesTable({ tenantLink, onOpen }: DatabasesTableProps) {
  const { t } = useTranslation();
  const { view, query: databases } = useDatabases();
  const hasServers = useHasServers(databases.data);
  const columns = useMemo(() => {
    const shared = databaseColumns(t, { tenantLink, onOpen: (database) => onOpen({ kind: 'view', database }) });
    return hasServers ? [...shared, serverColumn(t)] : shared;
  }, [t, tenantLink, onOpen, hasServers]);
  const moreTexts = useMemo(() => databaseTexts(t), [t]);
  const { filters: ofFinding, query } = useFindingFilter<Database>('databases', databases);
  const moreFilters = useMemo(() => [...databaseFilters(t), ...ofFinding], [t, ofFinding]);
  const list = useList(query, view, { order: DATABASE_ORDER, columns, moreTexts, moreFilters });
  const selection = useSelection(list);
  const bulk = useBulk('databases', selection.selected);
  const rowActions = useCallback(
    (database: Database) => <DatabaseRowActions database={database} onOpen={onOpen} />,
    [onOpen],
  );
  return (
    <>
      <ListTable
        {...list}
        label={t('databases.title')}
        name="databases"
        filterLabel={t('databases.filter')}
        tools={<ViewMenu list="databases" />}
        downloadLabel={t('databases.download')}
        noMatchText={t('databases.noMatch')}
        emptyText={t('databases.empty')}
        emptyHint={t('databases.emptyHint')}
        emptyAction={<RestoreDatabaseButton onOpen={onOpen} />}
        hiddenText={(database) => t('databases.hidden', { name: database.databaseName })}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
        selection={selection}
        selectionActions={bulk.actions}
      />
      {bulk.modal}
    </>
  );
}

/** Whether the databases live on more than one server. */
const useHasServers = (databases: readonly Database[] | undefined): boolean =>
  useMemo(() => new Set(databases?.map(({ serverName }) => serverName)).size > 1, [databases]);
