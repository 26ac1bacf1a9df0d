import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { HOUR_SECONDS } from '../session-times.ts';
import {
  type Attempt,
  accountSubject,
  countSignInAttempt,
  deleteSignInAttempts,
} from '../sign-in-attempts.repository.ts';
import { refuseBlocked } from '../sign-in-limits.ts';
import type { UserRow } from '../sign-in-users.repository.ts';

/** Three mails at once, then one after a minute, after two more, and so on: about ten in the first hour. */
const PERSON_LIMIT = {
  blockAfter: 3,
  firstBlockSeconds: 60,
  maxBlockSeconds: 15 * 60,
  forgetAfterSeconds: HOUR_SECONDS,
};
const ADDRESS_LIMIT = { blockAfter: 20, maxBlockSeconds: 5 * 60, forgetAfterSeconds: HOUR_SECONDS };
const LIMITS = { account: PERSON_LIMIT, address: ADDRESS_LIMIT };

/**
 * Counts that somebody asks for a link, for the account and for the address, whether there is such a user or not.
 * @returns the user with that e-mail address or user name
 * @throws AppError too-many
 */
export function countLinkRequest(context: Context, email: string, address: string): Promise<UserRow | undefined> {
  const words = { action: 'auth.link-request-blocked', what: 'requests for a new password' };
  return count(context, { what: 'link-request', login: email, address }, words);
}

/** Counts that somebody tries a link, for the link and for the address. @throws AppError too-many */
export async function countLinkUse(context: Context, tokenHash: Buffer, address: string): Promise<void> {
  const words = { action: 'auth.link-blocked', what: 'attempts with links' };
  await count(context, { what: 'link-use', login: tokenHash.toString('hex'), address }, words);
}

async function count(
  context: Context,
  of: Pick<Attempt, 'what' | 'login' | 'address'>,
  words: { action: string; what: string },
): Promise<UserRow | undefined> {
  const attempt: Attempt = { ...of, now: context.now(), limits: LIMITS };
  const { user, isCounted } = await countSignInAttempt(context.platform, attempt);
  if (isCounted) return user;
  const name = of.what === 'link-use' ? '' : of.login;
  const actor = { id: user?.id ?? null, name, address: of.address };
  return refuseBlocked(context, actor, { ...attempt, subject: accountSubject(user, of.login, of.what) }, words);
}

/** Forgets the failed sign-ins of a user, the requests for links and the attempts with this one. */
export async function forgetAttempts(trx: Trx, user: Pick<UserRow, 'id'>, tokenHash: Buffer): Promise<void> {
  await deleteSignInAttempts(trx, [
    accountSubject(user, ''),
    accountSubject(user, '', 'link-request'),
    accountSubject(undefined, tokenHash.toString('hex'), 'link-use'),
  ]);
}
