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

/** In rem: with the padding of a card, above and below. */
const CARD = { name: 2.5, nameWithButton: 3.75, others: 1.5 };

interface CardOptions {
  isSelectable: boolean;
  hasActions: boolean;
}

/** Cards: the name with the check box and the menu beside it, below them what else is on a card. */
export function placeOnCards<Row>(
  columns: readonly Column<Row>[],
  { isSelectable, hasActions }: CardOptions,
): Placement<Row> {
  const first = columns.find(({ pinned }) => pinned) ?? columns[0];
  const others = columns.filter((column) => column !== first && column.onCard);
  // The last one has what is left of its line.
  const leading = others.slice(0, -1);
  const afterName = leading.length + 2;
  const area = (column: Column<Row>) => {
    if (column === first) return { gridColumn: `1 / ${afterName}`, gridRow: 1 };
    if (!column.onCard) return undefined;
    const place = others.indexOf(column) + 1;
    return { gridColumn: place > leading.length ? `${place} / -1` : place, gridRow: 2 };
  };
  return {
    columns: columns.map((column) => ({ column, area: area(column) })),
    tracks: leading.map((column) => [column]),
    height: (hasActions ? CARD.nameWithButton : CARD.name) + (others.length > 0 ? CARD.others : 0),
    selection: { gridColumn: afterName, gridRow: 1 },
    actions: { gridColumn: afterName + (isSelectable ? 1 : 0), gridRow: 1 },
  };
}
