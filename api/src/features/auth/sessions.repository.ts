import { type SqlBool, sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';

/** The moment of asking, and the one since when a console session must have been refreshed to be still open. */
export interface OpenAt {
  now: Date;
  idleSince: Date;
}

/** That a row of `sessions as s` is open; an API token lasts as long as it was issued for, however little it is used. */
export const isOpen = ({ now, idleSince }: OpenAt) => sql<SqlBool>`
  s.revoked_at is null and s.expires_at > ${now} and (s.kind = 'api' or s.last_used_at > ${idleSince})`;

/** The open sessions of a user who is not deleted, last seen first. */
export function listOpenSessions(platform: Platform, userId: string, openAt: OpenAt) {
  return platform
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select(['s.id', 's.kind', 's.name', 's.userAgent', 's.address', 's.createdAt', 's.lastSeenAt', 's.expiresAt'])
    .where('s.userId', '=', userId)
    .where('u.deletedAt', 'is', null)
    .where(isOpen(openAt))
    .orderBy('s.lastSeenAt', 'desc')
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute();
}

/**
 * Ends an open session; of two calls at once, one does.
 * @param ownerId absent: anybody's
 * @returns whose it was, and undefined when there is no such open session
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
    .returning(['s.userId', 's.kind', 's.name', sql<string>`coalesce(nullif(u.user_name, ''), u.email)`.as('userName')])
    .executeTakeFirst();
}

/** Removes sessions that had ended before a moment. @param idleBefore console sessions last used before this had ended by then */
export async function deleteSessionsEndedBefore(platform: Platform, before: Date, idleBefore: Date): Promise<void> {
  await platform
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('revokedAt', '<', before),
        eb('expiresAt', '<', before),
        eb.and([eb('kind', '=', 'console'), eb('lastUsedAt', '<', idleBefore)]),
      ]),
    )
    .execute();
}

/** Removes what was counted of sign-ins whose last one was before a moment. */
export async function deleteSignInAttemptsBefore(platform: Platform, before: Date): Promise<void> {
  await platform.deleteFrom('signInAttempts').where('updatedAt', '<', before).execute();
}

/** Moves a session's last sight, unless it is newer than `before`: of many calls at once, one writes. */
export async function setSessionSeen(platform: Platform, sessionId: string, now: Date, before: Date): Promise<void> {
  await platform
    .updateTable('sessions')
    .set({ lastSeenAt: now })
    .where('id', '=', sessionId)
    .where('lastSeenAt', '<=', before)
    .execute();
}
