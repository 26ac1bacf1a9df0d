import { Download, RefreshCw } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
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
import { useKeptPlace } from './use-place.ts';

interface ListTableProps<Row>
  extends Omit<DataTableProps<Row>, 'toolbar' | 'notice' | 'passing' | 'emptyText' | 'emptyHint' | 'emptyAction'> {
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
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { view, filters, filterLabel, downloadLabel, tools, hidden, hiddenText, selectionActions, ...others } = props;
  const { noMatchText, emptyText, emptyHint, emptyAction, ...table } = others;
  const { t } = useTranslation();
  const place = useKeptPlace(table.name);
  const field = useRef<HTMLInputElement>(null);
  function clearAll() {
    view.changeText('');
    filters.clearAll();
    // The button that was clicked disappears.
    field.current?.focus();
  }
  const clearFilter = (
    <Button variant="secondary" onClick={clearAll}>
      {t('components.filter.clear')}
    </Button>
  );
  const isNarrowed = view.text !== '' || filters.isOn;
  const empty =
    isNarrowed && table.total !== 0
      ? { emptyText: noMatchText, emptyHint: undefined, emptyAction: clearFilter }
      : { emptyText, emptyHint, emptyAction };
  const toolbar = (
    <ListTools {...{ field, view, filters, filterLabel, downloadLabel, tools, table }} onClear={clearAll} />
  );
  const passing = <Passing {...{ table, hidden, hiddenText, selectionActions }} onClear={clearAll} />;
  return <DataTable {...table} {...empty} place={place} toolbar={toolbar} passing={passing} />;
}

type TableOf<Row> = Pick<
  ListTableProps<Row>,
  'name' | 'columns' | 'rows' | 'selection' | 'isFetching' | 'isLoading' | 'onRetry'
>;

interface ListToolsProps<Row>
  extends Pick<ListTableProps<Row>, 'view' | 'filters' | 'filterLabel' | 'downloadLabel' | 'tools'> {
  field: RefObject<HTMLInputElement | null>;
  table: TableOf<Row>;
  onClear: () => void;
}

/** What stands above a list. */
function ListTools<Row>(props: ListToolsProps<Row>) {
  const { field, view, filters, filterLabel, downloadLabel, tools, onClear } = props;
  const { name, columns, rows = [], isFetching, isLoading, onRetry } = props.table;
  const { t } = useTranslation();
  return (
    <>
      <FilterField ref={field} label={filterLabel} value={view.text} onChange={view.changeText} />
      <FilterChips columns={filters.columns} change={filters.change} />
      <div className="data-table-tools-end">
        {filters.isOn && rows.length > 0 && (
          <Button variant="secondary" size="small" onClick={onClear}>
            {t('components.filter.clear')}
          </Button>
        )}
        {tools}
        <IconButton
          icon={RefreshCw}
          label={t('components.dataTable.refresh')}
          loading={isFetching && !isLoading}
          disabled={isLoading}
          onClick={onRetry}
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
}

interface PassingProps<Row> extends Pick<ListTableProps<Row>, 'hidden' | 'hiddenText' | 'selectionActions'> {
  table: TableOf<Row>;
  onClear: () => void;
}

/** What is selected, and that a row is hidden. */
function Passing<Row>({ table, hidden, hiddenText, selectionActions, onClear }: PassingProps<Row>) {
  const { name, columns, rows = [], selection } = table;
  return (
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
        <HiddenRowNotice text={hiddenText(hidden.row)} onShow={onClear} onDismiss={hidden.dismiss} />
      )}
    </>
  );
}
