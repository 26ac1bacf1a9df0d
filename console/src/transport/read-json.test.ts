import { describe, expect, test, vi } from 'vitest';
import { readJson } from './read-json.ts';

const envelope = (result: string) => `{"status":200,"success":true,"message":"OK","result":${result}}`;
/** As PostgreSQL's json_agg writes them. */
const asLines = (rows: readonly unknown[]) => `[${rows.map((row) => JSON.stringify(row)).join(', \n ')}]`;
const makeRows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), name: 'a,\\n"]}{ \n'.repeat(20), parts: [n, { n }] }));

describe('the JSON text of an answer', () => {
  test.each([0, 1, 2, 3, 2000, 5000])('with %d rows is read as JSON.parse reads it', async (count) => {
    const text = envelope(asLines(makeRows(count)));
    expect(await readJson(text)).toEqual(JSON.parse(text));
  });

  test('that is long is read in parts of about a quarter of a megabyte', async () => {
    const text = envelope(asLines(makeRows(5000)));
    const parse = vi.spyOn(JSON, 'parse');
    await readJson(text);
    const lengths = parse.mock.calls.map(([part]) => part.length);
    parse.mockRestore();
    expect(lengths.length).toBeGreaterThan(4);
    expect(Math.max(...lengths)).toBeLessThan(300_000);
  });

  const kids = makeRows(4000).map(({ name }) => name);
  test.each([
    [
      'rows within rows',
      envelope(`[{"kids":[1, \n2]}, \n{"kids":${JSON.stringify(kids).replaceAll('","', '", \n"')}}]`),
    ],
    ['one row with lines of its own', envelope(`[{"kids":${JSON.stringify(kids).replaceAll('","', '", \n"')}}]`)],
    ['an object as its result', envelope(`{"permissions":${asLines(makeRows(5000))}}`)],
    ['no lines', envelope(JSON.stringify(makeRows(5000)))],
    ['more behind the rows', envelope(asLines(makeRows(5000))).replace(/\}$/, ',"more":[1]}')],
  ])('with %s is read as a whole', async (_what, text) => {
    expect(await readJson(text)).toEqual(JSON.parse(text));
  });

  test('that is empty is null, and one that is cut off is an error', async () => {
    expect(await readJson('')).toBeNull();
    const text = envelope(asLines(makeRows(5000)));
    await expect(readJson(text.slice(0, -5))).rejects.toThrow(SyntaxError);
    await expect(readJson(text.replace(/"parts":\[3000/, '"parts":[[3000'))).rejects.toThrow(SyntaxError);
  });
});
