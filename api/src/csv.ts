import { csvCell } from '@apotheca/contract/csv';

// Without this mark Excel reads UTF-8 as the machine's old code page.
const BYTE_ORDER_MARK = '\ufeff';

/** The first line of a file of comma-separated values. */
export const csvHeading = (names: readonly string[]): string => `${BYTE_ORDER_MARK}${names.join(',')}\r\n`;

/** A line of a file of comma-separated values. */
export const csvRow = (values: readonly (string | null)[]): string =>
  `${values.map((value) => csvCell(value ?? '')).join(',')}\r\n`;
