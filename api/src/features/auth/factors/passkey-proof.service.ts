import type { PasskeyAssertion, PasskeyRequest } from '@apotheca/contract/second-factors';
import { z } from 'zod';
import type { Actor, Caller } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { isPasswordOff } from '../oidc/local-sign-in.ts';
import { getSignedIn, prove, refuseProof } from '../proof.service.ts';
import { countStepAttempt } from '../sign-in-attempts.repository.ts';
import { refuseBlocked, SIGN_IN_LIMITS } from '../sign-in-limits.ts';
import { findPasskey, listPasskeys, usePasskey } from './factors.repository.ts';
import { requireRelyingParty } from './passkey-sign-in.service.ts';
import { requestOptions, verifyAssertion } from './passkeys.ts';
import { seal, unseal } from './sealed-tokens.ts';

const request = z.object({
  challenge: z.string(),
  /** When the challenge was made, in milliseconds, as in that of a sign-in. */
  at: z.number(),
  /** For which session, and so for whom: a challenge of another one proves nothing here. */
  sessionId: z.string(),
});

/** What a browser needs to prove by a passkey who is signed in. @throws AppError conflict, not-found, session-ended */
export async function beginPasskeyProof(
  context: Context,
  { id, sessionId }: Caller,
  origin: string,
): Promise<{ token: string; options: PasskeyRequest }> {
  const party = requireRelyingParty(context, origin);
  const passkeys = await listPasskeys(context.platform, id);
  // Without any named, a browser would offer those of other people too.
  if (passkeys.length === 0) throw new AppError('not-found', { message: 'You have no passkey.' });
  const options = await requestOptions(party, passkeys);
  const claims: z.infer<typeof request> = { challenge: options.challenge, at: context.now().getTime(), sessionId };
  return { token: await seal(context, 'passkey proof', claims), options };
}

/**
 * Proves by a passkey who is signed in. It verifies who is there itself, so no password goes with it.
 * @returns when
 * @throws AppError conflict, invalid, too-many, session-ended
 */
export async function proveByPasskey(
  context: Context,
  caller: Caller,
  actor: Actor,
  { token, credential, origin }: { token: string; credential: PasskeyAssertion; origin: string },
): Promise<{ provedOnUtc: string }> {
  const party = requireRelyingParty(context, origin);
  const [asked, passkey, user] = await Promise.all([
    unseal(context, 'passkey proof', request, token),
    findPasskey(context.platform, credential.id),
    getSignedIn(context, caller),
  ]);
  // A signature cannot be guessed, but each costs work.
  const attempt = { subject: null, address: actor.address, now: context.now(), limits: SIGN_IN_LIMITS };
  if (!(await countStepAttempt(context.platform, attempt))) return refuseBlocked(context, actor, attempt);
  if (asked?.sessionId !== caller.sessionId) return refuseProof(context, actor, 'passkey', 'token', EXPIRED);
  if (passkey?.userId !== user.id || isPasswordOff(context, user)) return refuseProof(context, actor, 'passkey');
  const counter = await verifyAssertion(party, asked.challenge, passkey, credential);
  if (counter === undefined) return refuseProof(context, actor, 'passkey');
  const use = { counter, challengedAt: new Date(asked.at), now: context.now() };
  const factor = { accept: (trx: Trx) => usePasskey(trx, passkey.id, use), subject: null };
  return prove(context, caller, actor, { user, method: 'passkey', factor });
}

const EXPIRED = 'This has taken too long: please try again.';
