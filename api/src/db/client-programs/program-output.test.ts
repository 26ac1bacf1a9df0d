import { expect, it } from 'vitest';
import { LONGEST_MESSAGE, lineCutter } from './program-output.ts';

function linesOf(chunks: Iterable<Buffer>): string[] {
  const lines: string[] = [];
  const take = lineCutter((line) => lines.push(line));
  for (const chunk of chunks) take(chunk);
  return lines;
}

it('joins lines and characters that are spread over chunks [§2.13]', () => {
  const bytes = Buffer.from('one\nzwölf\n\nlast\n');
  expect(linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(['one', 'zwölf', '', 'last']);
});

it('keeps only the beginning of a line of 600 MB, and reads on after it [§2.13]', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  function* chunks() {
    for (let sent = 0; sent < 600; sent += 1) yield megabyte;
    yield Buffer.from('\nnext\n');
  }
  expect(linesOf(chunks())).toEqual(['x'.repeat(LONGEST_MESSAGE), 'next']);
});
