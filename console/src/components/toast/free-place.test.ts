import { expect, test } from 'vitest';
import { freePlace } from './free-place.ts';

const SIZE = { width: 300, height: 60 };
const WINDOW = { width: 1000, height: 600 };
const [TOP, BOTTOM, LEFT, CENTRE, RIGHT] = [16, 524, 16, 350, 684];

const place = (...controls: DOMRect[]) => freePlace(SIZE, WINDOW, controls);
/** A row of controls across the window. */
const row = (top: number, height: number) => new DOMRect(0, top, 1000, height);

test('a toast stands at the top right while no control is there, one that it only touches included [§9]', () => {
  expect(place()).toEqual({ left: RIGHT, top: TOP });
  expect(place(new DOMRect(100, 0, 584, 500), new DOMRect(684, 76, 100, 30))).toEqual({ left: RIGHT, top: TOP });
});

test('it goes below what it would cover at the top right [§9]', () => {
  expect(place(row(10, 40))).toEqual({ left: RIGHT, top: 58 });
});

test('then to the bottom right, the bottom left, the top centre, the bottom centre and the top left [§9]', () => {
  const right = [new DOMRect(900, 20, 20, 20), new DOMRect(900, 80, 20, 20)];
  const bottomRight = new DOMRect(900, 540, 20, 20);
  const bottomLeft = new DOMRect(30, 540, 20, 20);
  const topCentre = new DOMRect(500, 20, 20, 20);
  const bottomCentre = new DOMRect(500, 540, 20, 20);
  expect(place(...right)).toEqual({ left: RIGHT, top: BOTTOM });
  expect(place(...right, bottomRight)).toEqual({ left: LEFT, top: BOTTOM });
  expect(place(...right, bottomRight, bottomLeft)).toEqual({ left: CENTRE, top: TOP });
  expect(place(...right, bottomRight, bottomLeft, topCentre)).toEqual({ left: CENTRE, top: BOTTOM });
  expect(place(...right, bottomRight, bottomLeft, topCentre, bottomCentre)).toEqual({ left: LEFT, top: TOP });
});

test('then to any gap between controls [§9]', () => {
  const { left, top } = place(row(0, 300), row(380, 220));
  expect(left).toBe(RIGHT);
  expect(top).toBeGreaterThanOrEqual(300);
  expect(top + SIZE.height).toBeLessThanOrEqual(380);
});

test('where no place is free, to the one that covers least [§9]', () => {
  const { left, top } = place(row(0, 300), row(310, 290), new DOMRect(0, 300, 700, 10));
  expect(left).toBe(RIGHT);
  expect(top).toBeLessThanOrEqual(300);
  expect(top + SIZE.height).toBeGreaterThanOrEqual(310);
});

test('in a window that is hardly wider it stands in the middle, and never outside of a smaller one [§9]', () => {
  expect(freePlace(SIZE, { width: 310, height: 600 }, [])).toEqual({ left: 5, top: 5 });
  expect(freePlace(SIZE, { width: 200, height: 40 }, [])).toEqual({ left: 0, top: 0 });
});
