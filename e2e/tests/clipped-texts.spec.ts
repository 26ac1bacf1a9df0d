import { clippedTexts } from '../clipped-texts.ts';
import { expect, test } from '../fixtures.ts';

const LONG = 'Allergy and Asthma Associates of the Valley';
/** A box in which the text has no room. */
const box = (style: string, text = LONG) => `<div style="width: 8rem; white-space: nowrap; ${style}">${text}</div>`;

test('what looks for clipped texts finds a planted one, and lets pass what can be read or is marked as cut off [§9]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.setContent(
    [
      box('overflow: hidden', 'Cut off at its end'.padEnd(60, '.')),
      box('overflow: clip; height: 1rem; white-space: normal', 'Cut off below its first line '.repeat(3)),
      box('margin-left: 300px', 'Out of the window'.padEnd(60, '.')),
      `<div style="width: 6rem; overflow: hidden">${box('width: 8rem; overflow: hidden; text-overflow: ellipsis', 'Ellipsis cut off too'.padEnd(60, '.'))}</div>`,
      `<div style="width: 9rem; overflow: hidden">${box('overflow: hidden; text-overflow: ellipsis')}</div>`,
      box('overflow: hidden; text-overflow: ellipsis'),
      box('overflow: auto'),
      ...['', 'text-overflow: ellipsis'].map(
        (style) => `<input aria-label="any" placeholder="Placeholder that has no room" style="width: 4rem; ${style}">`,
      ),
      '<input aria-label="any" placeholder="Room" style="width: 8rem">',
      box('white-space: normal'),
      box('overflow: hidden; visibility: hidden'),
      `<div class="visually-hidden" style="position: absolute; width: 1px; height: 1px; overflow: hidden">${LONG}</div>`,
    ].join(''),
  );
  const found = await clippedTexts(page);
  expect(found.map((text) => text.slice(0, 9))).toEqual([
    'Cut off a',
    'Cut off b',
    'Out of th',
    'Ellipsis ',
    'Placehold',
  ]);
});
