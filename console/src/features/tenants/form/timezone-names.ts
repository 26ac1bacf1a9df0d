import { textSearch } from '../../../lib/text-search.ts';
import type { TenantLookups } from './tenant-form-values.ts';

export type Timezone = TenantLookups['timezones'][number];

const JANUARY = new Date('2026-01-15T12:00:00Z');
const JULY = new Date('2026-07-15T12:00:00Z');
/** One day of standard time and one of daylight saving time, on either hemisphere. */
const DAYS = [JANUARY, JULY];

/** Cities that people look for under another name than that of their zone's id. */
const OTHER_CITIES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Coral_Harbour': 'Atikokan',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Atlantic/Faeroe': 'Faroe',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
};

/** Finds time zones by id, city, name, short name and offset. */
export const timezoneSearch = textSearch<Timezone>(({ id, displayName }) => [
  id,
  OTHER_CITIES[id] ?? '',
  displayName,
  ...shortOffsets(displayName),
  ...timezoneNames(id),
]);

/**
 * 'Central Standard Time', 'Central Daylight Time', 'Central Time', 'CST', 'CDT' and 'CT' of 'America/Chicago'. Intl
 * knows the short names of North America; those of other zones are their initials.
 * @returns nothing where the browser does not know the zone
 */
export function timezoneNames(id: string): string[] {
  try {
    const long = nameReader(id, 'long');
    const short = nameReader(id, 'short');
    const seasons = DAYS.flatMap((day) => [long(day), isOffset(short(day)) ? initials(long(day)) : short(day)]);
    const allYear = nameReader(id, 'longGeneric')(JANUARY);
    return [...new Set([...seasons, allYear, initials(allYear)])].filter((name) => name !== '' && !isOffset(name));
  } catch {
    // The server's zones are those of its own library.
    return [];
  }
}

/** Reads the name of a zone on a day. */
function nameReader(timeZone: string, timeZoneName: 'long' | 'short' | 'longGeneric') {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName });
  return (day: Date): string => format.formatToParts(day).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Intl writes 'GMT-3' where it knows no name. */
const isOffset = (name: string): boolean => /^GMT[+-]/.test(name);

const initials = (name: string): string => (isOffset(name) ? '' : (name.match(/\p{Lu}/gu) ?? []).join(''));

/** 'UTC-6' and 'GMT-6' of '(UTC-06:00) Central Time (Chicago)', as the server names time zones. */
function shortOffsets(displayName: string): string[] {
  const [, sign, hours, minutes] = /^\(UTC([+-])0?(\d+)(:\d\d)/.exec(displayName) ?? [];
  if (sign === undefined) return [];
  return ['UTC', 'GMT'].map((word) => `${word}${sign}${hours}${minutes === ':00' ? '' : minutes}`);
}
