import { type Insertable, sql } from 'kysely';
import { appending, type NextEntry } from '../../db/audit-chain.ts';
import { compiledOnce } from '../../db/compiled-statements.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';
import { isInTime, type OpenAt } from './sessions.repository.ts';
import { accountSubject, addressSubject } from './sign-in-attempts.repository.ts';
import type { UserRow } from './sign-in-users.repository.ts';

/** What a sign-in writes once the password is verified. */
export interface SignedIn {
  user: Pick<UserRow, 'id' | 'credentialsVersion'>;
  session: Insertable<PlatformTables['sessions']>;
  address: string;
}

/**
 * Opens the session of a sign-in with its audit entry, deletes the account's attempts and subtracts this one from the address's: all
 * of it, if the user may still sign in with what was verified and the entry is the trail's next one, or else nothing.
 * The user is locked first: so a change of password either ends the new session, or prevents it. Everybody who appends an entry
 * waits for this, and so does who signs in from the address: their rows come last, and that of the address before the account's, as
 * `countSignInAttempt` takes them.
 */
export async function openSession(platform: Platform, signedIn: SignedIn, next: NextEntry): Promise<boolean> {
  const rows = await openIfAllowed(platform, { ...signedIn, ...next });
  return rows.length > 0;
}

const openIfAllowed = compiledOnce<SignedIn & NextEntry, unknown>((value) => {
  const ofSession = <Key extends keyof SignedIn['session']>(key: Key) => value(({ session }) => session[key]);
  return sql`
    with allowed as materialized (
      select id from users
      where id = ${value(({ user }) => user.id)} and credentials_version = ${value(({ user }) => user.credentialsVersion)}
        and is_active and deleted_at is null
      for share
    ),
    ${appending(value, sql`exists (select from allowed)`)},
    opened as (
      insert into sessions (id, user_id, kind, refresh_token_hash, access_token_id, access_issued_at, address, user_agent,
        created_at, proved_at, last_used_at, last_seen_at, expires_at)
      select ${ofSession('id')}::uuid, ${ofSession('userId')}::uuid, ${ofSession('kind')},
        ${ofSession('refreshTokenHash')}::bytea, ${ofSession('accessTokenId')}::uuid,
        ${ofSession('accessIssuedAt')}::timestamptz, ${ofSession('address')}, ${ofSession('userAgent')},
        ${ofSession('createdAt')}::timestamptz, ${ofSession('createdAt')}::timestamptz,
        ${ofSession('lastUsedAt')}::timestamptz, ${ofSession('lastSeenAt')}::timestamptz,
        ${ofSession('expiresAt')}::timestamptz
      from head
    ),
    settled as (
      update sign_in_attempts set attempts = attempts - 1, blocked_until = '-infinity'
      from head where subject = ${value(({ address }) => addressSubject(address))} and attempts > 0
      returning subject
    ),
    forgotten as (
      delete from sign_in_attempts using head
      where subject = ${value(({ user }) => accountSubject(user, ''))} and (select count(*) from settled) >= 0
    )
    select from head`;
});

export async function insertSession(trx: Trx, session: Insertable<PlatformTables['sessions']>): Promise<void> {
  await trx.insertInto('sessions').values(session).execute();
}

export interface RefreshRow {
  sessionId: string;
  userId: string;
  accessTokenId: string;
  accessIssuedAt: Date;
}

/**
 * Rotates the access token of an open session, if the presented one is its newest. It is one conditional UPDATE, so of two
 * refreshes at once one wins.
 */
export function rotateAccessToken(
  platform: Platform,
  refresh: { refreshTokenHash: Buffer; presentedTokenId: string; newTokenId: string; now: Date; idleSince: Date },
): Promise<RefreshRow | undefined> {
  return platform
    .updateTable('sessions')
    .set({
      previousAccessTokenId: refresh.presentedTokenId,
      accessTokenId: refresh.newTokenId,
      accessIssuedAt: refresh.now,
      lastUsedAt: refresh.now,
      lastSeenAt: refresh.now,
    })
    .where('refreshTokenHash', '=', refresh.refreshTokenHash)
    .where('accessTokenId', '=', refresh.presentedTokenId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', refresh.now)
    .where('lastUsedAt', '>', refresh.idleSince)
    .where('userId', 'in', (eb) =>
      eb.selectFrom('users').select('id').where('isActive', '=', true).where('deletedAt', 'is', null),
    )
    .returning(['id as sessionId', 'userId', 'accessTokenId', 'accessIssuedAt'])
    .executeTakeFirst();
}

/** A session by its refresh token, open or ended. */
export function findSessionByRefreshToken(platform: Platform, refreshTokenHash: Buffer) {
  return platform
    .selectFrom('sessions')
    .select([
      'id as sessionId',
      'userId',
      'accessTokenId',
      'accessIssuedAt',
      'previousAccessTokenId',
      'revokedAt',
      'expiresAt',
      'lastUsedAt',
    ])
    .where('refreshTokenHash', '=', refreshTokenHash)
    .executeTakeFirst();
}

/** Ends a session. @returns whether it was open */
export async function revokeSession(trx: Trx, sessionId: string, reason: string, now: Date): Promise<boolean> {
  const revoked = await trx
    .updateTable('sessions')
    .set({ revokedAt: now, revokedReason: reason })
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/**
 * Ends every session of users, also those that have ended by themselves: the clock may be ahead, and another process would go on with them.
 * @param exceptId a session that stays
 * @returns how many were open
 */
export async function revokeSessionsOfUsers(
  trx: Trx,
  userIds: readonly string[],
  reason: string,
  openAt: OpenAt,
  exceptId?: string,
): Promise<number> {
  const revoked = await trx
    .updateTable('sessions as s')
    .set({ revokedAt: openAt.now, revokedReason: reason })
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .where('revokedAt', 'is', null)
    .$if(exceptId !== undefined, (query) => query.where('id', '!=', String(exceptId)))
    .returning(isInTime(openAt).as('wasOpen'))
    .execute();
  return revoked.filter(({ wasOpen }) => wasOpen).length;
}
