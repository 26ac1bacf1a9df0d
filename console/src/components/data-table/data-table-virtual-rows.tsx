import { defaultRangeExtractor, observeElementRect, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  Fragment,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { DataTableRow, type RowProps } from './data-table-row.tsx';
import type { DataTableProps } from './data-table-types.ts';
import { ROLES } from './table-roles.ts';
import type { Place } from './use-place.ts';

interface VirtualRowsProps<Row>
  extends Pick<RowProps<Row>, 'placement' | 'rowActions'>,
    Pick<DataTableProps<Row>, 'selection'> {
  place: Place;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  markedKey?: string;
  /** The box that scrolls, once it is mounted. */
  scroller: HTMLElement | null;
  /** Gets a function that draws the row at an index, wherever it is. */
  revealRef: RefObject<((index: number) => void) | null>;
}

const DEFAULT_FONT_SIZE = 16;
/** Rows above and below the visible ones, which are there when somebody scrolls. */
const OVERSCAN = 8;
/** What stands above and below the box at least, in px. */
const AROUND_BOX = 200;

/** In px; a larger font size in the browser makes the rows higher. */
export const pixelsOf = (rem: number): number =>
  rem * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || DEFAULT_FONT_SIZE);

// Measuring or scrolling the box as soon as it is there would make the browser lay out the page within the task that draws it. So
// ResizeObserver tells its size, and the virtualizer never scrolls it: what gets the focus or is marked comes into view by itself.
const observeRect: typeof observeElementRect<HTMLElement> = (virtualizer, report) => {
  const box = virtualizer.scrollElement;
  if (!box || typeof ResizeObserver === 'undefined') return observeElementRect(virtualizer, report);
  const observer = new ResizeObserver(() => report({ width: box.offsetWidth, height: box.offsetHeight }));
  observer.observe(box);
  return () => observer.disconnect();
};
const leaveWhereItStands = () => undefined;

interface RowVirtualizerOptions<Row> extends Pick<VirtualRowsProps<Row>, 'rows' | 'place' | 'scroller'> {
  /** Of a row, in rem. */
  height: number;
  /** The rows that are drawn wherever they are; -1 for none. */
  focusedIndex: number;
  markedIndex: number;
}

/** Finds the rows that are in sight, or nearly. */
function useRowVirtualizer<Row>(options: RowVirtualizerOptions<Row>) {
  const { rows, place, scroller, height, focusedIndex, markedIndex } = options;
  // Used until the box is measured, so that the first paint has rows. Where a filter brings them in it is there already.
  const [initialRect] = useState(() => ({
    width: window.innerWidth,
    height: scroller?.clientHeight || window.innerHeight - AROUND_BOX,
  }));
  // Where other rows are shown, those out of sight come after the frame that shows them.
  const [first] = rows;
  const [painted, setPainted] = useState<Row>();
  useEffect(() => startTransition(() => setPainted(() => first)), [first]);
  const overscan = painted === first ? OVERSCAN : 0;
  const estimate = useMemo(() => pixelsOf(height), [height]);
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => estimate,
    overscan,
    initialRect,
    observeElementRect: observeRect,
    initialOffset: () => place.left?.top ?? scroller?.scrollTop ?? 0,
    scrollToFn: leaveWhereItStands,
    // Removing the focused row from the document would lose the focus, and a dialog opened from it could not give the
    // focus back.
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = new Set(defaultRangeExtractor(range));
        // A marked row is drawn wherever it is, as it scrolls itself into view.
        for (const index of [focusedIndex, markedIndex]) if (index >= 0) indexes.add(index);
        return [...indexes].sort((a, b) => a - b);
      },
      [focusedIndex, markedIndex],
    ),
  });
  // The heights of before are kept where rows become cards, or low.
  useLayoutEffect(() => {
    if (estimate > 0) virtualizer.measure();
  }, [virtualizer, estimate]);
  return virtualizer;
}

/** Draws only the visible rows and the focused one; spacer rows stand for the others. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { rows, rowKey, markedKey, placement, place, rowActions, selection, scroller, revealRef } = props;
  const [focusedKey, setFocusedKey] = useState<string>();
  const [focusedIndex, markedIndex] = useMemo(() => {
    const indexOf = (key: string | undefined) =>
      key === undefined ? -1 : rows.findIndex((row) => rowKey(row) === key);
    return [indexOf(focusedKey), indexOf(markedKey)] as const;
  }, [rows, rowKey, focusedKey, markedKey]);
  const virtualizer = useRowVirtualizer({ rows, place, scroller, height: placement.height, focusedIndex, markedIndex });
  useImperativeHandle(revealRef, () => (index) => {
    const row = rows[index];
    if (row !== undefined) setFocusedKey(rowKey(row));
  });
  const cells = placement.columns.length + (rowActions ? 1 : 0) + (selection ? 1 : 0);

  function handleFocus(event: FocusEvent<HTMLElement>) {
    const row = rows[Number(event.target.closest('tr')?.dataset.index)];
    if (row !== undefined) setFocusedKey(rowKey(row));
  }
  const items = virtualizer.getVirtualItems();
  return (
    <tbody {...ROLES.group} onFocus={handleFocus}>
      {items.map((item, position) => {
        const row = rows[item.index];
        if (row === undefined) return null;
        const key = rowKey(row);
        return (
          <Fragment key={key}>
            <Spacer height={item.start - (items[position - 1]?.end ?? 0)} cells={cells} />
            <DataTableRow
              row={row}
              index={item.index}
              isMarked={key === markedKey}
              placement={placement}
              rowActions={rowActions}
              select={selection && { rowKey: key, selection }}
            />
          </Fragment>
        );
      })}
      <Spacer height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} cells={cells} />
    </tbody>
  );
}

function Spacer({ height, cells }: { height: number; cells: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a table row takes no focus; it only keeps the scroll bar's size.
    <tr aria-hidden="true" className="spacer">
      <td colSpan={cells} style={{ height }} />
    </tr>
  );
}
