import type { OpenSession } from '@apotheca/contract/auth';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { deviceOf } from './device.ts';
import { deleteKeysEndedBefore } from './keys/keys.repository.ts';
import { deleteProviderRests } from './oidc/oidc.repository.ts';
import { DAY_SECONDS, idleSince, inSeconds, openAt } from './session-times.ts';
import { deleteSessionsEndedBefore, endOpenSession, listOpenSessions } from './sessions.repository.ts';
import { deleteSignInAttemptsBefore } from './sign-in-attempts.repository.ts';
import { findUserById } from './sign-in-users.repository.ts';

/** The caller's own open sessions and API tokens, last seen first. */
export const listOwnSessions = (context: Context, caller: Caller) => listSessions(context, caller, caller.id);

/** A user's open sessions and API tokens, last seen first. @throws AppError not-found if there is no such user, or it is deleted */
export async function listUserSessions(context: Context, caller: Caller, userId: string): Promise<OpenSession[]> {
  if (!(await findUserById(context.platform, userId))) throw new AppError('not-found');
  return listSessions(context, caller, userId);
}

async function listSessions(context: Context, caller: Caller, userId: string): Promise<OpenSession[]> {
  const sessions = await listAllSessions(context, userId);
  return sessions.map(({ userName, ...session }) => ({ ...session, isCurrent: session.id === caller.sessionId }));
}

/** All open sessions and API tokens with the names of their users, last seen first. @param userId absent: everybody's */
export async function listAllSessions(context: Context, userId?: string) {
  const sessions = await listOpenSessions(context.platform, userId, openAt(context.now()));
  return Promise.all(
    sessions.map(async ({ userAgent, issuer, createdAt, lastSeenAt, expiresAt, ...session }) => ({
      ...session,
      provider: nameOfIssuer(context, issuer),
      device: await deviceOf(userAgent),
      createdOnUtc: createdAt.toISOString(),
      lastUsedOnUtc: lastSeenAt.toISOString(),
      expiresOnUtc: expiresAt.toISOString(),
    })),
  );
}

/** One that the settings do not name any more is called by its address. */
const nameOfIssuer = ({ oidcProviders }: Context, issuer: string | null): string =>
  oidcProviders.find((one) => one.issuer === issuer)?.name ?? issuer ?? '';

/**
 * Ends an open session at once, which may be the caller's current one: its next call and refresh are refused.
 * @param ownerId the user whose session it must be; absent: any user's
 * @throws AppError not-found if there is no such session, it has ended, or it is another user's
 */
export async function endSession(context: Context, actor: Actor, sessionId: string, ownerId?: string): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const ended = await endOpenSession(trx, sessionId, ownerId, openAt(context.now()));
    if (!ended) throw new AppError('not-found', { message: 'There is no such open session.' });
    const event = { actor, action: 'auth.session-ended', entity: 'sessions', entityId: sessionId, changes: ended };
    await appendAudit(context, trx, event);
  });
}

/**
 * Deletes sessions and API keys that ended, and counts of attempts to sign in that are older than some days. The audit trail keeps all three.
 * Tokens of providers go at once.
 */
export async function forgetOldSessions(context: Context, days: number, stopping?: AbortSignal): Promise<void> {
  const { platform } = context;
  const now = context.now();
  const before = inSeconds(now, -days * DAY_SECONDS);
  await deleteSessionsEndedBefore(platform, { before, idleBefore: idleSince(before) }, stopping);
  await deleteKeysEndedBefore(platform, before);
  await deleteSignInAttemptsBefore(platform, before, stopping);
  await deleteProviderRests(platform, openAt(now), stopping);
}
