/** How a command prints: for people, or as JSON for programs. */
export interface Output {
  isJson: boolean;
}

/** The columns of a table: each header with what of a row stands below it. */
export type Columns<Row> = Record<string, (row: Row) => string | number | boolean | null | undefined>;

/** Prints rows as a table. */
export function printRows<Row>({ isJson }: Output, rows: readonly Row[], columns: Columns<Row>): void {
  if (isJson) {
    printJson(rows);
    return;
  }
  const texts = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((read) => shown(read(row))))];
  const widths = Object.keys(columns).map((_, column) => Math.max(...texts.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  process.stdout.write(texts.map((cells) => `${line(cells).trimEnd()}\n`).join(''));
}

/** Prints the fields of a record below each other. */
export function printRecord({ isJson }: Output, record: object): void {
  if (isJson) {
    printJson(record);
    return;
  }
  const fields = Object.entries(record).filter(([, value]) => typeof value !== 'object' || value === null);
  const width = Math.max(...fields.map(([name]) => name.length));
  process.stdout.write(fields.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}\n`).join(''));
}

/** Prints what a call has done. */
export function printDone({ isJson }: Output, result: unknown, message: string): void {
  if (isJson) {
    printJson(result);
    return;
  }
  process.stdout.write(`${shownLines(message || 'Done.')}\n`);
}

const printJson = (value: unknown) => process.stdout.write(`${jsonOf(value, 2)}\n`);

/** A value as JSON. Of the control characters JSON itself escapes only those below 0x20; terminals obey others too. */
export const jsonOf = (value: unknown, indent = 0): string =>
  JSON.stringify(value ?? null, null, indent).replace(
    /[\u007f-\u009f]/g,
    (one) => `\\u00${one.charCodeAt(0).toString(16)}`,
  );

/** A value as a line of the terminal: what others have named may hold no control characters, which could move the cursor. */
export const shown = (value: unknown): string => String(value ?? '').replace(/\p{Cc}/gu, ' ');

/** The same for a text that may have several lines. */
export const shownLines = (text: string): string => text.split('\n').map(shown).join('\n');
