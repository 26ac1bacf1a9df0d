/** 'a, b and c' */
export function inWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(parts);
}

/** '1,234 rows' */
export function rowsInWords(rows: number): string {
  return `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
}

/** '3 tables' */
export function tablesInWords(tables: number): string {
  return `${tables} ${tables === 1 ? 'table' : 'tables'}`;
}

/** A text that may be of any length, as it is shown in a sentence. */
export function beginningOf(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text;
}
