import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { type Insertable, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';
import { isOpen } from './sessions.repository.ts';

export interface UserRow {
  id: string;
  userName: string;
  email: string;
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  phone: string;
  role: string;
  isActive: boolean;
}

const users = (platform: Platform) =>
  platform
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.roleId')
    .where('users.deletedAt', 'is', null)
    .select([
      'users.id',
      'users.userName',
      'users.email',
      'users.passwordHash',
      'users.firstName',
      'users.lastName',
      'users.phone',
      'users.isActive',
      'roles.name as role',
    ]);

/** The user with that user name or, where no user name is so, that e-mail address, ignoring case. */
export function findUserByLogin(platform: Platform, login: string): Promise<UserRow | undefined> {
  return users(platform)
    .where((eb) => eb.or([eb('users.userName', '=', login), eb('users.email', '=', login)]))
    .orderBy(sql`(users.user_name = ${login}) desc`)
    .limit(1)
    .executeTakeFirst();
}

export function findUserById(platform: Platform, id: string): Promise<UserRow | undefined> {
  return users(platform).where('users.id', '=', id).executeTakeFirst();
}

/**
 * Counts an attempt to sign in before its password is looked at, unless the subject is blocked: parallel guesses queue on
 * the row, so no more of them get through than one after another (DECISIONS §4). Of two at once the later to be counted
 * may have read its clock earlier, so a subject that is not blocked has no moment at all (`-infinity`).
 * @param blockAfter attempts that are free of delay
 * @param maxBlockSeconds the longest delay; it doubles from one second with every attempt beyond the free ones
 * @returns undefined when counted, else the moment until which the subject is blocked
 */
export async function countSignInAttempt(
  platform: Platform,
  attempt: { subject: string; now: Date; blockAfter: number; maxBlockSeconds: number; forgetAfterSeconds: number },
): Promise<Date | undefined> {
  const { subject, now, blockAfter, maxBlockSeconds, forgetAfterSeconds } = attempt;
  const attempts = sql<number>`case when a.updated_at < ${now}::timestamptz - make_interval(secs => ${forgetAfterSeconds}) then 1 else a.attempts + 1 end`;
  const { rows } = await sql<{ counted: boolean }>`
    insert into sign_in_attempts as a (subject, attempts, blocked_until, updated_at)
    values (${subject}, 1, '-infinity', ${now})
    on conflict (subject) do update set
      attempts = ${attempts},
      blocked_until = case
        when ${attempts} < ${blockAfter} then '-infinity'::timestamptz
        else ${now}::timestamptz + make_interval(secs => least(${maxBlockSeconds}, power(2, least(${attempts} - ${blockAfter}, 30))))
      end,
      updated_at = ${now}
    where a.blocked_until <= ${now}
    returning true as counted`.execute(platform);
  if (rows.length > 0) return undefined;
  const blocked = await platform
    .selectFrom('signInAttempts')
    .select('blockedUntil')
    .where('subject', '=', subject)
    .where('blockedUntil', '>', now)
    .executeTakeFirst();
  // A success has released the subject meanwhile.
  return blocked?.blockedUntil ?? countSignInAttempt(platform, attempt);
}

/** After a success: forgets the account's attempts, and takes back the one that the address was charged with. */
export async function settleSignInAttempts(trx: Trx, account: string, address: string): Promise<void> {
  await trx.deleteFrom('signInAttempts').where('subject', '=', account).execute();
  await trx
    .updateTable('signInAttempts')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), blockedUntil: sql<Date>`'-infinity'` }))
    .where('subject', '=', address)
    .where('attempts', '>', 0)
    .execute();
}

/**
 * Whether a user may still sign in by the password that was just verified; keeps them from being changed until the transaction ends, so
 * that a change of password finds the session that is begun, or the session finds the change.
 */
export async function lockSignInUser(
  trx: Trx,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  return user !== undefined;
}

/**
 * Keeps a user from being changed, and other transactions from beginning something for them, until the transaction ends: the change, or
 * the next one, finds what it began.
 */
export async function lockUser(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

export async function insertSession(trx: Trx, session: Insertable<PlatformTables['sessions']>): Promise<void> {
  await trx.insertInto('sessions').values(session).execute();
}

export interface CallerRow {
  userId: string;
  sessionId: string;
  userName: string;
  role: string;
  kind: 'console' | 'api';
  lastSeenAt: Date;
  allowed: boolean;
}

/**
 * The user of a living session, and whether their role has a permission; checked on every request, so that a revocation
 * takes effect at once.
 * @param permission absent: every signed-in user is allowed
 * @param idleSince console sessions last used before this moment have ended; an API token lasts as long as it was issued for
 */
export async function findCaller(
  platform: Platform,
  sessionId: string,
  permission: PermissionIdentifier | undefined,
  now: Date,
  idleSince: Date,
): Promise<CallerRow | undefined> {
  const { rows } = await sql<CallerRow>`
    select u.id as "userId", s.id as "sessionId", coalesce(nullif(u.user_name, ''), u.email) as "userName",
           r.name as role, s.kind, s.last_seen_at as "lastSeenAt",
           ${permission ?? null}::text is null or exists (
             select from role_permissions rp
             join permissions p on p.id = rp.permission_id and p.is_active
             where rp.role_id = u.role_id and p.identifier = ${permission ?? null}
           ) as allowed
    from sessions s
    join users u on u.id = s.user_id and u.is_active and u.deleted_at is null
    join roles r on r.id = u.role_id
    where s.id = ${sessionId} and ${isOpen({ now, idleSince })}`.execute(platform);
  return rows[0];
}

export interface RefreshRow {
  sessionId: string;
  userId: string;
  accessTokenId: string;
  accessIssuedAt: Date;
}

/**
 * Rotates the access token of a living session, if the presented one is its newest: of two refreshes at once, one wins
 * (one conditional UPDATE).
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

/** A session by its refresh token, living or not. */
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

/** Ends a session. @returns whether it was still open */
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

/** Ends every open session of a user. @returns how many there were */
export async function revokeSessionsOfUser(trx: Trx, userId: string, reason: string, now: Date): Promise<number> {
  const revoked = await trx
    .updateTable('sessions')
    .set({ revokedAt: now, revokedReason: reason })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('id')
    .execute();
  return revoked.length;
}
