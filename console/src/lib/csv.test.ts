import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('cells with commas, quotes or line ends are quoted [§2.6]', () => {
  expect(toCsv([['a', 'b, c', 'say "hi"', 'two\nlines']])).toBe('a,"b, c","say ""hi""","two\nlines"\r\n');
});

test.each(['=1+1', '+1 217', '-2', '@SUM(A1)', '\t=1', '\r=1'])(
  '%j is kept from running as a formula [§2.6]',
  (value) => {
    expect(toCsv([[value]]).replaceAll('"', '')).toBe(`'${value}\r\n`);
  },
);

test('a formula character further inside is left alone [§2.6]', () => {
  expect(toCsv([['a=b', '(217) 555-0142']])).toBe('a=b,(217) 555-0142\r\n');
});
