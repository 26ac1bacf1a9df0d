import type { SessionResult } from '@apotheca/contract/auth';
import type { FactorMethod } from '@apotheca/contract/sign-in-step';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { auditOutcome } from '../auth-audit.ts';
import { auditRepeated } from '../noted-refusals.ts';
import { addressSubject, settleAttempts } from '../sign-in-attempts.repository.ts';
import { insertSession } from '../sign-in-session.repository.ts';
import { newSignInSession, type SignInPlace } from '../sign-in-session.ts';
import { lockSignInUser, type UserRow } from '../sign-in-users.repository.ts';

/** A sign-in whose second factor is being verified. */
interface FactorSignIn {
  /** With the version of the credentials when the sign-in began to verify them. */
  user: UserRow;
  actor: Actor;
  place: SignInPlace;
  method: FactorMethod;
  /** Under which the attempt was counted beside the address; null: none. */
  subject: string | null;
}

/**
 * Opens the session of a sign-in by a second factor, if the user may still sign in with what was verified before and the factor is
 * accepted now. All of it is one transaction, which has locked the user.
 * @param accept uses the factor up; undefined: it is refused
 */
export async function openByFactor<Extra extends object>(
  context: Context,
  { user, actor, place, method, subject }: FactorSignIn,
  accept: (trx: Trx) => Promise<Extra | undefined>,
): Promise<(SessionResult & Extra) | undefined> {
  const session = newSignInSession(context, user, place);
  const accepted = await context.platform.transaction().execute(async (trx) => {
    const extra = (await lockSignInUser(trx, user)) ? await accept(trx) : undefined;
    if (!extra) return undefined;
    await insertSession(trx, session.row);
    const event = { actor, action: 'auth.sign-in', entity: 'users', entityId: user.id, changes: { method } };
    await appendAudit(context, trx, event);
    await settleAttempts(trx, place.address, subject);
    return extra;
  });
  return accepted && { ...(await session.answer()), ...accepted };
}

/** Refuses a second factor. @throws AppError wrong-credentials */
export async function refuseFactor(context: Context, actor: Actor, method: FactorMethod): Promise<never> {
  await auditOutcome(context, actor, 'auth.sign-in-failed', { method });
  throw new AppError('wrong-credentials', { message: factorRefusal(method) });
}

/** What is said of a second factor that is refused. */
export const factorRefusal = (method: FactorMethod): string =>
  method === 'passkey' ? 'This passkey is not accepted.' : 'This code is not right, or was used before.';

/** Refuses a step of a sign-in that has expired, or whose user's credentials have changed. @throws AppError session-ended */
export async function refuseStep(context: Context, actor: Actor, method: FactorMethod): Promise<never> {
  const kind = `step by ${method} ${addressSubject(actor.address)}`;
  await auditRepeated(context, kind, actor, 'auth.sign-in-failed', { method });
  throw new AppError('session-ended', { message: 'This sign-in has expired: please begin again.' });
}
