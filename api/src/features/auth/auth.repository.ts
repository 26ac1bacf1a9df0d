import { type Insertable, type RawBuilder, sql } from 'kysely';
import { appending, type NextEntry } from '../../db/audit-chain.ts';
import { compiledOnce, type ValueFor } from '../../db/compiled-statements.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';
import {
  answersOf,
  type CallNeeds,
  type Placed,
  questionsAs,
  READ_TABLES,
  ROLE_HAS_PERMISSION,
} from './caller-questions.repository.ts';
import { isOpen, type OpenAt } from './sessions.repository.ts';

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
  /** Moves with every change of what the user signs in with. */
  credentialsVersion: number;
  /** Whether the role needs a second factor. */
  requiresSecondFactor: boolean;
  hasTotp: boolean;
  hasPasskeys: boolean;
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
      'users.credentialsVersion',
      'roles.name as role',
      'roles.requiresSecondFactor',
      sql<boolean>`exists (select from totp_factors where user_id = users.id)`.as('hasTotp'),
      sql<boolean>`exists (select from passkeys where user_id = users.id)`.as('hasPasskeys'),
    ]);

/** The user with a user name or, if there is none, with an e-mail address, ignoring case. */
const userOfLogin = (platform: Platform, login: RawBuilder<string>) =>
  users(platform)
    .where((eb) => eb.or([eb('users.userName', '=', login), eb('users.email', '=', login)]))
    .orderBy(sql`(users.user_name = ${login}) desc`)
    .limit(1);

/** {@link userOfLogin}, whether they are active or not. */
export function findUserByLogin(platform: Platform, login: string): Promise<UserRow | undefined> {
  return userOfLogin(platform, sql`${login}`).executeTakeFirst();
}

export function findUserById(platform: Platform, id: string): Promise<UserRow | undefined> {
  return users(platform).where('users.id', '=', id).executeTakeFirst();
}

/** From how many attempts on each one is followed by a delay, and which. */
interface AttemptLimit {
  /** How many attempts have no delay. */
  blockAfter: number;
  /** The first delay, which doubles with every further attempt; absent: one second. */
  firstBlockSeconds?: number;
  /** The longest delay. */
  maxBlockSeconds: number;
  forgetAfterSeconds: number;
}

/** Something that is limited like a sign-in, and from where. */
interface CountedAttempt {
  /** Counts what is not a sign-in apart from them. */
  what?: Countable;
  address: string;
  now: Date;
  limits: { account: AttemptLimit; address: AttemptLimit };
}

/** Who tries to sign in, or to do something else that is limited like that. */
export interface Attempt extends CountedAttempt {
  login: string;
}

/** What is counted besides sign-ins: asking for a link to choose a new password, and using one. */
type Countable = 'link-request' | 'link-use';

const prefixOf = (what: Countable | undefined) => (what ? `${what} ` : '');
const addressSubject = (address: string, what?: Countable) => `${prefixOf(what)}address:${address}`;
/** Codes of the second step count apart from passwords: whoever has the password must not make room for more guesses. */
export const factorSubject = (userId: string) => `factor:${userId}`;
/** For unknown names too, PostgreSQL decides which spellings are the same name. */
export const accountSubject = (user: Pick<UserRow, 'id'> | undefined, login: string, what?: Countable) =>
  `${prefixOf(what)}${user ? `account:${user.id}` : `name:${login}`}`;

/**
 * Finds the user who signs in, and counts the attempt for the address and then for the account before the password is verified,
 * unless one of them is blocked. Parallel guesses queue on the rows, so as many get through as one after another (DECISIONS §4). Of
 * two attempts at once, the one that is counted later may have read its clock earlier: so a subject that is not blocked has the
 * moment `-infinity`. The commit does not wait for the disk, as others wait for the rows: if PostgreSQL crashes, the counts of its
 * last second are lost.
 */
export async function countSignInAttempt(
  platform: Platform,
  attempt: Attempt,
): Promise<{ user: UserRow | undefined; isCounted: boolean }> {
  const rows = await countAttempt(platform, attempt);
  const [{ isCounted, ...user }] = rows as [UserRow & { isCounted: boolean }];
  return { user: user.id ? user : undefined, isCounted };
}

const countAttempt = compiledOnce<Attempt, UserRow & { isCounted: boolean }>((value, platform) => {
  const address = value((attempt) => addressSubject(attempt.address, attempt.what));
  const unknown = value(({ login, what }) => accountSubject(undefined, login, what));
  const known = sql`${value(({ what }) => `${prefixOf(what)}account:`)}::text || (select id from login)`;
  const withoutDisk = sql`set_config('synchronous_commit', 'off', true)`;
  return sql`
    with login as materialized (${userOfLogin(
      platform,
      value(({ login }) => login),
    )}),
    of_address as (${counting(value, address, withoutDisk, 'address')}),
    of_account as (
      ${counting(value, sql`coalesce(${known}, ${unknown})`, sql`of_address`, 'account')}
    )
    select login.*, exists (select from of_account) as "isCounted"
    from (values (0)) one left join login on true`;
});

/** Counts one attempt of a subject for each row of `from`, unless it is blocked. */
function counting<Counted extends CountedAttempt>(
  value: ValueFor<Counted>,
  subject: RawBuilder<string | null>,
  from: RawBuilder<unknown>,
  limit: keyof CountedAttempt['limits'],
) {
  const blockAfter = value(({ limits }) => limits[limit].blockAfter);
  const firstBlockSeconds = value(({ limits }) => limits[limit].firstBlockSeconds ?? 1);
  const maxBlockSeconds = value(({ limits }) => limits[limit].maxBlockSeconds);
  const forgetAfterSeconds = value(({ limits }) => limits[limit].forgetAfterSeconds);
  const attempts = sql<number>`case when a.updated_at < excluded.updated_at - make_interval(secs => ${forgetAfterSeconds}) then 1 else a.attempts + 1 end`;
  return sql`
      insert into sign_in_attempts as a (subject, attempts, blocked_until, updated_at)
      select ${subject}, 1, '-infinity', ${value(({ now }) => now)}::timestamptz from ${from}
      on conflict (subject) do update set
        attempts = ${attempts},
        blocked_until = case
          when ${attempts} < ${blockAfter} then '-infinity'::timestamptz
          else excluded.updated_at + make_interval(secs => least(
            ${maxBlockSeconds}, ${firstBlockSeconds} * power(2, least(${attempts} - ${blockAfter}, 30))))
        end,
        updated_at = excluded.updated_at
      where a.blocked_until <= excluded.updated_at
      returning true`;
}

/** A second step of a sign-in. `subject` null: what cannot be guessed, such as a signature, counts for the address alone. */
export interface StepAttempt extends CountedAttempt {
  subject: string | null;
}

/** Counts a second step before it is verified, as {@link countSignInAttempt} does. @returns whether it was counted, and not blocked */
export async function countStepAttempt(platform: Platform, attempt: StepAttempt): Promise<boolean> {
  const rows = await countStep(platform, attempt);
  return rows.some(({ isCounted }) => isCounted);
}

const countStep = compiledOnce<StepAttempt, { isCounted: boolean }>((value) => {
  const subject = value((attempt) => attempt.subject);
  return sql`
    with of_address as (${counting(
      value,
      value(({ address, what }) => addressSubject(address, what)),
      sql`(values (0)) one`,
      'address',
    )}),
    of_subject as (${counting(value, subject, sql`of_address where ${subject}::text is not null`, 'account')})
    select exists (select from of_address) and (${subject}::text is null or exists (select from of_subject)) as "isCounted"`;
});

/** Why an attempt is blocked, and until when. */
export interface Delay {
  subject: string;
  until: Date;
}

/** The longest delay that blocks an attempt that was not counted; undefined: another one has succeeded meanwhile and has ended it. */
export async function findDelay(
  platform: Platform,
  { what, address, now }: Omit<CountedAttempt, 'limits'>,
  subject: string | null,
): Promise<Delay | undefined> {
  return platform
    .selectFrom('signInAttempts')
    .select(['subject', 'blockedUntil as until'])
    .where('subject', 'in', [addressSubject(address, what), ...(subject === null ? [] : [subject])])
    .where('blockedUntil', '>', now)
    .orderBy('blockedUntil', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Appends the entry that tells of a delay, unless another one has. @returns whether it did */
export async function appendFirstOfDelay(platform: Platform, first: NextEntry & Delay): Promise<boolean> {
  return (await appendUntold(platform, first)).length > 0;
}

const appendUntold = compiledOnce<NextEntry & Delay, unknown>((value) => {
  const isUntold = sql`
    subject = ${value(({ subject }) => subject)} and blocked_until = ${value(({ until }) => until)}::timestamptz
    and told_until is distinct from blocked_until`;
  return sql`
    with ${appending(value, sql`exists (select from sign_in_attempts where ${isUntold})`)},
    told as (update sign_in_attempts set told_until = blocked_until where ${isUntold} and exists (select from head))
    select from head`;
});

/** Under which subjects attempts are counted: of an address, or of a user name or e-mail address, of a user or not. */
export function subjectsOf(whose: { address: string } | { user: UserRow | undefined; login: string }): string[] {
  if ('address' in whose) return [addressSubject(whose.address)];
  return [accountSubject(whose.user, whose.login), ...(whose.user ? [factorSubject(whose.user.id)] : [])];
}

export async function hasSignInAttempts(trx: Trx, subjects: readonly string[]): Promise<boolean> {
  const row = trx.selectFrom('signInAttempts').select('subject').where('subject', 'in', subjects);
  return (await row.executeTakeFirst()) !== undefined;
}

/** Forgets the attempts of subjects, and so ends their delay. As in {@link openSession}, the lock of the audit trail's head comes before. */
export async function deleteSignInAttempts(trx: Trx, subjects: readonly string[]): Promise<void> {
  await trx.deleteFrom('signInAttempts').where('subject', 'in', subjects).execute();
}

/**
 * After a step of a sign-in that was right: forgets the subject's attempts, and subtracts this one from the address's. Locks in the
 * order of {@link openSession}.
 */
export async function settleAttempts(trx: Trx, address: string, subject: string | null): Promise<void> {
  await trx
    .updateTable('signInAttempts')
    .set({ attempts: sql`attempts - 1`, blockedUntil: sql`'-infinity'::timestamptz` })
    .where('subject', '=', addressSubject(address))
    .where('attempts', '>', 0)
    .execute();
  if (subject !== null) await deleteSignInAttempts(trx, [subject]);
}

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
 * {@link countSignInAttempt} takes them.
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

/**
 * Whether a user may still sign in with what was just verified. Locks the user until the transaction ends: so a change of what they
 * sign in with either ends the new session, or prevents it.
 */
export async function lockSignInUser(
  trx: Trx,
  { id, credentialsVersion }: Pick<UserRow, 'id' | 'credentialsVersion'>,
): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('credentialsVersion', '=', credentialsVersion)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
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

export interface CallerRow {
  userId: string;
  sessionId: string;
  userName: string;
  role: string;
  kind: 'console' | 'api';
  lastSeenAt: Date;
  provedAt: Date | null;
  allowed: boolean;
  /** Of the tables that the call reads (decision 029). */
  version: string;
  /** How many numbers make up the version. */
  numbers: number;
}

/** Whose session is looked for, and what the call needs besides. */
export interface CallerQuestion extends CallNeeds, OpenAt {
  sessionId: string;
}

const selectCallers = compiledOnce<readonly CallerQuestion[], CallerRow & Placed>((value) => {
  const asked = questionsAs(value, sql`"sessionId" uuid, "idleSince" timestamptz, now timestamptz`);
  const openAt = { now: sql<Date>`asked.now`, idleSince: sql<Date>`asked."idleSince"` };
  return sql`
    select asked.place, found.*
    from ${asked} cross join lateral (
      select u.id as "userId", s.id as "sessionId", coalesce(nullif(u.user_name, ''), u.email) as "userName",
             r.name as role, s.kind, s.last_seen_at as "lastSeenAt", s.proved_at as "provedAt",
             asked.permission is null or ${ROLE_HAS_PERMISSION} as allowed, tables.version, tables.numbers
      from sessions s
      join users u on u.id = s.user_id and u.is_active and u.deleted_at is null and not u.is_service
      join roles r on r.id = u.role_id
      cross join ${READ_TABLES} tables
      where s.id = asked."sessionId" and ${isOpen(openAt)}
      limit 1
    ) found`;
});

/**
 * The users of open sessions, which service accounts never have, whether a user's role has a permission, and the version of the tables that a call
 * reads. It is read for every request, so that changes take effect at once.
 * @returns what was found for each question, in their order
 */
export const findCallers = (
  platform: Platform,
  questions: readonly CallerQuestion[],
): Promise<readonly (CallerRow | undefined)[]> => answersOf(platform, selectCallers, questions);

/** {@link findCallers} for one call. */
export async function findCaller(platform: Platform, question: CallerQuestion): Promise<CallerRow | undefined> {
  const [row] = await findCallers(platform, [question]);
  return row;
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

/** Ends every open session of a user. @param exceptId a session that stays @returns how many there were */
export async function revokeSessionsOfUser(
  trx: Trx,
  userId: string,
  reason: string,
  now: Date,
  exceptId?: string,
): Promise<number> {
  const revoked = await trx
    .updateTable('sessions')
    .set({ revokedAt: now, revokedReason: reason })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .$if(exceptId !== undefined, (query) => query.where('id', '!=', String(exceptId)))
    .returning('id')
    .execute();
  return revoked.length;
}
