import type { SessionResult } from '@apotheca/contract/auth';
import type { PasskeyAssertion, PasskeyRequest } from '@apotheca/contract/second-factors';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { isPasswordOff } from '../oidc/local-sign-in.ts';
import { countStepAttempt } from '../sign-in-attempts.repository.ts';
import { refuseBlocked, SIGN_IN_LIMITS } from '../sign-in-limits.ts';
import { nameOf, type SignInPlace } from '../sign-in-session.ts';
import { findUserById } from '../sign-in-users.repository.ts';
import { openByFactor, refuseFactor, refuseStep } from './factor-sign-in.ts';
import { findPasskey, listPasskeys, usePasskey } from './factors.repository.ts';
import { requestOptions, verifyAssertion } from './passkeys.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { seal, unseal } from './sealed-tokens.ts';
import { findStep } from './second-step.service.ts';

const request = z.object({
  challenge: z.string(),
  /** When the challenge was made, in milliseconds: a passkey answers each challenge once, and none that is older. */
  at: z.number(),
  /** Whose password was right before, of which version of their credentials; absent: the passkey is the only step. */
  user: z.object({ id: z.string(), version: z.number() }).optional(),
});

/** To whom passkeys belong here. @throws AppError conflict where they cannot work */
export function requireRelyingParty(context: Context, origin: string): RelyingParty {
  const party = relyingPartyOf(context, origin);
  if (!party) throw new AppError('conflict', { message: 'Passkeys do not work at this address of the console.' });
  return party;
}

/**
 * What a browser needs to sign in with a passkey.
 * @param token of the first step; undefined: the passkey is the only step
 * @throws AppError conflict, session-ended
 */
export async function beginPasskeySignIn(
  context: Context,
  { token, address, origin }: { token: string | undefined; address: string; origin: string },
): Promise<{ token: string; options: PasskeyRequest }> {
  const party = requireRelyingParty(context, origin);
  const begun = token === undefined ? undefined : await findStep(context, token);
  if (token !== undefined && !begun) return refuseStep(context, { id: null, name: '', address }, 'passkey');
  const options = await requestOptions(party, begun && (await listPasskeys(context.platform, begun.user.id)));
  const claims: z.infer<typeof request> = {
    challenge: options.challenge,
    at: context.now().getTime(),
    ...(begun && { user: { id: begun.user.id, version: begun.user.credentialsVersion } }),
  };
  return { token: await seal(context, 'passkey request', claims), options };
}

/**
 * Opens the session of a sign-in by a passkey, which verifies who is there itself: so it needs no other step.
 * @throws AppError conflict, too-many, wrong-credentials, session-ended
 */
export async function signInWithPasskey(
  context: Context,
  {
    token,
    credential,
    origin,
    ...place
  }: SignInPlace & { token: string; credential: PasskeyAssertion; origin: string },
): Promise<SessionResult> {
  const party = requireRelyingParty(context, origin);
  const [asked, passkey] = await Promise.all([
    unseal(context, 'passkey request', request, token),
    findPasskey(context.platform, credential.id),
  ]);
  const user = passkey && (await findUserById(context.platform, passkey.userId));
  const { address } = place;
  const actor: Actor = { id: user?.id ?? null, name: user ? nameOf(user) : '', address };
  // A signature cannot be guessed, but each costs work.
  const attempt = { subject: null, address, now: context.now(), limits: SIGN_IN_LIMITS };
  if (!(await countStepAttempt(context.platform, attempt))) return refuseBlocked(context, actor, attempt);
  if (!asked) return refuseStep(context, actor, 'passkey');
  const isAnothers = asked.user !== undefined && asked.user.id !== user?.id;
  if (!user || isAnothers || isPasswordOff(context, user)) return refuseFactor(context, actor, 'passkey');
  const counter = await verifyAssertion(party, asked.challenge, passkey, credential);
  if (counter === undefined) return refuseFactor(context, actor, 'passkey');
  const known = { ...user, credentialsVersion: asked.user?.version ?? user.credentialsVersion };
  const signIn = { user: known, actor, place, method: 'passkey' as const, subject: null };
  const use = { counter, challengedAt: new Date(asked.at), now: context.now() };
  const opened = await openByFactor(context, signIn, async (trx) =>
    (await usePasskey(trx, passkey.id, use)) ? {} : undefined,
  );
  return opened ?? refuseFactor(context, actor, 'passkey');
}
