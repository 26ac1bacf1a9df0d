import { Download, RefreshCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button/button.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { exportRows } from './export-rows.ts';
import { FilterField } from './filter-field.tsx';
import { HiddenRowNotice } from './hidden-row-notice.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { ListView } from './use-list-view.ts';

interface ListTableProps<Row> extends Omit<DataTableProps<Row>, 'toolbar' | 'notice' | 'emptyText' | 'emptyAction'> {
  view: Pick<ListView<string>, 'text' | 'changeText'>;
  /** What the rows are; part of the CSV file's name. */
  fileName: string;
  filterLabel: string;
  /** Filters in addition to the text; `clearAll` clears them and the address's text. */
  moreFilters?: { fields: ReactNode; isOn: boolean; clearAll: () => void };
  /** Stands before the download button. */
  tools?: ReactNode;
  downloadLabel: string;
  /** Shown where the filter finds nothing. */
  noMatchText: string;
  /** Shown where the list is empty. */
  emptyText: string;
  /** The row that was just created or changed, where the filter hides it. */
  hidden?: { row: Row; dismiss: () => void };
  /** Says that this row is hidden. */
  hiddenText?: (row: Row) => string;
  emptyAction?: ReactNode;
  /** What can be done with the selected rows. */
  selectionActions?: ReactNode;
}

/** A `DataTable` with the tools of every list: text filter, reload and download as CSV. */
export function ListTable<Row>({ view, fileName, filterLabel, downloadLabel, ...props }: ListTableProps<Row>) {
  const { moreFilters, tools, noMatchText, emptyText, emptyAction, hidden, hiddenText, selectionActions, ...table } =
    props;
  const { t } = useTranslation();
  const { text, changeText } = view;
  const field = useRef<HTMLInputElement>(null);
  const { rows = [], columns, total, selection } = table;
  const toolbar = (
    <>
      <FilterField ref={field} label={filterLabel} value={text} onChange={changeText} />
      {moreFilters?.fields}
      <div className="data-table-tools-end">
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
          onClick={() => exportRows(fileName, columns, rows)}
        />
      </div>
    </>
  );
  function clearAll() {
    changeText('');
    moreFilters?.clearAll();
    // The button that was clicked disappears.
    field.current?.focus();
  }
  const clearFilter = (
    <Button variant="secondary" onClick={clearAll}>
      {t('components.filter.clear')}
    </Button>
  );
  const isNarrowed = text !== '' || moreFilters?.isOn === true;
  const empty =
    isNarrowed && total !== 0 ? { emptyText: noMatchText, emptyAction: clearFilter } : { emptyText, emptyAction };
  const notice = (
    <>
      {selection && selection.selected.length > 0 && (
        <SelectionBar
          total={rows.length}
          selection={selection}
          actions={selectionActions}
          onExport={() => exportRows(fileName, columns, selection.selected)}
        />
      )}
      {hidden && hiddenText && (
        <HiddenRowNotice text={hiddenText(hidden.row)} onShow={clearAll} onDismiss={hidden.dismiss} />
      )}
    </>
  );
  return <DataTable {...table} {...empty} toolbar={toolbar} notice={notice} />;
}
