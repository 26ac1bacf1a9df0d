import type { ReactNode } from 'react';
import type { HeldRows } from '../../lib/use-held-rows.ts';
import type { Place } from './use-place.ts';
import type { Selection } from './use-selection.ts';

/** What a list can be filtered by beside its text: a column, or what is no column but has few values. */
export interface FilterBy<Row> {
  id: string;
  header: string;
  /** The row's value in the address; people read its `text`. */
  filterBy?: (row: Row) => string;
  text?: (row: Row) => string;
  /** All values with what people read of them, where they count though no row has them; absent: those that rows have. */
  filterValues?: Readonly<Record<string, string>>;
}

/** One column of a `DataTable`. */
export interface Column<Row> extends FilterBy<Row> {
  /** The server's name for sorting by this column; absent: the column cannot be sorted. */
  sortKey?: string;
  /** Width in px; where the table is wider, all columns grow in proportion. */
  width: number;
  /** The id of the column before it, below which it stands on a second line: both are as wide as the wider one. */
  below?: string;
  /** Also on a phone, where each row is a card with the pinned column and few others; whole: a date or a state, which is never cut off. */
  onCard?: true | 'whole';
  align?: 'start' | 'center' | 'end';
  /** The name of its row: stays at the left edge while the others scroll, and is read out as the row's header. */
  pinned?: true;
  cell: (row: Row) => ReactNode;
  /** The text of the cell; also its tooltip, as a long text is cut off. */
  text?: (row: Row) => string;
  /** What a pinned column calls its row, where its text may be empty; absent: its text. */
  name?: (row: Row) => string;
}

/** The sorted column, by its `sortKey`. */
export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
}

export interface DataTableProps<Row> {
  /** The name under which its layout is kept; absent: it cannot be arranged. */
  name?: string;
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until the first load has ended. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Where `rows` are held while the list is used: whose rows they are. */
  held?: HeldRows<Row>;
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
  /** The first load runs, and there is nothing to show yet. */
  isLoading: boolean;
  /** A later load runs, and the old rows are still shown. */
  isFetching?: boolean;
  /** Why the load failed. */
  error?: string;
  onRetry?: () => void;
  /** Key of a row to scroll to and to highlight, such as one that was just changed. */
  markedKey?: string;
  emptyText: string;
  /** What the rows are for; undefined where only the filter finds none. */
  emptyHint: string | undefined;
  emptyAction?: ReactNode;
  /** The buttons at the end of a row. */
  rowActions?: (row: Row) => ReactNode;
  /** Width in px of the column of buttons; absent: room for four. */
  actionsWidth?: number;
  /** Which rows are selected; absent: none can be. */
  selection?: Selection<Row>;
  /** Stands above the table: filter field, chips, export. */
  toolbar?: ReactNode;
  /** A message about the rows, above them. */
  notice?: ReactNode;
  /** What comes and goes while the list is used: below the rows, as somebody may be about to click one of them. */
  passing?: ReactNode;
  /** Where it stands; absent: that is not kept. */
  place?: Place;
  /** Stands for filters, order and page: where it is another one, the list begins at its first row. */
  narrowing?: string;
  /** The number of all rows, where a filter shows fewer. */
  total?: number;
  /** The rows are a page of a longer list, of which nobody has counted all. */
  isPage?: boolean;
  /** The way to its other pages, below it. */
  pages?: ReactNode;
}
