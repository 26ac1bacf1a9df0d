import { onTestFinished } from 'vitest';
import type { Platform } from '../db/platform.ts';
import { trustClock } from '../db/trusted-clock.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/**
 * Puts a clock right for the rest of a test. What a clock has set that was ahead is ahead of PostgreSQL's too, whose clock no test sets.
 */
export function putRight(clock: { now: Date }): void {
  const { now } = clock;
  clock.now = new Date();
  onTestFinished(() => void Object.assign(clock, { now }));
}

/** The clocks of a process that started an hour ago and is a year ahead of PostgreSQL since then. */
export function aheadByYear(platform: Platform) {
  let elapsed = 0;
  const now = () => new Date(Date.now() + YEAR + elapsed);
  const trustedNow = trustClock(platform, { now, elapsed: () => elapsed });
  elapsed = HOUR;
  return { now, trustedNow };
}
