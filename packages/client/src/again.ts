import { ApothecaError } from './failure.ts';

/** The first pause before a call is repeated where the server names none, in milliseconds; then twice as long each time. */
export const PAUSE = 250;
/** What a server says that cannot answer now, or a proxy before it. */
const AWAY_STATUSES = [502, 503, 504];
/** The longest that the client waits because the server says so, in seconds; else the failure is the caller's. */
const LONGEST_RETRY_AFTER = 60;

/** Whether a call failed as the server is away. */
export const isAway = (error: unknown): boolean =>
  error instanceof ApothecaError
    ? AWAY_STATUSES.includes(error.status)
    : error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/**
 * How long to wait before a call is sent again, in milliseconds; undefined: it is not.
 * @param delay the pause where the server names none
 */
export function waitBefore(
  call: { isRead?: true; isKeyed?: true; isRepeatable?: true },
  error: unknown,
  delay: number,
): number | undefined {
  const isRepeatable = (call.isRead ?? call.isKeyed ?? call.isRepeatable) === true;
  const isRepeatedAway = isRepeatable && isAway(error);
  if (!(error instanceof ApothecaError)) return isRepeatedAway ? delay : undefined;
  const { status, retryAfter } = error;
  if (retryAfter === undefined) return isRepeatedAway ? delay : undefined;
  // Too many requests: nothing was done. A 409 that says when to come again is that of a key whose first call goes on.
  const isTransient = status === 429 || isRepeatedAway || (isRepeatable && status === 409);
  return isTransient && retryAfter <= LONGEST_RETRY_AFTER ? retryAfter * 1_000 : undefined;
}

/** A refresh that was given up. The call that needed it is not sent again: each time it would refresh as often as the server allows. */
export class RefreshGivenUp {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/**
 * What to throw where a call has failed for good: undici, Node's fetch, waits 300 seconds for an answer and says only that it has failed; a
 * refresh, which alone has a time limit of its own, says only that this is over.
 */
export function failureFor(error: unknown): unknown {
  if (error instanceof RefreshGivenUp) return error.reason;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new TypeError('The server does not answer the refresh of the session', { cause: error });
  const cause = error instanceof TypeError ? error.cause : undefined;
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_HEADERS_TIMEOUT')) return error;
  const message = 'The server has the call, and takes too long to answer: look what it has made before you repeat it';
  return new TypeError(message, { cause });
}
