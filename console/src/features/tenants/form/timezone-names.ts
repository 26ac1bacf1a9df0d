import { zoneNames } from '../../../lib/moment.ts';
import { textSearch } from '../../../lib/text-search.ts';
import { inLanguage } from '../../../locales/formats.ts';
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

/** Cities that are called otherwise in Spanish than in their zone's id; what Intl knows in Spanish is not among them. */
const SPANISH_CITIES: Readonly<Record<string, string>> = {
  'Africa/Algiers': 'Argel',
  'Africa/Cairo': 'El Cairo',
  'Africa/Johannesburg': 'Johannesburgo',
  'Africa/Tunis': 'Túnez',
  'America/Havana': 'La Habana',
  'America/St_Johns': 'San Juan de Terranova',
  'Asia/Baghdad': 'Bagdad',
  'Asia/Beirut': 'Beirut',
  'Asia/Calcutta': 'Calcuta',
  'Asia/Damascus': 'Damasco',
  'Asia/Kolkata': 'Calcuta',
  'Asia/Jerusalem': 'Jerusalén',
  'Asia/Riyadh': 'Riad',
  'Asia/Seoul': 'Seúl',
  'Asia/Shanghai': 'Shanghái',
  'Asia/Singapore': 'Singapur',
  'Asia/Tokyo': 'Tokio',
  'Atlantic/Canary': 'Canarias',
  'Europe/Amsterdam': 'Ámsterdam',
  'Europe/Athens': 'Atenas',
  'Europe/Belgrade': 'Belgrado',
  'Europe/Berlin': 'Berlín',
  'Europe/Brussels': 'Bruselas',
  'Europe/Bucharest': 'Bucarest',
  'Europe/Copenhagen': 'Copenhague',
  'Europe/Dublin': 'Dublín',
  'Europe/Istanbul': 'Estambul',
  'Europe/Lisbon': 'Lisboa',
  'Europe/London': 'Londres',
  'Europe/Luxembourg': 'Luxemburgo',
  'Europe/Moscow': 'Moscú',
  'Europe/Paris': 'París',
  'Europe/Prague': 'Praga',
  'Europe/Rome': 'Roma',
  'Europe/Sofia': 'Sofía',
  'Europe/Stockholm': 'Estocolmo',
  'Europe/Vienna': 'Viena',
  'Europe/Warsaw': 'Varsovia',
  'Europe/Zurich': 'Zúrich',
};

const search = inLanguage((locale) =>
  textSearch<Timezone>(({ id, displayName }) => [
    id,
    OTHER_CITIES[id] ?? '',
    displayName,
    ...shortOffsets(displayName),
    ...timezoneNames(id),
    ...namesIn(locale, id),
  ]),
);

/** Finds time zones by id, city, name, short name and offset, in English and in the language that is shown. */
export const timezoneSearch = (typed: string) => search()(typed);

/** 'hora oriental', 'hora de Nueva York' and more of 'America/New_York' in Spanish; nothing for English, which has more. */
function namesIn(locale: string, id: string): string[] {
  if (locale.startsWith('en')) return [];
  try {
    const kinds = ['long', 'longGeneric', 'shortGeneric'] as const;
    const names = kinds.flatMap((kind) => DAYS.map(zoneNames(id, kind, locale)));
    return [...names, SPANISH_CITIES[id] ?? ''];
  } catch {
    // As in English.
    return [];
  }
}

/**
 * 'Central Standard Time', 'Central Daylight Time', 'Central Time', 'CST', 'CDT' and 'CT' of 'America/Chicago'. Intl
 * knows the short names of North America; those of other zones are their initials.
 * @returns nothing where the browser does not know the zone
 */
export function timezoneNames(id: string): string[] {
  try {
    const long = zoneNames(id, 'long', 'en-US');
    const short = zoneNames(id, 'short', 'en-US');
    const seasons = DAYS.flatMap((day) => [long(day), isOffset(short(day)) ? initials(long(day)) : short(day)]);
    const allYear = zoneNames(id, 'longGeneric', 'en-US')(JANUARY);
    return [...new Set([...seasons, allYear, initials(allYear)])].filter((name) => name !== '' && !isOffset(name));
  } catch {
    // The server's zones are those of its own library.
    return [];
  }
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
