import { csvCell } from '@apotheca/contract/csv';
import { saveFile } from './save-file.ts';

/** Rows as CSV text. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

// Without this mark Excel reads UTF-8 as the machine's old code page.
const BYTE_ORDER_MARK = '\ufeff';

/** Lets the browser save a CSV text as a file. */
export const downloadCsv = (fileName: string, csv: string): void =>
  saveFile(fileName, new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' }));
