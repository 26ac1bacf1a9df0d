import { randomUUID } from 'node:crypto';
import type { Profile, SessionResult } from '@apotheca/contract/auth';
import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { Transaction } from 'kysely';
import { type Actor, appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { PlatformTables } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import {
  countSignInAttempt,
  findCaller,
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
import { verifyPassword } from './passwords.ts';
import { setSessionSeen } from './sessions.repository.ts';
import { ACCESS_TOKEN_SECONDS, hashRefreshToken, newRefreshToken, readAccessToken, signAccessToken } from './tokens.ts';

const HOUR = 3600;
/** Sessions end after 12 hours without a refresh, and after 7 days at most (DECISIONS §4). */
const IDLE_SECONDS = 12 * HOUR;
const SESSION_SECONDS = 7 * 24 * HOUR;
/** How long after a refresh the loser of a race between tabs is given the winner's token, in seconds. */
const REFRESH_GRACE_SECONDS = 30;
/** When a session was last seen is written this often at most, not with every call. */
const SEEN_SECONDS = 60;

/** Guesses that are free of delay, and the longest delay after them, for an account and for an address. */
const ACCOUNT_LIMIT = { blockAfter: 5, maxBlockSeconds: 15 * 60, forgetAfterSeconds: HOUR };
const ADDRESS_LIMIT = { blockAfter: 50, maxBlockSeconds: 5 * 60, forgetAfterSeconds: HOUR };

/** The signed-in user of a request. */
export interface Caller {
  id: string;
  sessionId: string;
  userName: string;
  role: string;
  /** An API token, which only reads. */
  readOnly: boolean;
}

export interface SignIn {
  username: string;
  password: string;
  address: string;
  userAgent: string;
}

/**
 * Signs in with user name or e-mail and password.
 * @throws AppError too-many when account or address is blocked; wrong-credentials for an unknown user, a wrong password
 *   and an inactive user alike
 */
export async function signIn(
  context: Context,
  { username, password, address, userAgent }: SignIn,
): Promise<SessionResult> {
  const user = await findUserByLogin(context.platform, username);
  const actor: Actor = { id: user?.id ?? null, name: user ? nameOf(user) : username, address };
  const subjects = { account: `account:${user?.id ?? username.toLowerCase()}`, address: `address:${address}` };
  await refuseWhenBlocked(context, actor, subjects);
  const matches = await verifyPassword(user?.passwordHash, password);
  if (!user || !matches || !user.isActive) return refuseSignIn(context, actor);
  const now = context.now();
  const session = newSession(user.id, now);
  const refresh = newRefreshToken();
  const hasBegun = await context.platform.transaction().execute(async (trx) => {
    if (!(await lockSignInUser(trx, user))) return false;
    await settleSignInAttempts(trx, subjects.account, subjects.address, now);
    await insertSession(trx, {
      ...session,
      kind: 'console',
      refreshTokenHash: refresh.hash,
      expiresAt: inSeconds(now, SESSION_SECONDS),
      address,
      userAgent,
    });
    await appendAudit(
      trx,
      context.keys.audit,
      { actor, action: 'auth.sign-in', entity: 'users', entityId: user.id },
      now,
    );
    return true;
  });
  if (!hasBegun) return refuseSignIn(context, actor);
  const accessToken = await tokenOf(context, user, { sessionId: session.id, ...session });
  return { ...profileOf(user), accessToken, refreshToken: refresh.token, serverTime: secondsOf(now) };
}

async function refuseSignIn(context: Context, actor: Actor): Promise<never> {
  await audit(context, actor, 'auth.sign-in-failed');
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
  await audit(context, actor, 'auth.sign-in-blocked');
  const retryAfter = Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000));
  throw new AppError('too-many', {
    retryAfter,
    message: `Too many failed sign-ins. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
  });
}

/**
 * Exchanges a pair of tokens for a new access token and rotates the pair. Of several refreshes with the same pair one
 * wins; within the grace the others get the winner's very token. An older pair is a replay: the session ends.
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

/** The session of a refresh that lost its race; ends the session when the refresh is a replay. */
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
  // The newest pair is no replay: what kept it from being rotated is that its user may no longer sign in.
  if (session.accessTokenId === presentedTokenId) throw new AppError('session-ended');
  const user = await findUserById(context.platform, session.userId);
  if (user) await endSession(context, session.sessionId, 'replay', { id: user.id, name: nameOf(user), address });
  throw new AppError('session-ended');
}

/** Ends the session of a refresh token; one that is unknown or over needs nothing. */
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
    await appendAudit(trx, context.keys.audit, event, context.now());
  });
}

/**
 * Ends a user's sessions and API tokens within the transaction of the change that asks for it (DECISIONS §4).
 * @returns how many were open
 */
export function endSessionsOfUser(
  context: Context,
  trx: Transaction<PlatformTables>,
  userId: string,
  reason: 'deactivated' | 'deleted' | 'password-changed' | 'role-changed',
): Promise<number> {
  return revokeSessionsOfUser(trx, userId, reason, context.now());
}

/** Issues a read-only API token for the signed-in user: a session without refresh token. */
export async function generateApiToken(
  context: Context,
  caller: Caller,
  actor: Actor,
  token: { name: string; minutes: number; userAgent: string },
): Promise<{ accessToken: string; expiresAt: string }> {
  const now = context.now();
  const expiresAt = inSeconds(now, token.minutes * 60);
  const session = newSession(caller.id, now);
  const { address } = actor;
  await context.platform.transaction().execute(async (trx) => {
    await insertSession(trx, {
      ...session,
      kind: 'api',
      name: token.name,
      expiresAt,
      address,
      userAgent: token.userAgent,
    });
    const changes = { name: token.name, minutes: token.minutes };
    const event = { actor, action: 'auth.generate-token', entity: 'sessions', entityId: session.id, changes };
    await appendAudit(trx, context.keys.audit, event, now);
  });
  const claims = { userId: caller.id, role: caller.role, sessionId: session.id, tokenId: session.accessTokenId };
  const accessToken = await signAccessToken(context.keys.token, claims, now, token.minutes * 60);
  return { accessToken, expiresAt: expiresAt.toISOString() };
}

/** The signed-in user's profile. @throws AppError session-ended when the user is gone meanwhile */
export async function getProfile(context: Context, caller: Caller): Promise<Profile> {
  const user = await findUserById(context.platform, caller.id);
  if (!user) throw new AppError('session-ended');
  return profileOf(user);
}

/**
 * Finds out whose token this is and whether they hold a permission, and notes once a minute that the session is in use.
 * @throws AppError session-ended when token or session are not valid (any more)
 */
export async function identifyCaller(
  context: Context,
  token: string,
  permission: PermissionIdentifier | undefined,
): Promise<{ caller: Caller; allowed: boolean }> {
  const now = context.now();
  const claims = await readAccessToken(context.keys.token, token, now);
  const row = claims && (await findCaller(context.platform, claims.sessionId, permission, now, idleSince(now)));
  if (!row) throw new AppError('session-ended');
  const { userId: id, sessionId, userName, role, kind, lastSeenAt, allowed } = row;
  const seenBefore = inSeconds(now, -SEEN_SECONDS);
  if (lastSeenAt <= seenBefore) await setSessionSeen(context.platform, sessionId, now, seenBefore);
  return { caller: { id, sessionId, userName, role, readOnly: kind === 'api' }, allowed };
}

/**
 * Asks for a permission that only some uses of a call need, beside the one that its route names.
 * @throws AppError not-allowed, audited as the refusal of a call is
 */
export async function requirePermission(
  context: Context,
  caller: Caller,
  actor: Actor,
  permission: PermissionIdentifier,
): Promise<void> {
  const now = context.now();
  const row = await findCaller(context.platform, caller.sessionId, permission, now, idleSince(now));
  if (row?.allowed) return;
  const refusal = new AppError('not-allowed', {
    message: `You do not have the permission '${permission}'.`,
    permission,
  });
  await recordRefusal(context, actor, permission, refusal);
  throw refusal;
}

/** Notes in the audit trail that a call was refused. */
export async function recordRefusal(context: Context, actor: Actor, path: string, refusal: AppError): Promise<void> {
  const changes = {
    path,
    reason: refusal.code,
    ...(refusal.details.permission && { permission: refusal.details.permission }),
  };
  await audit(context, actor, 'auth.refused', changes);
}

async function audit(context: Context, actor: Actor, action: string, changes?: Record<string, unknown>): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const event = { actor, action, entity: 'users', entityId: actor.id ?? '', ...(changes && { changes }) };
    await appendAudit(trx, context.keys.audit, event, context.now());
  });
}

function newSession(userId: string, now: Date) {
  return {
    id: randomUUID(),
    userId,
    accessTokenId: randomUUID(),
    accessIssuedAt: now,
    createdAt: now,
    lastUsedAt: now,
    lastSeenAt: now,
  };
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
const inSeconds = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);
/** A console session that was last refreshed before this moment has ended. */
export const idleSince = (now: Date) => inSeconds(now, -IDLE_SECONDS);
