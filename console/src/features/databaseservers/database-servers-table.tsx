import { type DatabaseServer, databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListDatabaseServersQuery } from '../../api/databaseservers.ts';
import { ListTable } from '../../components/data-table/list-table.tsx';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { useList } from '../../lists/use-list.ts';
import { usePolling } from '../../rights/use-polling.ts';
import { CreateDatabaseServerButton } from './create-database-server-button.tsx';
import { databaseServerColumns } from './database-server-columns.tsx';
import type { DatabaseServerDialog } from './database-server-dialog.ts';
import { DatabaseServerRowActions } from './database-server-row-actions.tsx';

/** As often as the servers are asked how they are, in milliseconds. */
const POLL = 10_000;

/** Three icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 110;

/** All database servers, the home one first, and how it stands with them. */
export function DatabaseServersTable({ onOpen }: { onOpen: (dialog: DatabaseServerDialog) => void }) {
  const { t } = useTranslation();
  const view = useListView(['name']);
  const columns = useMemo(() => databaseServerColumns(t, (server) => onOpen({ kind: 'edit', server })), [t, onOpen]);
  const { paced, heed } = usePolling(databaseServerRoutes.list);
  const query = useListDatabaseServersQuery(undefined, {
    refetchOnMountOrArgChange: true,
    ...KEPT_FRESH,
    pollingInterval: paced(POLL),
    skipPollingIfUnfocused: true,
  });
  heed(query.error);
  const list = useList(query, view, { columns });
  const rowActions = useCallback(
    (server: DatabaseServer) => <DatabaseServerRowActions server={server} onOpen={onOpen} />,
    [onOpen],
  );
  return (
    <ListTable
      {...list}
      label={t('databaseServers.title')}
      name="database-servers"
      filterLabel={t('databaseServers.filter')}
      downloadLabel={t('databaseServers.download')}
      noMatchText={t('databaseServers.noMatch')}
      emptyText={t('databaseServers.empty')}
      emptyHint={t('databaseServers.emptyHint')}
      hiddenText={({ name }) => t('databaseServers.hidden', { name })}
      emptyAction={<CreateDatabaseServerButton onOpen={onOpen} />}
      rowActions={rowActions}
      actionsWidth={ACTIONS_WIDTH}
    />
  );
}
