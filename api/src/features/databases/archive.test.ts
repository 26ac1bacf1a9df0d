import { expect, it } from 'vitest';
import { newestVersionIn } from './archive.ts';

const sql = (rows: string) =>
  `SET row_security = off;\n\nCOPY apotheca.schema_version (version, applied_at) FROM stdin;\n${rows}\\.\n\n--\n`;

it('finds the newest version of the schema among those that an archive lists [§2.13]', () => {
  expect(newestVersionIn(sql('1\tx\n10\tx\n9\tx\n'))).toBe(10);
  expect(newestVersionIn(sql(''))).toBeUndefined();
  expect(newestVersionIn(sql('1\tx\n').replace('\\.', ''))).toBeUndefined();
  expect(newestVersionIn('')).toBeUndefined();
});

it.each([
  ['openings without an end', '\nCOPY apotheca.schema_version (version, a) FROM stdin;\n'.repeat(32_000)],
  ['brackets without an end', `\nCOPY apotheca.schema_version (version, ${') FROM stdin'.repeat(130_000)}`],
  ['rows without an end', `\nCOPY apotheca.schema_version (version, a) FROM stdin;\n${'1\n'.repeat(800_000)}`],
])('is done with 1.6 MB of %s at once [§2.13]', (_, rows) => {
  const began = performance.now();
  expect(newestVersionIn(rows)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(500);
});

it('refuses an archive that lists more versions than there can be [§2.13]', () => {
  expect(() => newestVersionIn(sql('1\n'.repeat(800_000)))).toThrow(/lists more than a database of this platform has/);
});
