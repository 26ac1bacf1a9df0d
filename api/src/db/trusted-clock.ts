import { sql } from 'kysely';
import type { Platform } from './platform.ts';

/** For how long a clock has to be steady before it is trusted, in milliseconds: NTP puts one right some minutes after a start. */
const STEADY_FOR = 600_000;
/** By how much it may move against one that nobody sets, in milliseconds; so it may be as much behind another one that is right. */
export const MOST_DRIFT = 60_000;

/**
 * The clock for what cannot be had back once its date has come. A machine may start with a clock that is a year ahead until NTP puts it
 * right: so this one has been steady for ten minutes, and it is never ahead of PostgreSQL's, which may be another machine's.
 * @param elapsed milliseconds of a clock that nobody sets
 * @returns asks for the moment; undefined while the clock is not trusted. That throws when PostgreSQL is away.
 */
export function trustClock(
  platform: Platform,
  { now, elapsed = () => performance.now() }: { now(): Date; elapsed?: () => number },
): () => Promise<Date | undefined> {
  const read = () => ({ at: now().getTime(), elapsed: elapsed() });
  let steadySince = read();
  return async () => {
    const current = read();
    const lasted = current.elapsed - steadySince.elapsed;
    // One that was set, or a machine that slept: its ten minutes begin anew.
    if (Math.abs(current.at - steadySince.at - lasted) > MOST_DRIFT) steadySince = current;
    if (current.elapsed - steadySince.elapsed < STEADY_FOR) return undefined;
    return new Date(Math.min(current.at, (await readClock(platform)).getTime()));
  };
}

/** The control database's clock. */
export async function readClock(platform: Platform): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(platform);
  return rows[0]?.at ?? new Date();
}
