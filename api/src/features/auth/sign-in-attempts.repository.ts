import { type RawBuilder, sql } from 'kysely';
import { networkOf } from '../../address-range.ts';
import { appending, type NextEntry } from '../../db/audit-chain.ts';
import { compiledOnce, type ValueFor } from '../../db/compiled-statements.ts';
import { deleteExpired } from '../../db/delete-expired.ts';
import { hasCome } from '../../db/due-moments.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { type UserRow, userOfLogin } from './sign-in-users.repository.ts';

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

/** What is counted besides sign-ins: asking for a link to choose a new password, using one, and answers of providers. */
type Countable = 'link-request' | 'link-use' | 'provider-answer';

const prefixOf = (what: Countable | undefined) => (what ? `${what} ` : '');
/** Of IPv6 all addresses of a network count together. */
export const addressSubject = (address: string, what?: Countable) => `${prefixOf(what)}address:${networkOf(address)}`;
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
      where ${hasCome('a.blocked_until', sql`excluded.updated_at`, sql`make_interval(secs => ${maxBlockSeconds})`)}
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
  { what, address, now, limits }: CountedAttempt,
  subject: string | null,
): Promise<Delay | undefined> {
  const longest = Math.max(limits.account.maxBlockSeconds, limits.address.maxBlockSeconds);
  return platform
    .selectFrom('signInAttempts')
    .select(['subject', 'blockedUntil as until'])
    .where('subject', 'in', [addressSubject(address, what), ...(subject === null ? [] : [subject])])
    .where((eb) => eb.not(hasCome('blockedUntil', now, sql`make_interval(secs => ${longest})`)))
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
  if ('address' in whose)
    return [undefined, 'provider-answer' as const].map((what) => addressSubject(whose.address, what));
  return [accountSubject(whose.user, whose.login), ...(whose.user ? [factorSubject(whose.user.id)] : [])];
}

export async function hasSignInAttempts(trx: Trx, subjects: readonly string[]): Promise<boolean> {
  const row = trx.selectFrom('signInAttempts').select('subject').where('subject', 'in', subjects);
  return (await row.executeTakeFirst()) !== undefined;
}

/** Forgets the attempts of subjects, and so ends their delay. As in `openSession`, the lock of the audit trail's head comes before. */
export async function deleteSignInAttempts(trx: Trx, subjects: readonly string[]): Promise<void> {
  await trx.deleteFrom('signInAttempts').where('subject', 'in', subjects).execute();
}

/**
 * After a step of a sign-in that was right: forgets the subject's attempts, and subtracts this one from the address's. Locks in the
 * order of `openSession`.
 */
export async function settleAttempts(
  trx: Trx,
  address: string,
  subject: string | null,
  what?: Countable,
): Promise<void> {
  await trx
    .updateTable('signInAttempts')
    .set({ attempts: sql`attempts - 1`, blockedUntil: sql`'-infinity'::timestamptz` })
    .where('subject', '=', addressSubject(address, what))
    .where('attempts', '>', 0)
    .execute();
  if (subject !== null) await deleteSignInAttempts(trx, [subject]);
}

/** Deletes counts of attempts to sign in of which the last was before a moment. */
export async function deleteSignInAttemptsBefore(
  platform: Platform,
  before: Date,
  stopping?: AbortSignal,
): Promise<void> {
  // A sign-in locks two of these rows. It is never waited for here, as it may wait for the other row in its turn.
  await deleteExpired(platform, 'sign_in_attempts', sql`updated_at < ${before}`, stopping);
}
