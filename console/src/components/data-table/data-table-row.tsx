import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';
import type { PlacedColumn, Placement } from './data-table-placement.ts';
import { SelectRow } from './select-box.tsx';
import { ROLES } from './table-roles.ts';
import { keepOneTabStop } from './use-row-keys.ts';
import type { Selection } from './use-selection.ts';

interface CellsProps<Row> {
  tr: RefObject<HTMLTableRowElement | null>;
  row: Row;
  placement: Placement<Row>;
  rowActions?: (row: Row) => ReactNode;
}

export interface RowProps<Row> extends Omit<CellsProps<Row>, 'tr'> {
  /** Position in the whole list, from 0. */
  index: number;
  /** Highlights the row for a moment and scrolls it into view. */
  isMarked?: boolean;
  /** The server no longer lists it. */
  isGone?: boolean | undefined;
  /** Selects the row, by its key. */
  select?: { rowKey: string; selection: Selection<Row> } | undefined;
}

/** The classes of a cell of a column, in the head too. */
export const cellClass = <Row,>({ column, area, line }: PlacedColumn<Row>): string | undefined =>
  classNames(
    `cell-${column.align ?? 'start'}`,
    column.pinned && 'pinned-start',
    line && `line-${line}`,
    area === undefined && 'visually-hidden',
  );

/** One row. A new index (after a sort) does not draw its cells again. */
export function DataTableRow<Row>({ index, isMarked = false, isGone = false, select, ...cells }: RowProps<Row>) {
  const { placement, row } = cells;
  const tr = useRef<HTMLTableRowElement>(null);
  const isSelected = select?.selection.isSelected(select.rowKey);
  useEffect(() => {
    if (isMarked) tr.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isMarked]);
  return (
    // The head is row 1.
    <tr
      ref={tr}
      {...ROLES.row}
      aria-rowindex={index + 2}
      data-index={index}
      className={classNames(isMarked && 'marked', isGone && 'gone', isSelected && 'selected') || undefined}
    >
      {select && <SelectRow {...select} name={nameOf(row, placement)} style={placement.selection} />}
      <Cells tr={tr} {...cells} />
    </tr>
  );
}

/** The name of a row, wherever its column stands. */
function nameOf<Row>(row: Row, { columns }: Placement<Row>): string {
  const naming = columns.find(({ column }) => column.pinned) ?? columns[0];
  const nameIn = naming?.column.name ?? naming?.column.text;
  return nameIn?.(row) ?? '';
}

function CellList<Row>({ tr, row, placement, rowActions }: CellsProps<Row>) {
  useEffect(() => {
    if (tr.current) keepOneTabStop(tr.current, document.activeElement ?? undefined);
  });
  return (
    <>
      {placement.columns.map((placed) => {
        const { column, area } = placed;
        const content = {
          className: cellClass(placed),
          style: area,
          title: column.text?.(row),
          children: column.cell(row),
        };
        return column.pinned ? (
          <th key={column.id} {...ROLES.name} {...content} />
        ) : (
          <td key={column.id} {...ROLES.cell} {...content} />
        );
      })}
      {rowActions && (
        <td {...ROLES.cell} className="pinned-end" style={placement.actions}>
          <div className="row-actions">{rowActions(row)}</div>
        </td>
      )}
    </>
  );
}

// `memo` loses the type parameter; the cast restores it.
const Cells = memo(CellList) as typeof CellList;
