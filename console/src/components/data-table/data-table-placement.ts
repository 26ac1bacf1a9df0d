import type { CSSProperties } from 'react';
import type { Column } from './data-table-types.ts';

/** A column and where its cells stand in the grid of each row. */
export interface PlacedColumn<Row> {
  column: Column<Row>;
  /** Absent: not seen, but read out. */
  area?: Pick<CSSProperties, 'gridColumn' | 'gridRow' | 'justifySelf'>;
  /** Of two that share a width. */
  line?: 'above' | 'below';
}

/** Where the cells of a table stand: every row is a grid, so that two columns can share a width, one below the other. */
export interface Placement<Row> {
  columns: readonly PlacedColumn<Row>[];
  /** The columns that share a width, from the left. */
  tracks: readonly (readonly Column<Row>[])[];
  /** The height of a row in rem; a cell with more lines of its own makes its row higher. */
  height: number;
  /** Where the check box of a row stands. */
  selection: NonNullable<PlacedColumn<Row>['area']>;
  actions: NonNullable<PlacedColumn<Row>['area']>;
}

const LINE = 2.75;
const COMPACT_LINE = 2.25;
const TWO_LINES = 3.25;

interface RowOptions {
  /** All columns beside each other, in low rows. */
  isCompact: boolean;
  /** A check box stands before the first column. */
  isSelectable: boolean;
}

/** Rows with columns, one below another where they say so. */
export function placeInRows<Row>(
  columns: readonly Column<Row>[],
  { isCompact, isSelectable }: RowOptions,
): Placement<Row> {
  const tracks: Column<Row>[][] = [];
  for (const column of columns) {
    const track = tracks.at(-1);
    if (!isCompact && track?.length === 1 && track[0]?.id === column.below) track.push(column);
    else tracks.push([column]);
  }
  const lines = Math.max(1, ...tracks.map(({ length }) => length));
  const whole = lines === 1 ? '1' : `1 / span ${lines}`;
  const first = isSelectable ? 2 : 1;
  const placed = tracks.flatMap((track, index) =>
    track.map((column, line): PlacedColumn<Row> => {
      const gridColumn = index + first;
      if (track.length === 1) return { column, area: { gridColumn, gridRow: whole } };
      return { column, area: { gridColumn, gridRow: line + 1 }, line: line === 0 ? 'above' : 'below' };
    }),
  );
  const height = lines > 1 ? TWO_LINES : isCompact ? COMPACT_LINE : LINE;
  const selection = { gridColumn: 1, gridRow: whole };
  return { columns: placed, tracks, height, selection, actions: { gridColumn: tracks.length + first, gridRow: whole } };
}

const CARD = { name: 2.75, others: 1.5, actions: 2.5 };

/** Cards: the name, below it what else is on a card, below that the buttons. */
export function placeOnCards<Row>(columns: readonly Column<Row>[], hasActions: boolean): Placement<Row> {
  const first = columns.find(({ pinned }) => pinned) ?? columns[0];
  const others = columns.filter((column) => column !== first && column.onCard);
  const area = (column: Column<Row>) => {
    if (column === first) return { gridColumn: '1 / -1', gridRow: 1 };
    return column.onCard && { gridColumn: others.indexOf(column) + 1, gridRow: 2 };
  };
  return {
    columns: columns.map((column) => ({ column, area: area(column) })),
    tracks: others.map((column) => [column]),
    height: CARD.name + (others.length > 0 ? CARD.others : 0) + (hasActions ? CARD.actions : 0),
    // In the corner, beside the name.
    selection: { gridColumn: '1 / -1', gridRow: 1, justifySelf: 'end' },
    actions: { gridColumn: '1 / -1', gridRow: 3 },
  };
}
