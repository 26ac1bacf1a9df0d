import { type ComponentProps, type CSSProperties, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { EmptyState } from '../notice/empty-state.tsx';
import { RetryNotice } from '../notice/retry-notice.tsx';
import { DataTableHead } from './data-table-head.tsx';
import { DataTableRow } from './data-table-row.tsx';
import { SkeletonRows } from './data-table-skeleton.tsx';
import type { DataTableProps, Sort } from './data-table-types.ts';
import { VirtualRows } from './data-table-virtual-rows.tsx';
import { useLostFocus } from './use-lost-focus.ts';
import { useScrollEdges } from './use-scroll-edges.ts';

export type { Column, DataTableProps, Sort } from './data-table-types.ts';

/** Up to this number the browser draws all rows: its search, printing and screen readers then see the whole list. */
const PLAIN_ROWS_MAX = 300;
/** Four icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 140;

/** A list with sorting, loading, empty and error states and a count below; it shows all rows, without pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, sort, onSortChange, isLoading, isFetching = false, error, onRetry } = props;
  const {
    emptyText,
    emptyAction,
    rowActions,
    actionsWidth = ACTIONS_WIDTH,
    toolbar,
    notice,
    total,
    isPage,
    selection,
  } = props;
  // State instead of a ref: the rows measure the box, and are mounted before it.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  useScrollEdges(scroller);
  const trackFocus = useLostFocus(scroller);
  const hasActions = rowActions !== undefined;
  const widths = columns.map(({ id, width }) => ({ id, width: `${width}px` }));
  if (selection) widths.unshift({ id: ' selection', width: 'var(--select-cell)' });
  if (hasActions) widths.push({ id: ' actions', width: `calc(${actionsWidth}px * var(--row-button-scale, 1))` });
  const tableStyle: CSSProperties & { '--table-width': string } = {
    '--table-width': `calc(${widths.map(({ width }) => width).join(' + ')})`,
  };

  function clearByEscape({ key, target }: KeyboardEvent) {
    // Elsewhere Escape closes a menu, or empties the filter.
    const isHere = target === scroller || (target as HTMLElement).closest('.select-cell, .selection-bar') !== null;
    if (key === 'Escape' && isHere) selection?.clear();
  }
  function changeSort(next: Sort) {
    scroller?.scrollTo?.({ top: 0 });
    onSortChange?.(next);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is in it takes the keys.
    <div className={classNames('data-table', selection && 'data-table-selectable')} onKeyDown={clearByEscape}>
      {toolbar !== undefined && <div className="data-table-toolbar">{toolbar}</div>}
      {error !== undefined && <RetryNotice onRetry={onRetry}>{error}</RetryNotice>}
      {notice}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys. */}
      <section className="data-table-scroller" ref={setScroller} aria-label={label} tabIndex={0} {...trackFocus}>
        <table
          aria-label={label}
          aria-busy={isLoading || isFetching}
          aria-rowcount={rows === undefined ? -1 : rows.length + 1}
          style={tableStyle}
        >
          <colgroup>
            {widths.map(({ id, width }) => (
              <col key={id} style={{ width }} />
            ))}
          </colgroup>
          <DataTableHead
            columns={columns}
            sort={sort}
            onSortChange={onSortChange && changeSort}
            hasActions={hasActions}
            selection={selection && { total: rows?.length ?? 0, selection }}
          />
          {rows === undefined && isLoading && <SkeletonRows columns={widths} />}
          {rows && <Rows {...props} rows={rows} scroller={scroller} />}
        </table>
      </section>
      {rows?.length === 0 && error === undefined && <EmptyState text={emptyText} action={emptyAction} />}
      {isFetching && !isLoading && <div className="data-table-progress" />}
      <ResultCount shown={rows?.length} total={total} isPage={isPage} />
    </div>
  );
}

interface RowsProps<Row>
  extends Pick<DataTableProps<Row>, 'columns' | 'rowKey' | 'rowActions' | 'markedKey' | 'selection'>,
    Pick<ComponentProps<typeof VirtualRows>, 'scroller'> {
  rows: readonly Row[];
}

function Rows<Row>({ columns, rowKey, rowActions, markedKey, selection, scroller, rows }: RowsProps<Row>) {
  const shared = { columns, rowActions };
  if (rows.length > PLAIN_ROWS_MAX) {
    const virtual = { ...shared, rows, rowKey, markedKey, selection, scroller };
    return <VirtualRows {...virtual} />;
  }
  return (
    <tbody>
      {rows.map((row, index) => (
        <DataTableRow
          key={rowKey(row)}
          {...shared}
          row={row}
          index={index}
          isMarked={rowKey(row) === markedKey}
          select={selection && { rowKey: rowKey(row), selection }}
        />
      ))}
    </tbody>
  );
}

/** 'Displaying N of N results', read out on every change (SPEC §2.6). */
function ResultCount({ shown, total = shown, isPage = false }: { shown?: number; total?: number; isPage?: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="data-table-footer" role="status">
      {shown !== undefined && t(`components.dataTable.${isPage ? 'page' : 'count'}`, { shown, total })}
    </div>
  );
}
