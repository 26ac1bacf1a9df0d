import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SHEET = readFileSync(join(import.meta.dirname, 'tokens.scss'), 'utf8');
const [LIGHT = '', DARK = ''] = SHEET.split("[data-bs-theme='dark']");

/** Colour tokens of a part of the sheet: name without `--ap-` to its six hex digits. */
function coloursOf(part: string): Record<string, string> {
  const found = part.matchAll(/--ap-([a-z-]+): #([0-9a-f]{3,6});/g);
  return Object.fromEntries(
    [...found].map(([, name, hex = '']) => [name, hex.length === 3 ? hex.replace(/./g, '$&$&') : hex]),
  );
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ['bg', 'surface', 'raised', 'sunken', 'hover'];
const TONES = ['success', 'warning', 'danger', 'info'];
const TEXT_PAIRS = [
  ...['text', 'muted', 'faint', 'primary', 'primary-hover', ...TONES].flatMap((text) =>
    GROUNDS.map((ground) => [text, ground] as const),
  ),
  ...['primary', ...TONES].flatMap((tone) => [[tone, `${tone}-soft`] as const, ['text', `${tone}-soft`] as const]),
  ['on-primary', 'primary'] as const,
  ['on-primary', 'primary-hover'] as const,
  ...TONES.map((tone) => ['on-fill', tone] as const),
];
const EDGE_PAIRS = [
  ['line-control', 'surface'],
  ['line-control', 'raised'],
  ['primary', 'surface'],
  ['danger', 'surface'],
] as const;

function tooFaint(colours: Record<string, string>, pairs: readonly (readonly [string, string])[], least: number) {
  return pairs
    .map(([one, other]) => ({ pair: `${one} on ${other}`, ratio: contrast(colours[one] ?? '', colours[other] ?? '') }))
    .filter(({ ratio }) => !(ratio >= least));
}

test.each([
  ['light', coloursOf(LIGHT)],
  ['dark', coloursOf(DARK)],
])('%s: every text has a contrast of at least 4.5:1, every edge of a control 3:1 [§9]', (_, colours) => {
  expect(tooFaint(colours, TEXT_PAIRS, 4.5)).toEqual([]);
  expect(tooFaint(colours, EDGE_PAIRS, 3)).toEqual([]);
});

test('dark sets every colour that light sets [§3]', () => {
  expect(Object.keys(coloursOf(DARK)).sort()).toEqual(Object.keys(coloursOf(LIGHT)).sort());
});

test('texts have four weights [§9]', () => {
  const sheets = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.scss'))
    .map((path) => readFileSync(join(import.meta.dirname, '..', path), 'utf8'));
  const weights = sheets.flatMap((sheet) => [...sheet.matchAll(/(?:font-weight|-weight-bolder|font): (\d{3})\b/g)]);
  expect([...new Set(weights.map(([, weight]) => weight))].sort()).toEqual(['400', '550', '600', '650']);
});
