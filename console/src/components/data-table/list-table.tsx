import { Download, RefreshCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button/button.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { exportRows } from './export-rows.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterField } from './filter-field.tsx';
import { HiddenRowNotice } from './hidden-row-notice.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { ColumnFilters } from './use-column-filters.ts';
import type { ListView } from './use-list-view.ts';

interface ListTableProps<Row>
  extends Omit<DataTableProps<Row>, 'toolbar' | 'notice' | 'emptyText' | 'emptyHint' | 'emptyAction'> {
  view: Pick<ListView<string>, 'text' | 'changeText'>;
  /** What the rows are: under this name the layout is kept, and the CSV file is saved. */
  name: string;
  filterLabel: string;
  /** Filters in addition to the text. */
  filters: ColumnFilters;
  /** Stands before the reload button. */
  tools?: ReactNode;
  downloadLabel: string;
  /** Shown where the filter finds nothing. */
  noMatchText: string;
  /** Shown where the list is empty. */
  emptyText: string;
  /** What the list is for, shown below that. */
  emptyHint: string;
  /** The row that was just created or changed, where the filter hides it. */
  hidden?: { row: Row; dismiss: () => void };
  /** Says that this row is hidden. */
  hiddenText?: (row: Row) => string;
  emptyAction?: ReactNode;
  /** What can be done with the selected rows. */
  selectionActions?: ReactNode;
}

/** A `DataTable` with the tools of every list: text filter, reload and download as CSV. */
export function ListTable<Row>({ view, filterLabel, downloadLabel, ...props }: ListTableProps<Row>) {
  const {
    filters,
    tools,
    noMatchText,
    emptyText,
    emptyHint,
    emptyAction,
    hidden,
    hiddenText,
    selectionActions,
    ...table
  } = props;
  const { t } = useTranslation();
  const { text, changeText } = view;
  const field = useRef<HTMLInputElement>(null);
  const { name, rows = [], columns, total, selection } = table;
  const toolbar = (
    <>
      <FilterField ref={field} label={filterLabel} value={text} onChange={changeText} />
      <FilterChips columns={filters.columns} change={filters.change} />
      <div className="data-table-tools-end">
        {filters.isOn && rows.length > 0 && (
          <Button variant="secondary" size="small" onClick={clearAll}>
            {t('components.filter.clear')}
          </Button>
        )}
        {tools}
        <IconButton
          icon={RefreshCw}
          label={t('components.dataTable.refresh')}
          loading={table.isFetching && !table.isLoading}
          disabled={table.isLoading}
          onClick={table.onRetry}
        />
        <IconButton
          icon={Download}
          label={downloadLabel}
          disabled={rows.length === 0}
          onClick={() => exportRows(name, columns, rows)}
        />
      </div>
    </>
  );
  function clearAll() {
    changeText('');
    filters.clearAll();
    // The button that was clicked disappears.
    field.current?.focus();
  }
  const clearFilter = (
    <Button variant="secondary" onClick={clearAll}>
      {t('components.filter.clear')}
    </Button>
  );
  const isNarrowed = text !== '' || filters.isOn;
  const empty =
    isNarrowed && total !== 0
      ? { emptyText: noMatchText, emptyHint: undefined, emptyAction: clearFilter }
      : { emptyText, emptyHint, emptyAction };
  const notice = (
    <>
      {selection && selection.selected.length > 0 && (
        <SelectionBar
          total={rows.length}
          selection={selection}
          actions={selectionActions}
          onExport={() => exportRows(name, columns, selection.selected)}
        />
      )}
      {hidden && hiddenText && (
        <HiddenRowNotice text={hiddenText(hidden.row)} onShow={clearAll} onDismiss={hidden.dismiss} />
      )}
    </>
  );
  return <DataTable {...table} {...empty} toolbar={toolbar} notice={notice} />;
}
