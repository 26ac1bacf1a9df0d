import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { Actor, Caller } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { mergeTableChanges } from '../../db/json-list.ts';
import { AppError } from '../../errors.ts';
import { type CallNeeds, findCaller } from './auth.repository.ts';
import { auditOutcome } from './auth-audit.ts';
import { idleSince, inSeconds } from './session-times.ts';
import { setSessionSeen } from './sessions.repository.ts';
import { readAccessToken } from './tokens.ts';

/** How often the time at which a session was last seen is written at most, in seconds. */
const SEEN_SECONDS = 60;

/** From this many numbers on, the call that reads a version merges them: every version is made of all numbers of its tables. */
const MOST_NUMBERS = 200;

/**
 * Finds the user of a token, whether the user has a permission, and the version of the tables that the call reads, in one query. Notes
 * once a minute that the session is in use.
 * @throws AppError session-ended if the token or the session is not valid
 */
export async function identifyCaller(
  context: Context,
  token: string,
  needs: CallNeeds,
): Promise<{ caller: Caller; allowed: boolean; version: string }> {
  const now = context.now();
  const claims = await readAccessToken(context.keys.token, token, now);
  const row = claims && (await findCaller(context.platform, claims.sessionId, needs, now, idleSince(now)));
  if (!row) throw new AppError('session-ended');
  const { userId: id, sessionId, userName, role, kind, lastSeenAt, allowed, version, numbers } = row;
  const seenBefore = inSeconds(now, -SEEN_SECONDS);
  if (lastSeenAt <= seenBefore) await setSessionSeen(context.platform, sessionId, now, seenBefore);
  // Reading goes on where nothing can be written, such as on a full disk.
  if (needs.tables && numbers > MOST_NUMBERS) await mergeTableChanges(context.pool, needs.tables).catch(() => {});
  return { caller: { id, sessionId, userName, role, readOnly: kind === 'api' }, allowed, version };
}

/**
 * Requires a permission that only some uses of a call need, in addition to that of its route.
 * @throws AppError not-allowed, which is audited like the refusal of a call; session-ended if the session has ended since the call
 * began
 */
export async function requirePermission(
  context: Context,
  caller: Caller,
  actor: Actor,
  permission: PermissionIdentifier,
): Promise<void> {
  const now = context.now();
  const row = await findCaller(context.platform, caller.sessionId, { permission }, now, idleSince(now));
  if (!row) throw new AppError('session-ended');
  if (row.allowed) return;
  const refusal = new AppError('not-allowed', {
    message: `You do not have the permission '${permission}'.`,
    permission,
  });
  await recordRefusal(context, actor, permission, refusal);
  throw refusal;
}

/** Notes the refusal of a call in the audit trail. */
export async function recordRefusal(context: Context, actor: Actor, path: string, refusal: AppError): Promise<void> {
  const changes = {
    path,
    reason: refusal.code,
    ...(refusal.details.permission && { permission: refusal.details.permission }),
    ...(refusal.details.errors && { fields: Object.keys(refusal.details.errors) }),
  };
  await auditOutcome(context, actor, 'auth.refused', changes);
}
