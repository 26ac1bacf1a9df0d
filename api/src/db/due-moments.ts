import { type RawBuilder, sql } from 'kysely';

/** The moment that a due one is compared with: of the clock that sets it, or the process's. */
type Now = Date | RawBuilder<Date>;

/** SQL: PostgreSQL's clock, by which every process sets and compares the same, however far apart their own clocks are. */
export const postgresNow = sql<Date>`now()`;

/** SQL: an interval. */
export const seconds = (count: number): RawBuilder<unknown> => sql`make_interval(secs => ${count})`;

/** SQL: whether a moment is further ahead of `now` than twice the most that one is. */
export const isAheadOf = (column: string, now: Now, longest: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} > ${now}::timestamptz + 2 * ${longest}`;

/**
 * SQL: whether a due moment was set by a clock that was ahead. It is further away than any that is set now, and nothing would happen for as
 * long as that clock was ahead. Twice as far, as the clocks of two machines differ a little, and a day of a zone may have 25 hours. It is
 * further away from PostgreSQL's moment too: else a process whose clock is behind would take for set ahead what others have just set.
 * @param column such as 'd.due_at'
 * @param longest how far away one is set at most: SQL of an interval
 */
export const isSetAhead = (column: string, now: Now, longest: RawBuilder<unknown>): RawBuilder<boolean> =>
  isAheadOf(column, sql`greatest(${now}::timestamptz, ${postgresNow})`, longest);

/** SQL: whether a due moment has come. One that {@link isSetAhead was set ahead} counts as come. Parameters are the same. */
export const hasCome = (column: string, now: Now, longest: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or ${isSetAhead(column, now, longest)})`;

/**
 * SQL: whether a moment is one since `since` that has been. What a clock that was ahead has dated, whose moment is still to come, would
 * otherwise count as new for as long as that clock was ahead.
 * @param column such as 'o.created_at'
 */
export const hasBeenSince = (column: string, since: Date, now: Now): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} between ${since} and ${now}`;

/**
 * Whether a moment that was read is still to come, and what ends then goes on: what {@link isSetAhead was set ahead} has come.
 * @param moment null: there is none
 * @param longest how far away one is set at most, in milliseconds
 */
export const isToCome = (moment: Date | null, now: Date, longest: number): moment is Date =>
  moment !== null && moment > now && moment.getTime() <= now.getTime() + 2 * longest;

/** SQL: how far away the next moment of a schedule is at most. @param frequency its column, such as 's.frequency' */
export const periodOf = (frequency: string): RawBuilder<unknown> =>
  sql`case ${sql.ref(frequency)} when 'hourly' then interval '1 hour' when 'daily' then interval '1 day' else interval '7 days' end`;

/**
 * SQL for `order by`: the newest first, and after all others what a clock that was ahead has made, whose moment is still to come.
 * @param column such as 'b.created_at'
 */
export const newestFirst = (column: string, now: Now): RawBuilder<unknown> =>
  sql`${sql.ref(column)} > ${now}, ${sql.ref(column)} desc`;
