import type { Database } from '@apotheca/contract/databases';
import { Download } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Sort } from '../../components/data-table.tsx';
import { exportRows } from '../../components/export-rows.ts';
import { FilterField } from '../../components/filter-field.tsx';
import { databaseColumns } from './database-columns.tsx';
import type { DatabaseDialog } from './database-dialog.ts';
import { DatabaseRowActions } from './database-row-actions.tsx';
import { useDatabasesList } from './use-databases-list.ts';
import { useDatabasesView } from './use-databases-view.ts';

/** Five icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 170;

const idOf = (database: Database) => database.id;

/** The databases list with its tools (SPEC §2.13). */
export function DatabasesTable({ onOpen }: { onOpen: (dialog: DatabaseDialog) => void }) {
  const { t } = useTranslation();
  const { view, changeView } = useDatabasesView();
  const list = useDatabasesList();
  const { rows = [] } = list;
  const columns = useMemo(() => databaseColumns(t), [t]);
  const changeText = useCallback((q: string) => changeView({ q }), [changeView]);
  const rowActions = useCallback(
    (database: Database) => <DatabaseRowActions database={database} onOpen={onOpen} />,
    [onOpen],
  );
  function handleSortChange({ column, direction }: Sort) {
    // Asked for already, in vain: the address would not change, and nothing would be loaded.
    if (column === view.sort.column && direction === view.sort.direction) void list.onRetry();
    else changeView({ sort: column, dir: direction });
  }
  const toolbar = (
    <>
      <FilterField label={t('databases.filter')} value={view.text} onChange={changeText} />
      <div className="data-table-tools-end">
        <IconButton
          icon={Download}
          label={t('databases.download')}
          disabled={rows.length === 0}
          onClick={() => exportRows('databases', columns, rows)}
        />
      </div>
    </>
  );
  const clearFilter = (
    <Button variant="secondary" onClick={() => changeText('')}>
      {t('components.filter.clear')}
    </Button>
  );
  const empty =
    view.text !== '' && list.total !== 0
      ? { emptyText: t('databases.noMatch'), emptyAction: clearFilter }
      : { emptyText: t('databases.empty') };
  return (
    <DataTable
      {...list}
      {...empty}
      label={t('databases.title')}
      columns={columns}
      rowKey={idOf}
      onSortChange={handleSortChange}
      rowActions={rowActions}
      actionsWidth={ACTIONS_WIDTH}
      toolbar={toolbar}
    />
  );
}
