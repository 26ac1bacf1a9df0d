/** 'a, b and c' */
export function inWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(parts);
}

/** '1,234 rows' @param noun that takes an s where there are several */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

/** '1,234 rows' */
export const rowsInWords = (rows: number): string => counted(rows, 'row');

/** '3 tables' */
export const tablesInWords = (tables: number): string => counted(tables, 'table');

/** A text that may be of any length, as it is shown in a sentence. */
export function beginningOf(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text;
}
