import { randomUUID } from 'node:crypto';
import type { Profile, SessionResult } from '@apotheca/contract/auth';
import type { SecondFactorStep } from '@apotheca/contract/sign-in-step';
import type { Actor, Caller } from '../../actor.ts';
import { addressNamed } from '../../address-range.ts';
import { appendAudit, appendAuditBy } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { auditOutcome } from './auth-audit.ts';
import { askSecondFactor, needsSecondFactor } from './factors/second-step.service.ts';
import { revokeKeysOfUser } from './keys/keys.repository.ts';
import { isPasswordOff } from './oidc/local-sign-in.ts';
import { checkAtProvider } from './oidc/provider-check.service.ts';
import { verifyPassword } from './passwords.ts';
import { idleSince, openAt } from './session-times.ts';
import {
  accountSubject,
  countSignInAttempt,
  deleteSignInAttempts,
  hasSignInAttempts,
  subjectsOf,
} from './sign-in-attempts.repository.ts';
import { refuseBlocked, SIGN_IN_LIMITS } from './sign-in-limits.ts';
import {
  findSessionByRefreshToken,
  openSession,
  type RefreshRow,
  revokeSession,
  revokeSessionsOfUsers,
  rotateAccessToken,
} from './sign-in-session.repository.ts';
import { nameOf, newSignInSession, profileOf, type SignInPlace, secondsOf, tokenOf } from './sign-in-session.ts';
import { findUserById, findUserByLogin, lockSignInUser } from './sign-in-users.repository.ts';
import { hashRefreshToken, readAccessToken } from './tokens.ts';

/** How long after a refresh another one with the same pair gets the same token, in seconds: tabs may race. */
const REFRESH_GRACE_SECONDS = 30;

export interface SignIn extends SignInPlace {
  username: string;
  password: string;
  /** The address of the console, as the browser sees it. */
  origin: string;
}

/**
 * Signs in with user name or e-mail address, and password. Where a second factor is needed, that opens no session but asks for it.
 * @throws AppError too-many if the account or address is blocked; wrong-credentials for an unknown user, a wrong password and an
 * inactive user alike
 */
export async function signIn(
  context: Context,
  { username, password, address, userAgent, origin }: SignIn,
): Promise<SessionResult | SecondFactorStep> {
  const attempt = { login: username, address, now: context.now(), limits: SIGN_IN_LIMITS };
  const { user, isCounted } = await countSignInAttempt(context.platform, attempt);
  const actor: Actor = { id: user?.id ?? null, name: user ? nameOf(user) : username, address };
  if (!isCounted) return refuseBlocked(context, actor, { ...attempt, subject: accountSubject(user, username) });
  const matches = await verifyPassword(user?.passwordHash, password);
  if (!user || !matches || !user.isActive || isPasswordOff(context, user)) return refuseSignIn(context, actor);
  if (needsSecondFactor(user)) return askSecondFactor(context, actor, user, origin);
  const session = newSignInSession(context, user, { address, userAgent });
  const hasBegun = await appendAuditBy(
    context,
    context.platform,
    { actor, action: 'auth.sign-in', entity: 'users', entityId: user.id },
    (platform, next) => openSession(platform, { user, address, session: session.row }, next),
    (trx) => lockSignInUser(trx, user),
  );
  return hasBegun ? session.answer() : refuseSignIn(context, actor);
}

async function refuseSignIn(context: Context, actor: Actor): Promise<never> {
  await auditOutcome(context, actor, 'auth.sign-in-failed');
  throw new AppError('wrong-credentials');
}

/**
 * Ends the delay after failed sign-ins at once.
 * @param whose an IP address, which of IPv6 stands for its network, or else a user name or e-mail address
 * @returns whether attempts were counted
 */
export async function endSignInDelay(context: Context, actor: Actor, whose: string): Promise<boolean> {
  return context.platform.transaction().execute(async (trx) => {
    const address = addressNamed(whose);
    const user = address === undefined ? await findUserByLogin(trx, whose) : undefined;
    const subjects = subjectsOf(address === undefined ? { user, login: whose } : { address });
    if (!(await hasSignInAttempts(trx, subjects))) return false;
    const event = { action: 'auth.unlock', entity: 'users', entityId: user?.id ?? '', changes: { of: whose } };
    await appendAudit(context, trx, { actor, ...event });
    await deleteSignInAttempts(trx, subjects);
    return true;
  });
}

/**
 * Exchanges a pair of tokens for a new access token and rotates the pair. Of several refreshes with the same pair one wins; within
 * the grace the others get the winner's token. An older pair is a replay, which ends the session.
 * @throws AppError session-ended; provider-away where the session came by a provider that has not answered for too long
 */
export async function refreshSession(
  context: Context,
  tokens: { refreshToken: string; accessToken: string },
  address: string,
): Promise<{ accessToken: string; serverTime: number }> {
  const { accessToken } = tokens;
  const presented = await readAccessToken(context.keys.token, accessToken, context.now(), { expiredToo: true });
  if (!presented) throw new AppError('session-ended');
  const refreshTokenHash = hashRefreshToken(tokens.refreshToken);
  await checkAtProvider(context, refreshTokenHash, address);
  // The provider may have taken some of the seconds for which the same pair is taken again.
  const now = context.now();
  const rotated = await rotateAccessToken(context.platform, {
    refreshTokenHash,
    presentedTokenId: presented.tokenId,
    newTokenId: randomUUID(),
    now,
    idleSince: idleSince(now),
  });
  const session = rotated ?? (await findGraceSession(context, refreshTokenHash, presented.tokenId, address));
  const user = await findUserById(context.platform, session.userId);
  if (!user?.isActive) throw new AppError('session-ended');
  return { accessToken: await tokenOf(context, user, session), serverTime: secondsOf(now) };
}

/** The session of a refresh that lost its race. Ends the session if the refresh is a replay. */
async function findGraceSession(
  context: Context,
  hash: Buffer,
  presentedTokenId: string,
  address: string,
): Promise<RefreshRow> {
  const now = context.now();
  const session = await findSessionByRefreshToken(context.platform, hash);
  const isLiving = session && !session.revokedAt && session.expiresAt > now && session.lastUsedAt > idleSince(now);
  if (!isLiving) throw new AppError('session-ended');
  const isInGrace = now.getTime() - session.accessIssuedAt.getTime() <= REFRESH_GRACE_SECONDS * 1000;
  if (session.previousAccessTokenId === presentedTokenId && isInGrace) return session;
  // The newest pair is no replay: it was not rotated because its user may no longer sign in.
  if (session.accessTokenId === presentedTokenId) throw new AppError('session-ended');
  const user = await findUserById(context.platform, session.userId);
  if (user) await endSession(context, session.sessionId, 'replay', { id: user.id, name: nameOf(user), address });
  throw new AppError('session-ended');
}

/** Ends the session of a refresh token; an unknown or ended one is no error. */
export async function signOut(context: Context, refreshToken: string, address: string): Promise<void> {
  const session = await findSessionByRefreshToken(context.platform, hashRefreshToken(refreshToken));
  const user = session && (await findUserById(context.platform, session.userId));
  if (session && user)
    await endSession(context, session.sessionId, 'sign-out', { id: user.id, name: nameOf(user), address });
}

async function endSession(
  context: Context,
  sessionId: string,
  reason: 'sign-out' | 'replay',
  actor: Actor,
): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const wasOpen = await revokeSession(trx, sessionId, reason, context.now());
    if (!wasOpen) return;
    const event = { actor, action: `auth.${reason}`, entity: 'sessions', entityId: sessionId };
    await appendAudit(context, trx, event);
  });
}

/**
 * Ends a user's sessions and API tokens, in the transaction of a change of the user (DECISIONS §4). The user's API keys end with the
 * user only: programs go on when a person has a new password, and a role is read with every call.
 * @param exceptId a session that stays
 * @returns how many sessions and tokens were open
 */
export async function endSessionsOfUser(
  context: Context,
  trx: Trx,
  userId: string,
  reason: 'deactivated' | 'deleted' | 'password-changed' | 'role-changed' | 'factors-reset',
  exceptId?: string,
): Promise<number> {
  if (reason === 'deactivated' || reason === 'deleted') await revokeKeysOfUser(trx, userId, context.now());
  return revokeSessionsOfUsers(trx, [userId], reason, openAt(context.now()), exceptId);
}

/** Ends the sessions and API tokens of users who have another role, as {@link endSessionsOfUser} does. */
export async function endSessionsOfUsers(
  context: Context,
  trx: Trx,
  userIds: readonly string[],
  reason: 'role-changed',
): Promise<void> {
  await revokeSessionsOfUsers(trx, userIds, reason, openAt(context.now()));
}

/** The signed-in user's profile. @throws AppError session-ended if the user was deleted meanwhile */
export async function getProfile(context: Context, caller: Caller): Promise<Profile> {
  const user = await findUserById(context.platform, caller.id);
  if (!user) throw new AppError('session-ended');
  return profileOf(user);
}
