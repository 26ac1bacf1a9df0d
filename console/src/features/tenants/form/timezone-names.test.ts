import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../../app/language.ts';
import { timezoneNames, timezoneSearch } from './timezone-names.ts';

const ZONES = [
  { id: 'America/Los_Angeles', displayName: '(UTC-08:00) Pacific Time (Los Angeles)' },
  { id: 'America/Chicago', displayName: '(UTC-06:00) Central Time (Chicago)' },
  { id: 'America/Sao_Paulo', displayName: '(UTC-03:00) Brasilia Standard Time (Sao Paulo)' },
  { id: 'UTC', displayName: '(UTC+00:00) UTC' },
  { id: 'Europe/London', displayName: '(UTC+00:00) United Kingdom Time (London)' },
  { id: 'Europe/Vienna', displayName: '(UTC+01:00) Central European Time (Vienna)' },
  { id: 'Asia/Calcutta', displayName: '(UTC+05:30) India Standard Time (Calcutta)' },
];

test('a zone has its names and short names of standard and daylight saving time, and of all the year [§2.7]', () => {
  expect(timezoneNames('America/Chicago')).toEqual([
    'Central Standard Time',
    'CST',
    'Central Daylight Time',
    'CDT',
    'Central Time',
    'CT',
  ]);
});

test('where the browser knows no short name it is the initials, never an offset [§2.7]', () => {
  expect(timezoneNames('Europe/Vienna')).toEqual([
    'Central European Standard Time',
    'CEST',
    'Central European Summer Time',
    'Central European Time',
    'CET',
  ]);
  expect(timezoneNames('Europe/London')).toEqual(expect.arrayContaining(['GMT', 'BST', 'British Summer Time']));
  expect(timezoneNames('Asia/Tokyo')).toEqual(['Japan Standard Time', 'JST']);
  expect(timezoneNames('UTC')).toEqual(['Coordinated Universal Time', 'UTC']);
});

test('a zone that the browser does not know has no names, and is found by its id [§2.7]', () => {
  expect(timezoneNames('Moon/Tycho')).toEqual([]);
  expect(timezoneSearch('tycho')({ id: 'Moon/Tycho', displayName: '(UTC+00:00) Tycho' })).toBe(true);
});

test.each([
  ['chicago', ['America/Chicago']],
  ['america/chi', ['America/Chicago']],
  ['cst', ['America/Chicago']],
  ['CDT', ['America/Chicago']],
  ['pdt', ['America/Los_Angeles']],
  ['central', ['America/Chicago', 'Europe/Vienna']],
  ['central summer', ['Europe/Vienna']],
  ['UTC-06', ['America/Chicago']],
  ['utc-6', ['America/Chicago']],
  ['GMT+1', ['Europe/Vienna']],
  ['gmt+5:30', ['Asia/Calcutta']],
  ['los angeles', ['America/Los_Angeles']],
  ['são paulo', ['America/Sao_Paulo']],
  ['bst', ['Europe/London', 'America/Sao_Paulo']],
  ['kolkata', ['Asia/Calcutta']],
  ['coordinated', ['UTC']],
  ['atlantis', []],
])('%s finds the zones whose city, id, name, short name or offset has these words [§2.7]', (typed, ids) => {
  expect(new Set(ZONES.filter(timezoneSearch(typed)).map(({ id }) => id))).toEqual(new Set(ids));
});

afterEach(() => setLanguage('en'));

test.each([
  ['nueva york', 'America/New_York'],
  ['hora oriental', 'America/New_York'],
  ['ciudad de mexico', 'America/Mexico_City'],
  ['londres', 'Europe/London'],
  ['viena', 'Europe/Vienna'],
  ['tokio', 'Asia/Tokyo'],
  ['cst', 'America/Chicago'],
])('in Spanish %s finds %s, in English only what English has [§2.7]', async (typed, id) => {
  const zone = { id, displayName: `(UTC+00:00) ${id}` };
  const isEnglish = typed === 'cst';
  expect(timezoneSearch(typed)(zone)).toBe(isEnglish);
  await setLanguage('es');
  expect(timezoneSearch(typed)(zone)).toBe(true);
});
