import { saveFile } from './save-file.ts';

// A spreadsheet runs a cell that begins with one of these as a formula, whoever typed it into the console.
const FORMULA_START = /^[=+\-@\t\r]/;

const cell = (value: string): string => {
  const harmless = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Rows as CSV text (RFC 4180); a leading ' makes plain text of a cell that a spreadsheet would run as a formula. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

// Without this mark Excel reads UTF-8 as the machine's old code page.
const BYTE_ORDER_MARK = '\ufeff';

/** Lets the browser save a CSV text as a file. */
export const downloadCsv = (fileName: string, csv: string): void =>
  saveFile(fileName, new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' }));
