import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { deleteExpired } from '../../db/delete-expired.ts';
import type { Platform, Trx } from '../../db/platform.ts';

/** The present moment, and the one since which an open console session must have been refreshed. */
export interface OpenAt {
  now: Date;
  idleSince: Date;
}

/** What a session is compared with, as values or as SQL. */
type Moments = { [Key in keyof OpenAt]: Date | RawBuilder<Date> };

/** Whether a row of `sessions as s` has ended neither by its age nor by not being used. API tokens have no limit of idle time. */
export const isInTime = ({ now, idleSince }: Moments) =>
  sql<boolean>`(s.expires_at > ${now} and (s.kind = 'api' or s.last_used_at > ${idleSince}))`;

/** Whether a row of `sessions as s` is open. */
export const isOpen = (openAt: Moments) => sql<SqlBool>`s.revoked_at is null and ${isInTime(openAt)}`;

/** The name that a user of `users as u` signs in with. */
const userNameOf = sql<string>`coalesce(nullif(u.user_name, ''), u.email)`.as('userName');

/** The open sessions of users who are not deleted, last seen first. @param userId absent: of all of them */
export function listOpenSessions(platform: Platform, userId: string | undefined, openAt: OpenAt) {
  return platform
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .leftJoin('providerSessions as p', 'p.sessionId', 's.id')
    .select('p.issuer')
    .select(['s.id', 's.kind', 's.name', 's.userAgent', 's.address', 's.createdAt', 's.lastSeenAt', 's.expiresAt'])
    .select(userNameOf)
    .$if(userId !== undefined, (query) => query.where('s.userId', '=', String(userId)))
    .where('u.deletedAt', 'is', null)
    .where(isOpen(openAt))
    .orderBy('s.lastSeenAt', 'desc')
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute();
}

/** How many sessions are open, by kind. */
export async function countOpenSessions(
  platform: Platform,
  openAt: OpenAt,
): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select k.kind, count(s.id)::int as count
    from unnest(array['console', 'api']) as k (kind)
    left join sessions s on s.kind = k.kind and ${isOpen(openAt)}
    group by k.kind`.execute(platform);
  return rows;
}

/**
 * Ends an open session; of two calls at once, one does.
 * @param ownerId absent: anybody's
 * @returns its user's id; undefined if there is no such open session
 */
export function endOpenSession(trx: Trx, sessionId: string, ownerId: string | undefined, openAt: OpenAt) {
  return trx
    .updateTable('sessions as s')
    .from('users as u')
    .set({ revokedAt: openAt.now, revokedReason: 'session-ended' })
    .where('s.id', '=', sessionId)
    .whereRef('u.id', '=', 's.userId')
    .where('u.deletedAt', 'is', null)
    .where(isOpen(openAt))
    .$if(ownerId !== undefined, (query) => query.where('s.userId', '=', String(ownerId)))
    .returning(['s.userId', 's.kind', 's.name', userNameOf])
    .executeTakeFirst();
}

/** Deletes sessions that had ended before a moment. @param ended.idleBefore console sessions that were last used before this had ended by then */
export async function deleteSessionsEndedBefore(
  platform: Platform,
  { before, idleBefore }: { before: Date; idleBefore: Date },
  stopping?: AbortSignal,
): Promise<void> {
  const hasEnded = sql<SqlBool>`(
    revoked_at < ${before} or expires_at < ${before} or kind = 'console' and last_used_at < ${idleBefore}
  )`;
  await deleteExpired(platform, 'sessions', hasEnded, stopping);
}

/** Sets when a session was last seen, unless that is later than `before`: so of many calls at once one writes. */
export async function setSessionSeen(platform: Platform, sessionId: string, now: Date, before: Date): Promise<void> {
  await platform
    .updateTable('sessions')
    .set({ lastSeenAt: now })
    .where('id', '=', sessionId)
    .where('lastSeenAt', '<=', before)
    .execute();
}
