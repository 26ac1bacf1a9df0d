import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { ColumnEdge } from './column-edge.tsx';
import type { PlacedColumn, Placement } from './data-table-placement.ts';
import { cellClass } from './data-table-row.tsx';
import type { Sort } from './data-table-types.ts';
import { SelectAll } from './select-box.tsx';
import { ROLES } from './table-roles.ts';
import type { Selection } from './use-selection.ts';

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

interface HeadProps<Row> {
  placement: Placement<Row>;
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
  hasActions: boolean;
  /** Absent: the columns cannot be made wider. */
  onWidthsChange?: (widths: Record<string, number>) => void;
  /** Above cards the head is a line of those headings that sort; the others are only read out. */
  isLine: boolean;
  /** With the number of rows that can be selected. */
  selection?: { total: number; selection: Selection<Row> } | undefined;
}

/**
 * The sticky head: a click on the sorted column reverses the order, a click on another one sorts by it, ascending (SPEC
 * §4).
 */
export function DataTableHead<Row>({
  placement,
  sort,
  onSortChange,
  onWidthsChange,
  hasActions,
  isLine,
  selection,
}: HeadProps<Row>) {
  const { t } = useTranslation();
  // Columns that share a width get it together.
  const widthsOf = ({ column }: PlacedColumn<Row>, width: number) =>
    Object.fromEntries((placement.tracks.find((track) => track.includes(column)) ?? []).map(({ id }) => [id, width]));
  return (
    <thead {...ROLES.group}>
      <tr {...ROLES.row} aria-rowindex={1}>
        {selection && <SelectAll {...selection} style={isLine ? undefined : placement.selection} />}
        {placement.columns.map((placed) => {
          const { column, area } = placed;
          const sortKey = onSortChange && column.sortKey;
          const direction =
            column.sortKey !== undefined && sort?.column === column.sortKey ? sort.direction : undefined;
          return (
            <th
              key={column.id}
              {...ROLES.heading}
              className={isLine ? headOfCards(sortKey !== undefined) : cellClass(placed)}
              style={isLine ? undefined : area}
              aria-sort={direction && ARIA_SORT[direction]}
            >
              {sortKey !== undefined && onSortChange ? (
                <SortButton header={column.header} sortKey={sortKey} direction={direction} onSort={onSortChange} />
              ) : (
                <span className="heading" title={column.header}>
                  {column.header}
                </span>
              )}
              {onWidthsChange && !isLine && <ColumnEdge onDrag={(width) => onWidthsChange(widthsOf(placed, width))} />}
            </th>
          );
        })}
        {hasActions && (
          <th
            {...ROLES.heading}
            className={isLine ? 'visually-hidden' : 'pinned-end'}
            style={isLine ? undefined : placement.actions}
          >
            <span className="visually-hidden">{t('components.dataTable.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

const headOfCards = (isSortable: boolean) => (isSortable ? undefined : 'visually-hidden');

interface SortButtonProps {
  header: string;
  sortKey: string;
  direction?: Sort['direction'];
  onSort: (sort: Sort) => void;
}

function SortButton({ header, sortKey, direction, onSort }: SortButtonProps) {
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className={classNames('sort-button', direction && 'sorted')}
      onClick={() => onSort({ column: sortKey, direction: direction === 'asc' ? 'desc' : 'asc' })}
    >
      <span className="heading">{header}</span>
      <Arrow className="icon" aria-hidden="true" />
    </button>
  );
}
