import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { ContractRoute } from '@apotheca/contract/route';
import type { Actor, Caller } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { MOST_NUMBERS, mergeTableChanges } from '../../db/json-list.ts';
import type { Trx } from '../../db/platform.ts';
import { shareQuery } from '../../db/shared-query.ts';
import { AppError } from '../../errors.ts';
import { auditOutcome } from './auth-audit.ts';
import type { CallNeeds } from './caller-questions.repository.ts';
import { type CallerQuestion, type CallerRow, findCaller, findCallers } from './callers.repository.ts';
import { type FindKey, identifyKey, requireKey } from './keys/key-callers.ts';
import { isKey } from './keys/key-format.ts';
import { findKeyCallers } from './keys/keys.repository.ts';
import { idleSince, inSeconds, PROOF_SECONDS, SEEN_SECONDS } from './session-times.ts';
import { setSessionSeen } from './sessions.repository.ts';
import { readAccessToken } from './tokens.ts';

/** Who calls, and what the query that found them read besides. */
interface Identified {
  caller: Caller;
  allowed: boolean;
  version: string;
  numbers: number;
}

/** How callers are looked up. */
interface LookUps {
  findSession(question: CallerQuestion): Promise<CallerRow | undefined>;
  findKey: FindKey;
}

/** How routes identify their callers: those who call at the same time are looked up by one query. */
export function openCallers({ platform }: Pick<Context, 'platform'>) {
  const lookUps: LookUps = {
    findSession: shareQuery((questions) => findCallers(platform, questions)),
    findKey: shareQuery((questions) => findKeyCallers(platform, questions)),
  };
  return {
    identifyCaller: (context: Context, token: string, needs: CallNeeds, address: string) =>
      identifyCaller(context, lookUps, token, needs, address),
    isAllowed,
    needsProof,
    recordRefusal,
  };
}

/**
 * Finds the user of a token or an API key, whether the user has a permission, and the version of the tables that the call reads, in one
 * query. Notes once a minute that the session or the key is in use.
 * @throws AppError session-ended, key-refused if token, session or key is not valid
 */
async function identifyCaller(
  context: Context,
  { findSession, findKey }: LookUps,
  token: string,
  needs: CallNeeds,
  address: string,
): Promise<Identified> {
  const identified = isKey(token)
    ? await identifyKey(context, token, needs, address, findKey)
    : await identifySession(context, token, needs, findSession);
  // Reading goes on where nothing can be written, such as on a full disk.
  if (needs.tables && identified.numbers > MOST_NUMBERS) {
    await mergeTableChanges(context.pool, needs.tables).catch(() => {});
  }
  return identified;
}

async function identifySession(
  context: Context,
  token: string,
  needs: CallNeeds,
  find: LookUps['findSession'],
): Promise<Identified> {
  const now = context.now();
  const claims = await readAccessToken(context.keys.token, token, now);
  const row = claims && (await find({ sessionId: claims.sessionId, now, idleSince: idleSince(now), ...needs }));
  if (!row) throw new AppError('session-ended');
  const { userId: id, sessionId, userName, role, kind, lastSeenAt, provedAt, allowed, version, numbers } = row;
  const seenBefore = inSeconds(now, -SEEN_SECONDS);
  // Reading goes on where it cannot be noted, as in `identifyCaller`.
  if (lastSeenAt <= seenBefore) await setSessionSeen(context.platform, sessionId, now, seenBefore).catch(() => {});
  return { caller: { id, sessionId, userName, role, readOnly: kind === 'api', provedAt }, allowed, version, numbers };
}

/** The refusal of a call that wants a fresh proof, while the caller's is too old. What cannot prove anything is not asked for it. */
function needsProof(
  { now }: Context,
  { fresh }: Pick<ContractRoute, 'fresh'>,
  { provedAt }: Pick<Caller, 'provedAt'>,
): AppError | undefined {
  const isOld = provedAt !== null && provedAt < inSeconds(now(), -PROOF_SECONDS);
  return fresh && isOld ? new AppError('proof-needed', { result: { proofMaxAge: PROOF_SECONDS } }) : undefined;
}

/**
 * Requires a permission that only some uses of a call need, in addition to that of its route.
 * @throws AppError not-allowed, which is audited like the refusal of a call; session-ended, key-refused if the session or the key has
 * ended since the call began
 */
export async function requirePermission(
  context: Context,
  caller: Caller,
  actor: Actor,
  permission: PermissionIdentifier,
): Promise<void> {
  if (await isAllowed(context, caller, actor, permission)) return;
  const refusal = new AppError('not-allowed', {
    message: `You do not have the permission '${permission}'.`,
    permission,
  });
  await recordRefusal(context, actor, permission, refusal);
  throw refusal;
}

/**
 * Whether the caller has a permission, which their API key has too.
 * @param permission undefined: that of every signed-in user
 * @throws AppError session-ended, key-refused if the session or the key has ended since the call began
 */
export async function isAllowed(
  context: Context,
  caller: Caller,
  actor: Actor,
  permission: PermissionIdentifier | undefined,
): Promise<boolean> {
  if (caller.key) return (await requireKey(context, caller.key, { permission }, actor.address)).allowed;
  const now = context.now();
  const { sessionId } = caller;
  const row = await findCaller(context.platform, { sessionId, permission, now, idleSince: idleSince(now) });
  if (!row) throw new AppError('session-ended');
  return row.allowed;
}

/** Runs a change in a transaction. A refusal for a missing permission is audited like the refusal of a call. */
export async function auditingRefusals<T>(
  context: Context,
  actor: Actor,
  path: string,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  try {
    return await context.platform.transaction().execute(work);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-allowed') await recordRefusal(context, actor, path, error);
    throw error;
  }
}

/** Notes the refusal of a call in the audit trail. */
async function recordRefusal(context: Context, actor: Actor, path: string, refusal: AppError): Promise<void> {
  const changes = {
    path,
    reason: refusal.code,
    ...(refusal.details.permission && { permission: refusal.details.permission }),
    ...(refusal.details.errors && { fields: Object.keys(refusal.details.errors) }),
  };
  await auditOutcome(context, actor, 'auth.refused', changes);
}
