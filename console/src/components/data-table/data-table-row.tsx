import { memo, type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';
import type { Column } from './data-table-types.ts';
import { SelectRow } from './select-box.tsx';
import type { Selection } from './use-selection.ts';

interface CellsProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  rowActions?: (row: Row) => ReactNode;
}

export interface RowProps<Row> extends CellsProps<Row> {
  /** Position in the whole list, from 0. */
  index: number;
  /** Highlights the row for a moment and scrolls it into view. */
  isMarked?: boolean;
  /** Selects the row, by its key. */
  select?: { rowKey: string; selection: Selection<Row> } | undefined;
}

/** One row. A new index (after a sort) does not draw its cells again. */
export function DataTableRow<Row>({ index, isMarked = false, select, ...cells }: RowProps<Row>) {
  const tr = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isMarked) tr.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isMarked]);
  return (
    // The head is row 1.
    <tr ref={tr} aria-rowindex={index + 2} data-index={index} className={isMarked ? 'marked' : undefined}>
      {select && <SelectRow {...select} name={cells.columns[0]?.text?.(cells.row) ?? ''} />}
      <Cells {...cells} />
    </tr>
  );
}

function CellList<Row>({ row, columns, rowActions }: CellsProps<Row>) {
  return (
    <>
      {columns.map((column) => {
        const className = classNames(`cell-${column.align ?? 'start'}`, column.pinned && 'pinned-start');
        const content = { className, title: column.text?.(row), children: column.cell(row) };
        return column.pinned ? <th key={column.id} scope="row" {...content} /> : <td key={column.id} {...content} />;
      })}
      {rowActions && (
        <td className="pinned-end">
          <div className="row-actions">{rowActions(row)}</div>
        </td>
      )}
    </>
  );
}

// `memo` loses the type parameter; the cast restores it.
const Cells = memo(CellList) as typeof CellList;
