import type { DatabaseSize } from '@apotheca/contract/databases';
import { daysBetween } from '../../../lib/expiry.ts';

/** The size of the picture, in its own units. */
export const WIDTH = 600;
export const HEIGHT = 160;

/** The largest size reaches up to this part of the height. */
const FILLED = 0.9;

/**
 * The points of a curve of sizes: days from left to right in their distance, sizes from the bottom, which is 0.
 * @param sizes one at least, oldest first; a single one is a level line
 */
export function curveOf(sizes: readonly DatabaseSize[]) {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last) throw new Error('A curve needs a size');
  const days = daysBetween(first.day, last.day);
  const top = Math.max(...sizes.map(({ sizeBytes }) => sizeBytes), 1);
  const points = (days === 0 ? [first, last] : sizes).map(({ day, sizeBytes }, index) => {
    const x = days === 0 ? index * WIDTH : (daysBetween(first.day, day) / days) * WIDTH;
    return `${round(x)},${round(HEIGHT * (1 - (sizeBytes / top) * FILLED))}`;
  });
  return { line: points.join(' '), area: `0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`, top, first, last };
}

const round = (value: number): number => Math.round(value * 10) / 10;
