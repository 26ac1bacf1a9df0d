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

/** 'median (min–max)' with three significant digits; a figure that stands alone has no spread. */
export function format({ median, min, max }: Summary, unit = ''): string {
  if (min === max) return `${digits(median)}${unit}`;
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

/** A line with figures that have a bound of their own. */
export function reportBound(title: string, figures: number[], unit: string, atMost: number): string {
  const summary = summarise(figures);
  return `${summary.median <= atMost ? 'met   ' : 'MISSED'} ${title}: ${format(summary, unit)}, target at most ${atMost}${unit}`;
}

/** Milliseconds that something takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Takes figures of several ways to do one thing, round by round; the first round warms up and does not count. */
export async function takeTurns<Way extends string>(
  rounds: number,
  ways: Record<Way, () => Promise<number>>,
): Promise<Record<Way, number[]>> {
  const names = Object.keys(ways) as Way[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Way, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const figure = await ways[name]();
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}
