import { randomUUID } from 'node:crypto';

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Sessions end after 12 hours without a refresh, and after 7 days at most (DECISIONS §4). */
const IDLE_SECONDS = 12 * HOUR_SECONDS;
const SESSION_SECONDS = 7 * DAY_SECONDS;

/** How long a proof of who the caller is counts for calls that want a fresh one. */
export const PROOF_SECONDS = 15 * 60;

/** How often the time at which a session or a key was last used is written at most, in seconds. */
export const SEEN_SECONDS = 60;

/** How far servers' clocks may differ, in seconds. What is from further ahead was made with a wrong clock. */
export const CLOCK_TOLERANCE_SECONDS = 60;

export const inSeconds = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
/** A console session that was last refreshed before this moment has ended. */
export const idleSince = (now: Date) => inSeconds(now, -IDLE_SECONDS);
/** What an open session is compared with now. */
export const openAt = (now: Date) => ({ now, idleSince: idleSince(now) });
/** When a console session that begins now ends at the latest. */
export const sessionEnd = (now: Date) => inSeconds(now, SESSION_SECONDS);

/** A session that begins now, with its first access token. */
export function newSession(userId: string, now: Date) {
  return {
    id: randomUUID(),
    userId,
    accessTokenId: randomUUID(),
    accessIssuedAt: now,
    createdAt: now,
    lastUsedAt: now,
    lastSeenAt: now,
  };
}
