/** Pauses between attempts: the first, which doubles, and the longest, in seconds. */
const FIRST_PAUSE = 30;
export const LONGEST_PAUSE = 3_600;
/** How many failures in a row are put into the log as a copy that keeps failing. */
const WORTH_A_LINE = 3;
/** The most characters of a reason. */
const REASON = 300;

/** Seconds until the next attempt. @param failures before this one */
export const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE * 2 ** Math.min(failures, 20), LONGEST_PAUSE);

/** Whether a failure is to stand in the log. @param failures before this one */
export const isWorthALine = (failures: number): boolean => failures + 1 === WORTH_A_LINE;

/** Why something failed, in a line. */
export function reasonOf(error: unknown): string {
  // Errors of connections that were refused at several addresses have no message of their own.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error).slice(0, REASON);
  return (error.message === '' || error.message === 'UnknownError' ? error.name : error.message).slice(0, REASON);
}
