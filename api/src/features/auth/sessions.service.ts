import type { OpenSession } from '@apotheca/contract/auth';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { findUserById } from './auth.repository.ts';
import { deviceOf } from './device.ts';
import { DAY_SECONDS, idleSince, inSeconds } from './session-times.ts';
import {
  deleteSessionsEndedBefore,
  deleteSignInAttemptsBefore,
  endOpenSession,
  listOpenSessions,
} from './sessions.repository.ts';

/** The caller's own open sessions and API tokens, last seen first. */
export const listOwnSessions = (context: Context, caller: Caller) => listSessions(context, caller, caller.id);

/** A user's open sessions and API tokens, last seen first. @throws AppError not-found for no user, or a deleted one */
export async function listUserSessions(context: Context, caller: Caller, userId: string): Promise<OpenSession[]> {
  if (!(await findUserById(context.platform, userId))) throw new AppError('not-found');
  return listSessions(context, caller, userId);
}

async function listSessions(context: Context, caller: Caller, userId: string): Promise<OpenSession[]> {
  const sessions = await listOpenSessions(context.platform, userId, openAt(context));
  return Promise.all(
    sessions.map(async ({ id, kind, name, address, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
      id,
      kind,
      name,
      device: await deviceOf(userAgent),
      address,
      createdOnUtc: createdAt.toISOString(),
      lastUsedOnUtc: lastSeenAt.toISOString(),
      expiresOnUtc: expiresAt.toISOString(),
      isCurrent: id === caller.sessionId,
    })),
  );
}

/**
 * Ends an open session at once, the caller's current one too: its next call and its refresh are refused.
 * @param ownerId whose it must be; absent: anybody's
 * @throws AppError not-found for one that there is not, is over already, or is not `ownerId`'s
 */
export async function endSession(context: Context, actor: Actor, sessionId: string, ownerId?: string): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const ended = await endOpenSession(trx, sessionId, ownerId, openAt(context));
    if (!ended) throw new AppError('not-found', { message: 'There is no such open session.' });
    const event = { actor, action: 'auth.session-ended', entity: 'sessions', entityId: sessionId, changes: ended };
    await appendAudit(context, trx, event);
  });
}

/** Removes sessions that ended, and attempts to sign in that were made, more than some days ago; both are in the audit trail. */
export async function forgetOldSessions({ platform, now }: Context, days: number): Promise<void> {
  const before = inSeconds(now(), -days * DAY_SECONDS);
  await deleteSessionsEndedBefore(platform, before, idleSince(before));
  await deleteSignInAttemptsBefore(platform, before);
}

function openAt(context: Context) {
  const now = context.now();
  return { now, idleSince: idleSince(now) };
}
