import { daysBetween } from '../../lib/expiry.ts';

/** The size of the picture, in its own units. */
export const WIDTH = 600;
export const HEIGHT = 160;

/** The largest value reaches up to this part of the height. */
const FILLED = 0.9;

/** A figure at a day (YYYY-MM-DD). */
export interface DayValue {
  day: string;
  value: number;
}

/**
 * The points of a curve: days from left to right in their distance, values from the bottom, which is 0.
 * @param values one at least, oldest first; a single one is a level line
 */
export function curveOf(values: readonly DayValue[]) {
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last) throw new Error('A curve needs a value');
  const days = daysBetween(first.day, last.day);
  const top = Math.max(...values.map(({ value }) => value));
  const points = (days === 0 ? [first, last] : values).map(({ day, value }, index) => {
    const x = days === 0 ? index * WIDTH : (daysBetween(first.day, day) / days) * WIDTH;
    return `${round(x)},${round(HEIGHT * (1 - (value / (top || 1)) * FILLED))}`;
  });
  return { line: points.join(' '), area: `0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`, top, first, last };
}

const round = (value: number): number => Math.round(value * 10) / 10;
