// What a measurement gives: tables. They are printed, written as JSON, and shown on a page with charts.
import { format, ratiosOf, summarise } from './measurements.ts';

/** A figure of each round, in a unit that stands behind it. */
export interface Figures {
  figures: number[];
  unit?: string;
}

export type Cell = Figures | string;

export interface Row {
  name: string;
  cells: Cell[];
}

export interface Table {
  title: string;
  /** Heading of the first column, then of the cells. */
  columns: [string, ...string[]];
  rows: Row[];
  notes?: string[];
  /** What the chart shows: one cell of each row as a bar, or each row as a line over these sizes. */
  chart: { kind: 'bars'; cell: number } | { kind: 'lines'; sizes: number[] };
}

export type Target = { atLeast: number } | { atMost: number };

/** Something of the server's, taken in turn with its floor where it has one. */
export interface Comparison {
  name: string;
  unit: string;
  ours: number[];
  floor?: number[];
  /** Of the ratio; of the figure where there is no floor. */
  target?: Target;
}

/** A table of comparisons; its chart shows the ratios. */
export function compare(title: string, comparisons: Comparison[], notes?: string[]): Table {
  return {
    title,
    columns: ['', 'Apotheca', 'floor', 'ratio', 'target'],
    rows: comparisons.map(({ name, unit, ours, floor, target }) => {
      const ratios = floor && ratiosOf(ours, floor);
      return {
        name,
        cells: [
          { figures: ours, unit },
          floor ? { figures: floor, unit } : '',
          ratios ? { figures: ratios } : '',
          target ? verdictOn(ratios ?? ours, target) : '',
        ],
      };
    }),
    notes,
    chart: { kind: 'bars', cell: 2 },
  };
}

/** Whether the median keeps the target, in words. */
export function verdictOn(figures: number[], target: Target): string {
  const { median } = summarise(figures);
  const [bound, isMet] =
    'atLeast' in target
      ? [`at least ${target.atLeast}`, median >= target.atLeast]
      : [`at most ${target.atMost}`, median <= target.atMost];
  return `${isMet ? 'met' : 'MISSED'}: ${bound}`;
}

export const textOf = (cell: Cell): string =>
  typeof cell === 'string' ? cell : format(summarise(cell.figures), cell.unit);

/** A table as lines of text. */
export function printed({ title, columns, rows, notes = [] }: Table): string {
  const lines = [columns, ...rows.map(({ name, cells }) => [name, ...cells.map(textOf)])];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const padded = lines.map((line) =>
    line
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return ['', title, ...padded.map((line) => `  ${line}`), ...notes.map((note) => `  ${note}`)].join('\n');
}
