/** Median, smallest and largest of some figures. */
export interface Summary {
  median: number;
  min: number;
  max: number;
}

export function summarise(figures: number[]): Summary {
  return { median: quantile(figures, 0.5), min: Math.min(...figures), max: Math.max(...figures) };
}

/** The figure below which this share of the figures lies, between two of them in proportion. */
export function quantile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place % 1);
}

/** What each round's figure is to that of the floor in the same round. */
export const ratiosOf = (ours: number[], floor: number[]): number[] =>
  ours.map((figure, round) => figure / (floor[round] ?? Number.NaN));

/** 'median (min–max)' with three significant digits; a figure that stands alone has no spread. */
export function format({ median, min, max }: Summary, unit = ''): string {
  if (min === max) return `${digits(median)}${unit}`;
  return `${digits(median)}${unit} (${digits(min)}–${digits(max)})`;
}

function digits(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}

/** Milliseconds that something takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Takes figures of several ways to do one thing, round by round; the first round warms up and does not count. */
export async function takeTurns<Way extends string, Figure = number>(
  rounds: number,
  ways: Record<Way, () => Promise<Figure>>,
): Promise<Record<Way, Figure[]>> {
  const names = Object.keys(ways) as Way[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Way, Figure[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const figure = await ways[name]();
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}
