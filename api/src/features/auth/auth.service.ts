import { randomUUID } from 'node:crypto';
import type { Profile, SessionResult } from '@apotheca/contract/auth';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import {
  countSignInAttempt,
  findSessionByRefreshToken,
  findUserById,
  findUserByLogin,
  insertSession,
  lockSignInUser,
  type RefreshRow,
  revokeSession,
  revokeSessionsOfUser,
  rotateAccessToken,
  settleSignInAttempts,
  type UserRow,
} from './auth.repository.ts';
import { auditOutcome } from './auth-audit.ts';
import { verifyPassword } from './passwords.ts';
import { HOUR_SECONDS, idleSince, newSession, sessionEnd } from './session-times.ts';
import { ACCESS_TOKEN_SECONDS, hashRefreshToken, newRefreshToken, readAccessToken, signAccessToken } from './tokens.ts';

/** How long after a refresh another one with the same pair gets the same token, in seconds: tabs may race. */
const REFRESH_GRACE_SECONDS = 30;

/** How many attempts have no delay, and the longest delay after them, for an account and for an address. */
const ACCOUNT_LIMIT = { blockAfter: 5, maxBlockSeconds: 15 * 60, forgetAfterSeconds: HOUR_SECONDS };
const ADDRESS_LIMIT = { blockAfter: 50, maxBlockSeconds: 5 * 60, forgetAfterSeconds: HOUR_SECONDS };

export interface SignIn {
  username: string;
  password: string;
  address: string;
  userAgent: string;
}

/**
 * Signs in with user name or e-mail address, and password.
 * @throws AppError too-many if the account or address is blocked; wrong-credentials for an unknown user, a wrong password and an
 * inactive user alike
 */
export async function signIn(
  context: Context,
  { username, password, address, userAgent }: SignIn,
): Promise<SessionResult> {
  const user = await findUserByLogin(context.platform, username);
  const actor: Actor = { id: user?.id ?? null, name: user ? nameOf(user) : username, address };
  // For unknown names too, PostgreSQL decides which spellings are the same name.
  const subjects = { account: user ? `account:${user.id}` : `name:${username}`, address: `address:${address}` };
  await refuseWhenBlocked(context, actor, subjects);
  const matches = await verifyPassword(user?.passwordHash, password);
  if (!user || !matches || !user.isActive) return refuseSignIn(context, actor);
  const now = context.now();
  const session = newSession(user.id, now);
  const refresh = newRefreshToken();
  const hasBegun = await context.platform.transaction().execute(async (trx) => {
    if (!(await lockSignInUser(trx, user))) return false;
    await insertSession(trx, {
      ...session,
      kind: 'console',
      refreshTokenHash: refresh.hash,
      expiresAt: sessionEnd(now),
      address,
      userAgent,
    });
    // Everybody who signs in from the address waits for this: so it comes late.
    await settleSignInAttempts(trx, subjects.account, subjects.address);
    await appendAudit(context, trx, { actor, action: 'auth.sign-in', entity: 'users', entityId: user.id });
    return true;
  });
  if (!hasBegun) return refuseSignIn(context, actor);
  const accessToken = await tokenOf(context, user, { sessionId: session.id, ...session });
  return { ...profileOf(user), accessToken, refreshToken: refresh.token, serverTime: secondsOf(now) };
}

async function refuseSignIn(context: Context, actor: Actor): Promise<never> {
  await auditOutcome(context, actor, 'auth.sign-in-failed');
  throw new AppError('wrong-credentials');
}

async function refuseWhenBlocked(
  context: Context,
  actor: Actor,
  subjects: { account: string; address: string },
): Promise<void> {
  const now = context.now();
  const blockedUntil =
    (await countSignInAttempt(context.platform, { subject: subjects.address, now, ...ADDRESS_LIMIT })) ??
    (await countSignInAttempt(context.platform, { subject: subjects.account, now, ...ACCOUNT_LIMIT }));
  if (!blockedUntil) return;
  await auditOutcome(context, actor, 'auth.sign-in-blocked');
  const retryAfter = Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000));
  throw new AppError('too-many', {
    retryAfter,
    message: `Too many failed sign-ins. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
  });
}

/**
 * Exchanges a pair of tokens for a new access token and rotates the pair. Of several refreshes with the same pair one wins; within
 * the grace the others get the winner's token. An older pair is a replay, which ends the session.
 * @throws AppError session-ended
 */
export async function refreshSession(
  context: Context,
  tokens: { refreshToken: string; accessToken: string },
  address: string,
): Promise<{ accessToken: string; serverTime: number }> {
  const now = context.now();
  const presented = await readAccessToken(context.keys.token, tokens.accessToken, now, { expiredToo: true });
  if (!presented) throw new AppError('session-ended');
  const refreshTokenHash = hashRefreshToken(tokens.refreshToken);
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
 * Ends a user's sessions and API tokens, in the transaction of a change of the user (DECISIONS §4).
 * @returns how many were open
 */
export function endSessionsOfUser(
  context: Context,
  trx: Trx,
  userId: string,
  reason: 'deactivated' | 'deleted' | 'password-changed' | 'role-changed',
): Promise<number> {
  return revokeSessionsOfUser(trx, userId, reason, context.now());
}

/** The signed-in user's profile. @throws AppError session-ended if the user was deleted meanwhile */
export async function getProfile(context: Context, caller: Caller): Promise<Profile> {
  const user = await findUserById(context.platform, caller.id);
  if (!user) throw new AppError('session-ended');
  return profileOf(user);
}

function tokenOf(context: Context, user: UserRow, session: RefreshRow): Promise<string> {
  const { sessionId, accessTokenId: tokenId, accessIssuedAt } = session;
  const claims = { userId: user.id, role: user.role, sessionId, tokenId };
  return signAccessToken(context.keys.token, claims, accessIssuedAt, ACCESS_TOKEN_SECONDS);
}

function profileOf(user: UserRow): Profile {
  const { id, userName: username, email, firstName, lastName, phone, role } = user;
  return { id, username, email, firstName, lastName, phone, role };
}

const nameOf = (user: UserRow) => user.userName || user.email;
const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);
