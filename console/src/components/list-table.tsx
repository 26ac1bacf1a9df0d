import { Download } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { exportRows } from './export-rows.ts';
import { FilterField } from './filter-field.tsx';
import type { ListView } from './use-list-view.ts';

interface ListTableProps<Row> extends Omit<DataTableProps<Row>, 'toolbar' | 'emptyText' | 'emptyAction'> {
  view: Pick<ListView<string>, 'text' | 'changeView'>;
  /** What the rows are, in the name of the CSV file. */
  fileName: string;
  filterLabel: string;
  /** What else narrows the list, beside the text. */
  moreFilters?: { fields: ReactNode; isOn: boolean; clearAll: () => void };
  /** What stands before the download. */
  tools?: ReactNode;
  downloadLabel: string;
  /** Where the filter finds nothing. */
  noMatchText: string;
  /** Where there is nothing at all. */
  emptyText: string;
  emptyAction?: ReactNode;
}

/** A `DataTable` with the two tools of every list: the text filter and the download as CSV. */
export function ListTable<Row>({ view, fileName, filterLabel, downloadLabel, ...props }: ListTableProps<Row>) {
  const { moreFilters, tools, noMatchText, emptyText, emptyAction, ...table } = props;
  const { t } = useTranslation();
  const { text, changeView } = view;
  const changeText = useCallback((q: string) => changeView({ q }), [changeView]);
  const { rows = [], columns, total } = table;
  const toolbar = (
    <>
      <FilterField label={filterLabel} value={text} onChange={changeText} />
      {moreFilters?.fields}
      <div className="data-table-tools-end">
        {tools}
        <IconButton
          icon={Download}
          label={downloadLabel}
          disabled={rows.length === 0}
          onClick={() => exportRows(fileName, columns, rows)}
        />
      </div>
    </>
  );
  const clearFilter = (
    <Button variant="secondary" onClick={moreFilters?.clearAll ?? (() => changeText(''))}>
      {t('components.filter.clear')}
    </Button>
  );
  const isNarrowed = text !== '' || moreFilters?.isOn === true;
  const empty =
    isNarrowed && total !== 0 ? { emptyText: noMatchText, emptyAction: clearFilter } : { emptyText, emptyAction };
  return <DataTable {...table} {...empty} toolbar={toolbar} />;
}
