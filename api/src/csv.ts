// Without this mark Excel reads UTF-8 as the machine's old code page.
const BYTE_ORDER_MARK = '\ufeff';
// A spreadsheet runs a cell that begins with one of these as a formula, whoever typed it.
const FORMULA_START = /^[=+\-@\t\r]/;

/** The first line of a file of comma-separated values. */
export const csvHeading = (names: readonly string[]): string => `${BYTE_ORDER_MARK}${names.join(',')}\r\n`;

/** A line of a file of comma-separated values. */
export const csvRow = (values: readonly (string | null)[]): string => `${values.map(cell).join(',')}\r\n`;

function cell(value: string | null): string {
  const text = value ?? '';
  const harmless = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
