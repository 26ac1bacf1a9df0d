import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { useInTurns } from '../../lib/use-in-turns.ts';
import { EmptyState } from '../notice/empty-state.tsx';
import { RetryNotice } from '../notice/retry-notice.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { DataTableHead } from './data-table-head.tsx';
import { type Placement, placeInRows, placeOnCards } from './data-table-placement.ts';
import { DataTableRow } from './data-table-row.tsx';
import { SkeletonRows } from './data-table-skeleton.tsx';
import type { DataTableProps } from './data-table-types.ts';
import { pixelsOf, VirtualRows } from './data-table-virtual-rows.tsx';
import { type Layout, shownColumns, useLayout } from './list-layout.ts';
import { ROLES } from './table-roles.ts';
import { useLostFocus } from './use-lost-focus.ts';
import { useCardScreen, usePrinting } from './use-media.ts';
import { type Place, usePlace } from './use-place.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useScrollEdges } from './use-scroll-edges.ts';

export type { Column, DataTableProps, Sort } from './data-table-types.ts';

/** Up to this number the browser draws all rows: its search and screen readers then see the whole list. */
const PLAIN_ROWS_MAX = 300;
/** Of those: what fills a screen. A row takes a slow processor more than a millisecond. */
const AT_ONCE = 15;
/** With each frame after that one, which paints the rows before them again. */
const IN_A_TURN = 10;
/** Four icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 140;
/** In px, as the stylesheet says it too (`--select-cell`). */
const SELECT_WIDTH = 40;

/** A list with sorting, loading, empty and error states and a count below; it shows all rows, without pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, label, columns, rows, sort, onSortChange, isLoading, isFetching = false, error, onRetry } = props;
  const { emptyText, emptyHint, emptyAction, rowActions, toolbar, notice, passing, total } = props;
  const { isPage, pages, selection, narrowing, held } = props;
  // State instead of a ref: the rows measure the box, and are mounted before it.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const setHeldBox = held?.setBox;
  const setBox = useCallback(
    (box: HTMLElement | null) => {
      setScroller(box);
      setHeldBox?.(box);
    },
    [setHeldBox],
  );
  useScrollEdges(scroller);
  const trackFocus = useLostFocus(scroller);
  const [ownPlace] = useState((): Place => ({ top: 0 }));
  const { place = ownPlace } = props;
  usePlace({ box: scroller, place, hasRows: rows !== undefined, narrowing });
  const { isCards, layout, changeLayout, placement, style } = usePlacement(props);
  const revealRef = useRef<(index: number) => void>(null);
  const keys = useRowKeys(rows?.length ?? 0, (index) => revealRef.current?.(index));

  function clearByEscape({ key, target }: KeyboardEvent) {
    // Elsewhere Escape closes a menu, or empties the filter.
    const isHere = target === scroller || (target as HTMLElement).closest('.select-cell, .selection-bar') !== null;
    if (key === 'Escape' && isHere) selection?.clear();
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is in it takes the keys. */}
      <div
        className={classNames('data-table', selection && 'data-table-selectable')}
        onKeyDown={clearByEscape}
        {...trackFocus}
      >
        {toolbar !== undefined && <div className="data-table-toolbar">{toolbar}</div>}
        {notice}
        <section
          className="data-table-scroller"
          ref={setBox}
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
          tabIndex={0}
          {...keys}
        >
          <table
            {...ROLES.table}
            className={isCards ? 'as-cards' : undefined}
            aria-label={label}
            aria-busy={isLoading || isFetching}
            aria-rowcount={rows === undefined ? -1 : rows.length + 1}
            style={style}
          >
            <DataTableHead
              placement={placement}
              sort={sort}
              onSortChange={onSortChange}
              onWidthsChange={
                name === undefined
                  ? undefined
                  : (next) => changeLayout({ ...layout, widths: { ...layout.widths, ...next } })
              }
              hasActions={rowActions !== undefined}
              isLine={isCards}
              selection={selection && { total: rows?.length ?? 0, selection }}
            />
            {rows === undefined && isLoading && <SkeletonRows placement={placement} />}
            {rows && <Rows {...props} {...{ rows, placement, place, scroller, revealRef }} />}
          </table>
        </section>
        {error !== undefined && <RetryNotice onRetry={onRetry}>{error}</RetryNotice>}
        {passing}
        {rows?.length === 0 && error === undefined && (
          <EmptyState text={emptyText} hint={emptyHint} action={emptyAction} />
        )}
        {isFetching && !isLoading && <div className="data-table-progress" />}
        <div className="data-table-footer">
          <ResultCount
            shown={held ? rows?.filter((row) => !held.isGone(row)).length : rows?.length}
            total={total}
            isPage={isPage}
          />
          {name !== undefined && <ColumnChooser columns={columns} layout={layout} onChange={changeLayout} />}
        </div>
      </div>
      {pages && <div {...trackFocus}>{pages}</div>}
    </>
  );
}

/** How a person has arranged the columns, and where that puts them: in rows, or on the cards of a phone. */
function usePlacement<Row>(
  props: Pick<DataTableProps<Row>, 'name' | 'columns' | 'rowActions' | 'actionsWidth' | 'selection'>,
) {
  const { name, columns, rowActions, actionsWidth = ACTIONS_WIDTH, selection } = props;
  const hasActions = rowActions !== undefined;
  const isSelectable = selection !== undefined;
  const isCards = useCardScreen();
  const [layout, changeLayout] = useLayout(name);
  const { order, hidden, widths, density } = layout;
  const placement = useMemo(() => {
    const shown = shownColumns(columns, { order, hidden });
    return isCards
      ? placeOnCards(shown, { isSelectable, hasActions })
      : placeInRows(shown, { isCompact: density === 'compact', isSelectable });
  }, [columns, order, hidden, density, hasActions, isSelectable, isCards]);
  const style = isCards
    ? cardStyle(placement, { isSelectable, hasActions })
    : rowStyle(placement, widths, { isSelectable, actionsWidth: hasActions ? actionsWidth : undefined });
  return { isCards, layout, changeLayout, placement, style };
}

type TableStyle = CSSProperties & {
  '--columns': string;
  /** Without the check boxes and buttons. */
  '--print-columns'?: string;
  '--table-width'?: string;
  '--row-height': string;
};

/** The widths of the columns: where the table is wider, those that nobody has set grow in proportion. */
function rowStyle<Row>(
  { tracks, height }: Placement<Row>,
  set: Layout['widths'],
  { isSelectable, actionsWidth }: { isSelectable: boolean; actionsWidth: number | undefined },
): TableStyle {
  const sizes = tracks.map((track) => ({
    width: Math.max(...track.map(({ id, width }) => set[id] ?? width)),
    isSet: track.every(({ id }) => set[id] !== undefined),
  }));
  const box = isSelectable ? `${SELECT_WIDTH}px ` : '';
  const actions = actionsWidth === undefined ? '' : `minmax(${actionsWidth}px, auto)`;
  return {
    '--columns': `${box}${sizes.map(({ width, isSet }) => (isSet ? `${width}px` : `minmax(${width}px, ${width}fr)`)).join(' ')} ${actions}`,
    '--print-columns': `${isSelectable ? '0 ' : ''}${sizes.map(({ width }) => `minmax(0, ${width}fr)`).join(' ')}`,
    '--table-width': `${sizes.reduce((sum, { width }) => sum + width, (isSelectable ? SELECT_WIDTH : 0) + (actionsWidth ?? 0))}px`,
    '--row-height': `${height}rem`,
  };
}

/**
 * On the second line of a card the last column has what is left, and reaches below the check box and the menu; those that may be
 * cut off give way to the others.
 */
function cardStyle<Row>(
  { columns, tracks, height }: Placement<Row>,
  { isSelectable, hasActions }: { isSelectable: boolean; hasActions: boolean },
): TableStyle {
  const last = columns.findLast(({ area }) => area?.gridRow === 2)?.column;
  const sizes = [
    ...tracks.map(([column]) => (column?.onCard === 'whole' ? 'max-content' : 'auto')),
    `minmax(${last?.onCard === 'whole' ? 'max-content' : 0}, 1fr)`,
  ];
  return {
    '--columns': [...sizes, isSelectable && 'auto', hasActions && 'auto'].filter(Boolean).join(' '),
    '--row-height': `${height}rem`,
  };
}

interface RowsProps<Row>
  extends Pick<DataTableProps<Row>, 'rowKey' | 'rowActions' | 'markedKey' | 'selection' | 'held'>,
    Pick<ComponentProps<typeof DataTableRow<Row>>, 'placement'>,
    Pick<ComponentProps<typeof VirtualRows>, 'place' | 'scroller' | 'revealRef'> {
  rows: readonly Row[];
}

function Rows<Row>(props: RowsProps<Row>) {
  const { placement, place, rowKey, rowActions, markedKey, selection, scroller, revealRef, rows } = props;
  // Paper has them all.
  const isPrinting = usePrinting();
  if (rows.length <= PLAIN_ROWS_MAX || isPrinting)
    return <PlainRows {...props} atOnce={isPrinting ? rows.length : AT_ONCE} />;
  return <VirtualRows {...{ placement, place, rowActions, rows, rowKey, markedKey, selection, scroller, revealRef }} />;
}

/** All rows, the first ones at once. */
function PlainRows<Row>(props: RowsProps<Row> & { atOnce: number }) {
  const { rows, rowKey, markedKey, selection, held, revealRef, placement, place, rowActions, atOnce } = props;
  const { top: topLeft = 0 } = place.left ?? {};
  // All down to where the list was left.
  const first = topLeft > 0 ? Math.ceil((topLeft + window.innerHeight) / pixelsOf(placement.height)) : atOnce;
  const { drawn, drawAll } = useInTurns(rows.length, atOnce, IN_A_TURN, first);
  useImperativeHandle(revealRef, () => drawAll);
  return (
    <tbody {...ROLES.group}>
      {rows.slice(0, drawn).map((row, index) => (
        <DataTableRow
          key={rowKey(row)}
          placement={placement}
          rowActions={rowActions}
          row={row}
          index={index}
          isMarked={rowKey(row) === markedKey}
          isGone={held?.isGone(row)}
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
    <div role="status">
      {shown !== undefined && t(`components.dataTable.${isPage ? 'page' : 'count'}`, { shown, total })}
    </div>
  );
}
