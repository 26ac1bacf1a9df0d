import { describe, expect, it } from 'vitest';
import { readCopyText } from './copy-text.ts';
import { decoderOf, escaped } from './encodings.ts';
import type { ForeignRow } from './foreign-source.ts';

/** Reads a text that comes in chunks of a length. */
async function read(text: Buffer, columns: number, length: number): Promise<(string | null)[][]> {
  const rows: ForeignRow[] = [];
  const chunks = async function* () {
    const chunk = Buffer.alloc(length);
    for (let at = 0; at < text.length; at += length) {
      // The same memory each time, as an unpacker may give it.
      const copied = text.copy(chunk, 0, at, at + length);
      yield chunk.subarray(0, copied);
    }
  };
  await readCopyText(chunks(), columns, async (batch) => {
    rows.push(...batch);
  });
  return rows.map((row) => row.map((value) => (value === null ? null : value.toString('utf8'))));
}

describe('the text of COPY', () => {
  it('is read the same however it is cut [§2.13]', async () => {
    const lines = [
      'a\tb\\tc\\n\\\\d\t\\N',
      '\t\t',
      'Köln\t\\b\\f\\v\\r\t\\101\\x42\\x4',
      '\\\\N\t\\.x\t\\q',
      'only one',
      'one\ttwo\tthree\tfour',
    ];
    const text = Buffer.from(`${lines.join('\n')}\n\\.\n\n\n`);
    const expected = [
      ['a', 'b\tc\n\\d', null],
      ['', '', ''],
      ['Köln', '\b\f\v\r', 'AB\x04'],
      ['\\N', '.x', 'q'],
      ['only one'],
      ['one', 'two', 'three', 'four'],
    ];
    for (let length = 1; length <= text.length; length += 1) expect(await read(text, 3, length)).toEqual(expected);
  });

  it('knows a row of one empty text from a row without columns [§2.13]', async () => {
    const text = Buffer.from('\n\n\\.\n');
    expect(await read(text, 1, 100)).toEqual([[''], ['']]);
    expect(await read(text, 0, 100)).toEqual([[], []]);
  });

  it('that ends too early is refused [§2.13]', async () => {
    await expect(read(Buffer.from('1\n2\n'), 1, 100)).rejects.toThrow('the rows of a table end too early');
  });
});

describe('bytes', () => {
  it('are texts in the encoding of the source, or none at all [§2.13]', () => {
    const bytes = Buffer.from([0x4b, 0xf6, 0x80]);
    expect(decoderOf('LATIN1')(bytes)).toBe('Kö\u0080');
    expect(decoderOf('WIN1252')(bytes)).toBe('Kö€');
    expect(decoderOf('UTF8')(bytes)).toBeUndefined();
    expect(decoderOf('SQL_ASCII')(Buffer.from('Kö'))).toBe('Kö');
    expect(decoderOf('UTF8')(Buffer.from('\ufeffKö'))).toBe('\ufeffKö');
    expect(decoderOf('LATIN1')(Buffer.from([0]))).toBeUndefined();
    expect(decoderOf('EUC_JP')(Buffer.from([0xa4, 0xa2]))).toBe('あ');
    expect(() => decoderOf('MULE_INTERNAL')).toThrow('pg_dump --encoding=UTF8');
    expect(escaped(bytes)).toBe('K\\xf6\\x80');
  });
});
