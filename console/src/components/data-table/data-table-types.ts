import type { ReactNode } from 'react';

/** One column of a `DataTable`. */
export interface Column<Row> {
  id: string;
  header: string;
  /** The server's name for sorting by this column; absent: the column cannot be sorted. */
  sortKey?: string;
  /** Width in px; the columns grow in proportion where the table has more room. */
  width: number;
  align?: 'start' | 'center' | 'end';
  /** Stays at the left edge while the rest scrolls, and names its row; for the first column only. */
  pinned?: true;
  cell: (row: Row) => ReactNode;
  /** The cell in plain words, as the tooltip of a text that may be cut off. */
  text?: (row: Row) => string;
}

/** The sorted column, by its `sortKey`. */
export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while nothing has come yet. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
  /** The first load, with nothing to show yet. */
  isLoading: boolean;
  /** A later load, with the old rows still there. */
  isFetching?: boolean;
  /** Why the load failed. */
  error?: string;
  onRetry?: () => void;
  /** Key of a row to scroll to and to mark, such as one that was just changed. */
  markedKey?: string;
  emptyText: string;
  emptyAction?: ReactNode;
  /** The buttons at the end of a row. */
  rowActions?: (row: Row) => ReactNode;
  /** Width in px of the column of buttons; absent: room for four. */
  actionsWidth?: number;
  /** What stands above the table: filter field, chips, export. */
  toolbar?: ReactNode;
  /** What is to be said about the rows, above them. */
  notice?: ReactNode;
  /** How many there are altogether, where a filter shows fewer. */
  total?: number;
}
