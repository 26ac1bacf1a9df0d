import { z } from 'zod';
import { limitedRecord } from './fields.ts';
import { route } from './route.ts';
import { atMost } from './text.ts';

/** The lists that people can arrange, by the names under which that is kept. */
export const LISTS = [
  'tenants',
  'users',
  'sessions',
  'api-keys',
  'databases',
  'backups',
  'backup-schedules',
  'parked-databases',
  'database-servers',
  'licences',
  'permissions',
  'roles',
  'faqs',
  'sections',
  'questions',
  'audit',
  'webhooks',
  'deliveries',
] as const;
export type List = (typeof LISTS)[number];

/** Widths of columns, in px. */
export const COLUMN_WIDTH_MIN = 48;
export const COLUMN_WIDTH_MAX = 1200;

/** More than any list has. */
const COLUMNS_MAX = 40;
const COLUMN_MESSAGE = 'Columns are named by letters and digits';
const columnId = z
  .string()
  .check(atMost(40, COLUMN_MESSAGE))
  .regex(/^[a-zA-Z0-9]{1,40}$/, COLUMN_MESSAGE);
const columnIds = z.array(columnId).max(COLUMNS_MAX, `At most ${COLUMNS_MAX} columns`);

/** How a person has arranged a list. A column that is not named stands where the list puts it. */
export const listLayout = z.object({
  hidden: columnIds,
  order: columnIds,
  widths: limitedRecord(
    columnId,
    z.int().min(COLUMN_WIDTH_MIN).max(COLUMN_WIDTH_MAX),
    COLUMNS_MAX,
    `At most ${COLUMNS_MAX} columns`,
  ),
  density: z.enum(['comfortable', 'compact']),
});
export type ListLayout = z.infer<typeof listLayout>;

/** The languages of the console, by their ISO 639 codes. English is that of whoever has chosen none. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'en';

/** The preferences of a person: a layout of each list that they have arranged, and the language of the console. */
export const preferences = z.object({
  lists: z.partialRecord(z.enum(LISTS), listLayout),
  language: z.enum(LANGUAGES),
});
export type Preferences = z.infer<typeof preferences>;

export const preferenceRoutes = {
  get: route({
    feature: 'account',
    summary: 'How the signed-in person has arranged the lists of the console, and in which language it is',
    base: 'api',
    method: 'GET',
    path: '/account/preferences',
    permission: 'signed-in',
    result: preferences,
  }),
  put: route({
    feature: 'account',
    summary: 'Store how the signed-in person has arranged a list, in place of what was stored of it',
    base: 'api',
    method: 'PUT',
    path: '/account/preferences',
    permission: 'signed-in',
    body: z.object({ list: z.enum(LISTS), layout: listLayout }),
    result: preferences,
  }),
  putLanguage: route({
    feature: 'account',
    summary: 'Choose the language of the console for the signed-in person',
    base: 'api',
    method: 'PUT',
    path: '/account/language',
    permission: 'signed-in',
    body: z.object({ language: z.enum(LANGUAGES, 'Choose one of the languages') }),
    result: preferences,
  }),
};
