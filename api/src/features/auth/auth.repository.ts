import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { type Insertable, sql } from 'kysely';
import { type ReadTables, VERSION } from '../../db/json-list.ts';
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

/** The user with a user name or, if there is none, with an e-mail address, ignoring case. */
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
 * Counts an attempt to sign in before its password is verified, unless the subject is blocked. Parallel guesses queue on the row,
 * so as many get through as one after another (DECISIONS §4). Of two attempts at once, the one that is counted later may have read
 * its clock earlier: so a subject that is not blocked has the moment `-infinity`. The commit does not wait for the disk, as others
 * wait for the row: if PostgreSQL crashes, the counts of its last second are lost.
 * @param blockAfter how many attempts have no delay
 * @param maxBlockSeconds the longest delay; it starts at one second and doubles with every further attempt
 * @returns undefined if it was counted, else the moment until which the subject is blocked
 */
export async function countSignInAttempt(
  platform: Platform,
  attempt: { subject: string; now: Date; blockAfter: number; maxBlockSeconds: number; forgetAfterSeconds: number },
): Promise<Date | undefined> {
  const { subject, now, blockAfter, maxBlockSeconds, forgetAfterSeconds } = attempt;
  const attempts = sql<number>`case when a.updated_at < ${now}::timestamptz - make_interval(secs => ${forgetAfterSeconds}) then 1 else a.attempts + 1 end`;
  const { rows } = await sql<{ counted: boolean }>`
    insert into sign_in_attempts as a (subject, attempts, blocked_until, updated_at)
    select ${subject}, 1, '-infinity', ${now}::timestamptz from set_config('synchronous_commit', 'off', true)
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
  // Another sign-in succeeded meanwhile and has unblocked the subject.
  return blocked?.blockedUntil ?? countSignInAttempt(platform, attempt);
}

/** After a success, deletes the account's attempts and subtracts this one from the address's. */
export async function settleSignInAttempts(trx: Trx, account: string, address: string): Promise<void> {
  await trx
    .with('settled', (db) => db.deleteFrom('signInAttempts').where('subject', '=', account))
    .updateTable('signInAttempts')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), blockedUntil: sql<Date>`'-infinity'` }))
    .where('subject', '=', address)
    .where('attempts', '>', 0)
    .execute();
}

/**
 * Whether a user may still sign in with the password that was just verified. Locks the user until the transaction ends: so a change
 * of password either ends the new session, or prevents it.
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
 * Locks a user until the transaction ends, against changes and against others that use this lock: they then see what this
 * transaction has made.
 */
export async function lockUser(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

export async function insertSession(trx: Trx, session: Insertable<PlatformTables['sessions']>): Promise<void> {
  await trx.insertInto('sessions').values(session).execute();
}

/** What a call needs to know in addition to its caller. */
export interface CallNeeds {
  /** Absent: every signed-in user is allowed. */
  permission?: PermissionIdentifier | undefined;
  /** The tables whose version the call needs. Absent: none. */
  tables?: ReadTables | undefined;
}

export interface CallerRow {
  userId: string;
  sessionId: string;
  userName: string;
  role: string;
  kind: 'console' | 'api';
  lastSeenAt: Date;
  allowed: boolean;
  /** Of the tables that the call reads (decision 029). */
  version: string;
  /** How many numbers make up the version. */
  numbers: number;
}

/**
 * The user of an open session, whether the user's role has a permission, and the version of the tables that the call reads. It is
 * read for every request, so that changes take effect at once.
 * @param idleSince console sessions that were last refreshed before this moment have ended; API tokens have no such limit
 */
export async function findCaller(
  platform: Platform,
  sessionId: string,
  { permission, tables = [] }: CallNeeds,
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
           ) as allowed, tables.version, tables.numbers
    from sessions s
    join users u on u.id = s.user_id and u.is_active and u.deleted_at is null
    join roles r on r.id = u.role_id
    cross join (
      -- Asked for no table it reads nothing: every call comes here.
      select ${sql.raw(VERSION)} from table_changes
      where cardinality(${tables}::text[]) > 0 and table_name = any (${tables}::text[])
    ) tables
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
