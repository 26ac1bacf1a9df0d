import { FormatError } from '../../backups/archive/archive-reader.ts';
import type { ForeignRow } from './foreign-source.ts';

const LINE_END = 10;
const TAB = 9;
const BACKSLASH = 92;
const ZERO = 48;
const SEVEN = 55;
const X = 120;
/** A longer line was written to fill the memory. */
const MAX_LINE = 64 * 1024 * 1024;
/** How many rows, and how many of their bytes, are given at once. */
const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** What a backslash and a letter stand for (PostgreSQL manual, COPY, text format). */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }).map(([letter, byte]) => [letter.charCodeAt(0), byte]),
);

/**
 * Reads rows as COPY writes them to text, up to the line that ends them.
 * @param columns how many a row should have
 * @throws FormatError when that line is missing
 */
export async function readCopyText(
  chunks: AsyncIterable<Buffer>,
  columns: number,
  take: (rows: ForeignRow[]) => Promise<void>,
): Promise<void> {
  let rows: ForeignRow[] = [];
  let bytes = 0;
  let isWhole = false;
  for await (const line of linesOf(chunks)) {
    isWhole ||= line.length === 2 && line.toString('latin1') === '\\.';
    // Empty lines follow: they are read too, as the checksum stands behind them.
    if (isWhole) continue;
    // Without columns a row is an empty line, as a row of one empty text is.
    rows.push(columns === 0 && line.length === 0 ? [] : fieldsOf(line));
    bytes += line.length;
    if (rows.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    await take(rows);
    rows = [];
    bytes = 0;
  }
  if (!isWhole) throw new FormatError('the rows of a table end too early');
  if (rows.length > 0) await take(rows);
}

/** The lines of a text without their ends. What follows the last line end is no line. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      const rest = chunk.subarray(from, end);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      length = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    // A copy: the unpacked bytes are overwritten by those that follow.
    begun.push(Buffer.from(chunk.subarray(from)));
    length += chunk.length - from;
    if (length > MAX_LINE) throw new FormatError('a row in it is longer than 64 MiB');
  }
}

/** The values of a line. */
function fieldsOf(line: Buffer): ForeignRow {
  const fields: (Buffer | null)[] = [];
  for (let from = 0; from <= line.length; ) {
    const tab = line.indexOf(TAB, from);
    const end = tab < 0 ? line.length : tab;
    fields.push(unescaped(line.subarray(from, end)));
    from = end + 1;
  }
  return fields;
}

function unescaped(field: Buffer): Buffer | null {
  if (!field.includes(BACKSLASH)) return Buffer.from(field);
  if (field.length === 2 && field.toString('latin1') === '\\N') return null;
  const value = Buffer.alloc(field.length);
  let length = 0;
  for (let at = 0; at < field.length; ) {
    const { byte, next } = field[at] === BACKSLASH ? escapeAt(field, at + 1) : { byte: field[at] ?? 0, next: at + 1 };
    value[length] = byte;
    length += 1;
    at = next;
  }
  return value.subarray(0, length);
}

/** @param at where the letter behind the backslash stands */
function escapeAt(field: Buffer, at: number): { byte: number; next: number } {
  const letter = field[at] ?? BACKSLASH;
  const isOctal = letter >= ZERO && letter <= SEVEN;
  const digits = field.toString('latin1', isOctal ? at : at + 1, at + 3);
  const [code] = (isOctal ? /^[0-7]{1,3}/ : /^[0-9a-f]{1,2}/i).exec(digits) ?? [];
  if (isOctal && code) return { byte: Number.parseInt(code, 8) & 255, next: at + code.length };
  if (letter === X && code) return { byte: Number.parseInt(code, 16), next: at + 1 + code.length };
  return { byte: ESCAPES.get(letter) ?? letter, next: at + 1 };
}
