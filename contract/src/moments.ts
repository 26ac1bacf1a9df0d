import { z } from 'zod';
import { databaseName, existingDatabaseName } from './database-name.ts';
import { count } from './fields.ts';
import { route } from './route.ts';
import { isTypedName, sentMoment, utcMoment } from './text.ts';

const MOMENT_INVALID = 'moment must be a moment in UTC, such as 2026-01-31T08:15:00Z';

/** From when to when a moment can be chosen. */
const momentRange = z.object({
  /** Null: none can be chosen, and `missing` says why. */
  earliestOnUtc: utcMoment.nullable(),
  latestOnUtc: utcMoment.nullable(),
  /** What has to be done first; empty where a moment can be chosen. */
  missing: z.string(),
  /** What is wrong with the archive though it is switched on; empty where nothing is. */
  warning: z.string(),
});
export type MomentRange = z.infer<typeof momentRange>;

const newName = databaseName('Database Name is Required');

const HOUR_MS = 3_600_000;
const offsetAt = (moment: number): number => new Date(moment).getTimezoneOffset() * 60_000;

/**
 * The moments within a range that the text of a field of type datetime-local names, in the browser's time zone: two where the clocks are put back,
 * and the same time comes twice.
 * @param earliest in milliseconds since 1970
 * @param latest in milliseconds since 1970
 */
export function momentsOf(text: string, earliest: number, latest: number): Date[] {
  // Of two it is the first one (ECMAScript). No clock is put back by more than two hours.
  const first = Date.parse(text);
  const offset = offsetAt(first + 3 * HOUR_MS);
  const second = first + offset - offsetAt(first);
  const named = second > first && offsetAt(second) === offset ? [first, second] : [first];
  return named.filter((moment) => moment >= earliest && moment <= latest).map((moment) => new Date(moment));
}

/**
 * The dialog 'Restore to a Point in Time'. Its moment is the text of a field of type datetime-local, in the browser's time zone.
 * @param earliest in milliseconds since 1970
 * @param latest in milliseconds since 1970
 * @param existing names of databases that exist, in upper case
 */
export const restoreMomentForm = (earliest: number, latest: number, existing: readonly string[]) =>
  z.object({
    moment: z
      .string()
      .min(1, { error: 'Point in Time is Required', abort: true })
      .refine(
        (value) => momentsOf(value, earliest, latest).length > 0,
        'Point in Time should be within the range that can be chosen',
      ),
    /** Which of two moments is meant. */
    turn: z.enum(['', 'second']),
    databaseName: newName.refine(
      (name) => !existing.some((other) => isTypedName(other.toUpperCase(), name)),
      'Database name should be not same with existing name',
    ),
  });

export const momentRoutes = {
  range: route({
    feature: 'databases',
    summary: 'From when to when a database can be restored to a point in time; where it cannot, what is missing',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/moments',
    permission: 'databases.read',
    result: momentRange,
  }),
  restore: route({
    feature: 'databases',
    summary: 'Restore a database to a point in time, into a new one beside it, which no tenant owns',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/restoremoment',
    permission: 'databases.restore',
    keyed: true,
    operation: true,
    query: z.object({
      databaseName: existingDatabaseName('databaseName'),
      moment: sentMoment(MOMENT_INVALID, {}),
      newName,
    }),
    result: z.object({ id: z.string(), databaseName: z.string(), rows: count }),
  }),
};
