import { readFileSync } from 'node:fs';

/** A line a column: table.column, and the comment that its migration gives it. A test writes the file and compares it with the migrations. */
const LINE = /^(\S+) (.+)$/gm;

/** The rule of each of the platform's own columns, by table.column: 'identifier: phone', 'not identifying'. */
export const PLATFORM_RULES: ReadonlyMap<string, string> = new Map(
  Array.from(
    readFileSync(new URL('./platform-rules.txt', import.meta.url), 'utf8').matchAll(LINE),
    ([, column = '', rule = '']) => [column, rule],
  ),
);
