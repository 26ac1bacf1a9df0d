import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import type { Column, Sort } from './data-table-types.ts';
import { SelectAll } from './select-box.tsx';
import type { Selection } from './use-selection.ts';

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

interface HeadProps<Row> {
  columns: readonly Column<Row>[];
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
  hasActions: boolean;
  /** With the number of rows that can be selected. */
  selection?: { total: number; selection: Selection<Row> } | undefined;
}

/**
 * The sticky head: a click on the sorted column reverses the order, a click on another one sorts by it, ascending (SPEC
 * §4).
 */
export function DataTableHead<Row>({ columns, sort, onSortChange, hasActions, selection }: HeadProps<Row>) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && <SelectAll {...selection} />}
        {columns.map((column) => {
          const direction =
            column.sortKey !== undefined && sort?.column === column.sortKey ? sort.direction : undefined;
          return (
            <th
              key={column.id}
              scope="col"
              className={classNames(`cell-${column.align ?? 'start'}`, column.pinned && 'pinned-start')}
              aria-sort={direction && ARIA_SORT[direction]}
            >
              {column.sortKey !== undefined && onSortChange ? (
                <SortButton
                  header={column.header}
                  sortKey={column.sortKey}
                  direction={direction}
                  onSort={onSortChange}
                />
              ) : (
                column.header
              )}
            </th>
          );
        })}
        {hasActions && (
          <th scope="col" className="pinned-end">
            <span className="visually-hidden">{t('components.dataTable.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

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
      {header}
      <Arrow className="icon" aria-hidden="true" />
    </button>
  );
}
