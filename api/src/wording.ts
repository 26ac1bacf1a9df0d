/** [a, b, c] as 'a, b and c'. */
export function inWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(parts);
}

/** '2026-11-27 23:20:05 UTC' */
export const momentInWords = (moment: Date): string => `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The day of a moment in UTC, plus some days, as YYYY-MM-DD. */
export const utcDay = (moment: Date, plusDays = 0): string =>
  new Date(moment.getTime() + plusDays * 86_400_000).toISOString().slice(0, 10);

/** A number of things, '1,234 rows'. @param noun in the singular; its plural ends in s */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

/** '1,234 rows' */
export const rowsInWords = (rows: number): string => counted(rows, 'row');

/** '3 tables' */
export const tablesInWords = (tables: number): string => counted(tables, 'table');

/** A text of any length, shortened for use in a sentence. */
export function beginningOf(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text;
}

/** A text from elsewhere, as the names in an archive, without characters that nobody sees or that PostgreSQL cannot store. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '\uFFFD');

/** A sentence of another program, on one line and without its full stop, for use in a sentence. */
export const withoutEnd = (text: string): string => text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
