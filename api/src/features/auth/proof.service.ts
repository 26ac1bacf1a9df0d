import type { ProofWays } from '@apotheca/contract/account';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import { CODE_REQUIRED } from '@apotheca/contract/second-factors';
import type { FactorMethod } from '@apotheca/contract/sign-in-step';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { auditOutcome } from './auth-audit.ts';
import { factorRefusal } from './factors/factor-sign-in.ts';
import { relyingPartyOf } from './factors/relying-party.ts';
import { acceptCode } from './factors/second-step.service.ts';
import { isPasswordOff } from './oidc/local-sign-in.ts';
import { findPersonOfSession } from './oidc/oidc.repository.ts';
import { verifyPassword } from './passwords.ts';
import { lockOpenSignIn, setSessionProved } from './proof.repository.ts';
import { idleSince } from './session-times.ts';
import {
  accountSubject,
  countSignInAttempt,
  countStepAttempt,
  factorSubject,
  settleAttempts,
} from './sign-in-attempts.repository.ts';
import { refuseBlocked, SIGN_IN_LIMITS } from './sign-in-limits.ts';
import { findUserById, lockSignInUser, type UserRow } from './sign-in-users.repository.ts';

type ProofMethod = 'password' | 'provider' | FactorMethod;

/** What was verified of the signed-in user. */
interface Proof {
  /** Of which version of what they sign in with. */
  user: Pick<UserRow, 'id' | 'credentialsVersion'>;
  method: ProofMethod;
  /** Uses a second factor up, or refuses it, and under which subject its attempt was counted beside the address; absent: there is none. */
  factor?: { accept: (trx: Trx) => Promise<boolean>; subject: string | null };
}

/** Whether the password alone proves too little. A role may need a factor that its user is yet to set up, with a proof. */
export const hasSecondFactor = ({ hasTotp, hasPasskeys }: UserRow): boolean => hasTotp || hasPasskeys;

/** The signed-in user. @throws AppError session-ended if they were deleted meanwhile */
export const getSignedIn = async ({ platform }: Context, { id }: Caller): Promise<UserRow> =>
  (await findUserById(platform, id)) ?? ended();

/** By what the signed-in user can prove who they are: by what would sign them in at this address of the console. */
export async function getProofWays(context: Context, caller: Caller, origin: string): Promise<ProofWays> {
  const user = await getSignedIn(context, caller);
  const isOff = isPasswordOff(context, user);
  const person = await findPersonOfSession(context.platform, caller.sessionId);
  const provider = context.oidcProviders.find(({ issuer }) => issuer === person?.issuer);
  return {
    password: !isOff && user.passwordHash !== null,
    code: hasSecondFactor(user),
    passkeys: !isOff && user.hasPasskeys && relyingPartyOf(context, origin) !== undefined,
    provider: provider ? { id: provider.id, name: provider.name } : null,
  };
}

/**
 * Proves who is signed in by the password, and by a code where there is a second factor, as the sign-in does. Calls that want a fresh
 * proof are then open to this session for a while.
 * @returns when
 * @throws AppError invalid for a wrong or missing password or code; too-many; session-ended
 */
export async function proveByPassword(
  context: Context,
  caller: Caller,
  actor: Actor,
  { password, code }: { password: string; code?: string | undefined },
): Promise<{ provedOnUtc: string }> {
  const user = await verifyOwnPassword(context, caller, actor, { field: 'password', password });
  if (isPasswordOff(context, user)) return refuseProof(context, actor, 'password');
  if (!hasSecondFactor(user)) return prove(context, caller, actor, { user, method: 'password' });
  if (code === undefined) throw fieldError('invalid', 'code', CODE_REQUIRED);
  const subject = factorSubject(user.id);
  const attempt = { subject, address: actor.address, now: context.now(), limits: SIGN_IN_LIMITS };
  if (!(await countStepAttempt(context.platform, attempt))) return refuseBlocked(context, actor, attempt);
  const method = /^\d{6}$/.test(code.replace(/\s/g, '')) ? 'totp' : 'recovery';
  const accept = async (trx: Trx) => (await acceptCode(context, trx, user.id, method, code)) !== undefined;
  return prove(context, caller, actor, { user, method, factor: { accept, subject } });
}

/**
 * Verifies the password of the signed-in user. Attempts count together with those of the sign-in, so that there are no more guesses
 * here than there, and a good one ends the delay, as there.
 * @param typed with the field of the call that it came in
 * @throws AppError invalid for a wrong password: a 401 would say that the session has ended; too-many; session-ended
 */
export async function verifyOwnPassword(
  context: Context,
  caller: Caller,
  actor: Actor,
  { field, password }: { field: string; password: string },
): Promise<UserRow> {
  const { userName, email } = await getSignedIn(context, caller);
  const attempt = { login: userName || email, address: actor.address, now: context.now(), limits: SIGN_IN_LIMITS };
  const { user, isCounted } = await countSignInAttempt(context.platform, attempt);
  // Renamed in this very moment.
  if (user?.id !== caller.id) return ended();
  if (!isCounted) return refuseBlocked(context, actor, { ...attempt, subject: accountSubject(user, '') });
  if (!(await verifyPassword(user.passwordHash, password))) return refuseProof(context, actor, 'password', field);
  await context.platform.transaction().execute((trx) => settleAttempts(trx, actor.address, accountSubject(user, '')));
  return user;
}

/** Notes a proof with its audit entry, and uses up what it used: all of it in one transaction, or nothing. */
export async function prove(
  context: Context,
  caller: Caller,
  actor: Actor,
  { user, method, factor }: Proof,
): Promise<{ provedOnUtc: string }> {
  const provedAt = await context.platform.transaction().execute(async (trx) => {
    await lockVerified(context, trx, caller, user);
    if (factor && !(await factor.accept(trx))) return undefined;
    const now = await noteProof(context, trx, caller);
    const event = { actor, action: 'auth.prove', entity: 'sessions', entityId: caller.sessionId, changes: { method } };
    await appendAudit(context, trx, event);
    if (factor) await settleAttempts(trx, actor.address, factor.subject);
    return now;
  });
  if (provedAt) return { provedOnUtc: provedAt.toISOString() };
  return method === 'provider' ? ended() : refuseProof(context, actor, method);
}

/**
 * Locks the signed-in user and the session until the transaction ends, so that both are what was verified.
 * @throws AppError session-ended if the session has ended, or what the user signs in with was changed, since the call began
 */
export async function lockVerified(context: Context, trx: Trx, caller: Caller, user: Proof['user']): Promise<void> {
  const now = context.now();
  const mayStillSignIn = await lockSignInUser(trx, user);
  if (!mayStillSignIn || !(await lockOpenSignIn(trx, caller.sessionId, { now, idleSince: idleSince(now) }))) ended();
}

/** Notes that the person of a session, which is locked, has just proved who they are. @returns when */
export async function noteProof({ now }: Context, trx: Trx, { sessionId }: Caller): Promise<Date> {
  const provedAt = now();
  await setSessionProved(trx, sessionId, provedAt);
  return provedAt;
}

/** Refuses a proof. @throws AppError invalid, at the field of the call that it came in */
export async function refuseProof(
  context: Context,
  actor: Actor,
  method: Exclude<ProofMethod, 'provider'>,
  field = FIELDS[method],
  message = method === 'password' ? WRONG_PASSWORD : factorRefusal(method),
): Promise<never> {
  await auditOutcome(context, actor, 'auth.prove-failed', { method });
  throw fieldError('invalid', field, message);
}

const FIELDS = { password: 'password', totp: 'code', recovery: 'code', passkey: 'credential' };

function ended(): never {
  throw new AppError('session-ended');
}
