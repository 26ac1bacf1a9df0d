import type { SessionResult } from '@apotheca/contract/auth';
import type { FactorMethod, SecondFactorStep } from '@apotheca/contract/sign-in-step';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { decrypt } from '../../../secrets.ts';
import { accountSubject, countStepAttempt, factorSubject, settleAttempts } from '../sign-in-attempts.repository.ts';
import { refuseBlocked, SIGN_IN_LIMITS } from '../sign-in-limits.ts';
import { nameOf, type SignInPlace } from '../sign-in-session.ts';
import { findUserById, type UserRow } from '../sign-in-users.repository.ts';
import { addTotp, makeFirstRecoveryCodes } from './factor-changes.ts';
import { openByFactor, refuseFactor, refuseStep } from './factor-sign-in.ts';
import { findTotp, useRecoveryCode, useTotpStep } from './factors.repository.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { relyingPartyOf } from './relying-party.ts';
import { seal, unseal } from './sealed-tokens.ts';
import { matchTotp, newTotp } from './totp.ts';

/** What stands for a right password: whose, and of which version of their credentials. */
const step = z.object({
  userId: z.string(),
  version: z.number(),
  /** The secret that the first right code sets up; absent: the user has a factor. */
  secret: z.string().optional(),
});
type Step = z.infer<typeof step>;

/** Whether a right password opens no session yet: the user has a second factor, or the role needs one. */
export const needsSecondFactor = (user: UserRow): boolean =>
  user.hasTotp || user.hasPasskeys || user.requiresSecondFactor;

/** Asks for the second factor after a right password, which is no guess and so counts no longer. */
export async function askSecondFactor(
  context: Context,
  actor: Actor,
  user: UserRow,
  origin: string,
): Promise<SecondFactorStep> {
  await context.platform.transaction().execute(async (trx) => {
    await appendAudit(context, trx, { actor, action: 'auth.password-right', entity: 'users', entityId: user.id });
    await settleAttempts(trx, actor.address, accountSubject(user, ''));
  });
  const hasFactor = user.hasTotp || user.hasPasskeys;
  const enrolment = hasFactor ? null : await newTotp(nameOf(user));
  const claims: Step = { userId: user.id, version: user.credentialsVersion };
  const token = await seal(context, 'second step', { ...claims, ...(enrolment && { secret: enrolment.secret }) });
  return { secondFactor: { token, methods: methodsOf(context, user, origin), enrolment } };
}

function methodsOf(context: Context, user: UserRow, origin: string): FactorMethod[] {
  const canUsePasskeys = user.hasPasskeys && relyingPartyOf(context, origin) !== undefined;
  const hasFactor = user.hasTotp || user.hasPasskeys;
  return [
    ...(user.hasTotp || !hasFactor ? (['totp'] as const) : []),
    ...(canUsePasskeys ? (['passkey'] as const) : []),
    ...(hasFactor ? (['recovery'] as const) : []),
  ];
}

/** The user of a first step that still counts; undefined: it has expired, or the user's credentials have changed. */
export async function findStep(
  context: Context,
  token: string,
): Promise<{ user: UserRow; secret: string | undefined } | undefined> {
  const claims = await unseal(context, 'second step', step, token);
  const user = claims && (await findUserById(context.platform, claims.userId));
  if (!user?.isActive || user.credentialsVersion !== claims?.version) return undefined;
  return { user, secret: claims.secret };
}

interface Code extends SignInPlace {
  token: string;
  method: 'totp' | 'recovery';
  code: string;
}

/**
 * Opens the session of a sign-in by a code. The first right code of a user who needs a factor and has none sets it up, and the answer
 * has recovery codes.
 * @throws AppError session-ended, too-many, wrong-credentials
 */
export async function answerWithCode(
  context: Context,
  { token, method, code, ...place }: Code,
): Promise<SessionResult & { recoveryCodes?: string[] }> {
  const begun = await findStep(context, token);
  const { address } = place;
  const actor: Actor = { id: begun?.user.id ?? null, name: begun ? nameOf(begun.user) : '', address };
  const subject = begun ? factorSubject(begun.user.id) : null;
  const attempt = { subject, address, now: context.now(), limits: SIGN_IN_LIMITS };
  if (!(await countStepAttempt(context.platform, attempt))) return refuseBlocked(context, actor, attempt);
  if (!begun) return refuseStep(context, actor, method);
  const { user, secret } = begun;
  const opened = await openByFactor(context, { user, actor, place, method, subject }, (trx) => {
    if (secret !== undefined) return enrol(context, trx, actor, user.id, secret, code);
    return acceptCode(context, trx, user.id, method, code);
  });
  return opened ?? refuseFactor(context, actor, method);
}

/** Uses a code of a user up. @returns undefined if it is not right, or was used before */
export async function acceptCode(
  context: Context,
  trx: Trx,
  userId: string,
  method: Code['method'],
  code: string,
): Promise<object | undefined> {
  if (method === 'recovery')
    return (await useRecoveryCode(trx, userId, hashRecoveryCode(context.keys, code))) ? {} : undefined;
  const totp = await findTotp(trx, userId);
  if (!totp) return undefined;
  const secret = decrypt(context.keys.factors, totp.secret);
  const step = await matchTotp(secret, code, { now: context.now(), lastStep: totp.lastStep });
  return step !== undefined && (await useTotpStep(trx, userId, step)) ? {} : undefined;
}

async function enrol(
  context: Context,
  trx: Trx,
  actor: Actor,
  userId: string,
  secret: string,
  code: string,
): Promise<{ recoveryCodes: string[] } | undefined> {
  const lastStep = await matchTotp(secret, code, { now: context.now(), lastStep: 0 });
  if (lastStep === undefined) return undefined;
  await addTotp(context, trx, userId, { secret, lastStep });
  const recoveryCodes = await makeFirstRecoveryCodes(context, trx, userId);
  const event = { actor, action: 'auth.factor-added', entity: 'users', entityId: userId, changes: { method: 'totp' } };
  await appendAudit(context, trx, event);
  return { recoveryCodes: recoveryCodes ?? [] };
}
