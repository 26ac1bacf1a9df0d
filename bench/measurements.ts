/** Median, smallest and largest of some figures. */
export interface Summary {
  median: number;
  min: number;
  max: number;
}

export function summarise(figures: number[]): Summary {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
  return { median, min: at(sorted, 0), max: at(sorted, sorted.length - 1) };
}

const at = (figures: number[], index: number) => figures[index] ?? Number.NaN;

/** 'median (min–max)' with three significant digits. */
export function format({ median, min, max }: Summary, unit = ''): string {
  return `${digits(median)}${unit} (${digits(min)}–${digits(max)})`;
}

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** Figures of two ways to do one thing, taken in turn, and what the ratio of their medians should be. */
export interface Comparison {
  title: string;
  ours: number[];
  floor: number[];
  unit: string;
  target: { atLeast: number } | { atMost: number };
}

/** A line with both figures, the ratio pair by pair, and whether the target is met. */
export function report({ title, ours, floor, unit, target }: Comparison): string {
  const ratios = summarise(ours.map((figure, round) => figure / (floor[round] ?? Number.NaN)));
  const isMet = 'atLeast' in target ? ratios.median >= target.atLeast : ratios.median <= target.atMost;
  const bound = 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
  const figures = `Apotheca ${format(summarise(ours), unit)}, floor ${format(summarise(floor), unit)}`;
  return `${isMet ? 'met   ' : 'MISSED'} ${title}: ${figures}, ratio ${format(ratios)}, target ${bound}`;
}
