import { createContext, useCallback, useContext, useState } from 'react';
import type { Column } from './data-table-types.ts';

/** How a person has arranged a list. */
export interface Layout {
  /** Ids of columns. */
  hidden: string[];
  order: string[];
  /** In px; absent: the column's own. */
  widths: Record<string, number>;
  density: 'comfortable' | 'compact';
}

export const PLAIN_LAYOUT: Layout = { hidden: [], order: [], widths: {}, density: 'comfortable' };

/** Keeps the layouts of all lists, by the lists' names. */
export interface LayoutKeeper {
  layouts: Readonly<Record<string, Layout>>;
  keep: (list: string, layout: Layout) => void;
}

/** Absent: a layout lasts as long as its list is shown. */
export const LayoutContext = createContext<LayoutKeeper | null>(null);

/** The layout of a list, and how to change it. */
export function useLayout(list: string | undefined) {
  const keeper = useContext(LayoutContext);
  const [own, setOwn] = useState(PLAIN_LAYOUT);
  const layout = (list !== undefined && keeper?.layouts[list]) || own;
  const change = useCallback(
    (next: Layout) => {
      setOwn(next);
      if (list !== undefined) keeper?.keep(list, next);
    },
    [keeper, list],
  );
  return [layout, change] as const;
}

/** All columns in the order of the layout; what it does not name follows the column that is before it. */
export function inOrder<Row>(columns: readonly Column<Row>[], order: readonly string[]): readonly Column<Row>[] {
  if (order.length === 0) return columns;
  const ordered = order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  for (const [index, column] of columns.entries()) {
    const before = columns[index - 1];
    if (!ordered.includes(column)) ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column);
  }
  return ordered;
}

/** The columns to draw. The name of a row always stays. */
export const shownColumns = <Row>(
  columns: readonly Column<Row>[],
  { order, hidden }: Pick<Layout, 'order' | 'hidden'>,
) => inOrder(columns, order).filter(({ id, pinned }) => pinned || !hidden.includes(id));
