import { inLanguage } from '../locales/formats.ts';

const plain = inLanguage((locale) => new Intl.NumberFormat(locale));
const tenths = inLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const rounded = inLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A count with separators between its thousands. */
export const formatCount = (count: number): string => plain().format(count);

/** A figure with one digit of its fraction, also where that is 0. */
export const formatTenths = (figure: number): string => tenths().format(figure);

/** A size in PostgreSQL's units: each is 1,024 of the one before. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${rounded().format(bytes / 1024 ** power)} ${UNITS[power]}`;
}
