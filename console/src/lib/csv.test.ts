import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('cells with commas, quotes or line ends are quoted [§2.6]', () => {
  expect(toCsv([['a', 'b, c', 'say "hi"', 'two\nlines']])).toBe('a,"b, c","say ""hi""","two\nlines"\r\n');
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1 217', "'+1 217"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "\t'=1"],
  ['\r=1', "\r'=1"],
  // Where cells are separated by semicolons or tabs, the quotation marks around a cell do not hold it together.
  ['x;=1+1;y', "x;'=1+1;y"],
  ['x\t+1', "x\t'+1"],
  ['x\n@A1', "x\n'@A1"],
  ['x; "-1', "x; '-1"],
])('%j is kept from running as a formula [§2.6]', (value, expected) => {
  expect(toCsv([[value]]).replaceAll('"', '')).toBe(`${expected}\r\n`);
});

test('a formula character further inside is left alone [§2.6]', () => {
  expect(toCsv([['a=b', '(217) 555-0142']])).toBe('a=b,(217) 555-0142\r\n');
});
