import { z } from 'zod';
import type { Actor, Caller } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { auditOutcome } from '../auth-audit.ts';
import { getSignedIn, prove } from '../proof.service.ts';
import { findPersonOfSession } from './oidc.repository.ts';
import {
  authorizationUrl,
  isFirstUse,
  type ProviderAnswer,
  redeemCode,
  refusalOf,
  USED_BEFORE,
} from './provider-authorization.ts';
import { getProvider } from './provider-client.ts';
import { openState, sealState, signInState } from './sign-in-state.ts';

const proofState = signInState.extend({
  /** For which session, and so for whom: an answer to another one's question proves nothing here. */
  sessionId: z.string(),
  /** When the person was sent to the provider, in seconds: they must have signed in there since. */
  askedAt: z.number(),
});

/** How far the provider's clock may be behind, in seconds. */
const CLOCK_TOLERANCE = 30;

const NOT_PROVED = 'Not confirmed: please try again with the account that you are signed in with.';

/**
 * Begins a proof by the provider that has opened the session: the person signs in there anew, whatever it still knows of them.
 * @param challenge SHA-256 of what the browser keeps until the answer comes
 * @returns the provider's page
 * @throws AppError not-found where no provider of the settings has opened the session; provider-away
 */
export async function beginProviderProof(
  context: Context,
  { sessionId }: Caller,
  challenge: string,
): Promise<{ url: string }> {
  const person = await findPersonOfSession(context.platform, sessionId);
  const provider = context.oidcProviders.find(({ issuer }) => issuer === person?.issuer);
  if (!provider) throw new AppError('not-found', { message: 'No provider has opened this session.' });
  const askedAt = Math.floor(context.now().getTime() / 1000);
  const url = await authorizationUrl(
    context,
    provider,
    (state) => {
      const claims: z.infer<typeof proofState> = { ...state, challenge, sessionId, askedAt };
      return sealState(context, 'proof', claims);
    },
    () => ({ scope: 'openid', prompt: 'login', max_age: '0' }),
  );
  return { url };
}

/**
 * Proves with a provider's answer who is signed in: the person of this session, who has signed in there since they were asked to.
 * @returns when
 * @throws AppError invalid, which is audited with its reason; not-found, provider-away, session-ended
 */
export async function proveByProvider(
  context: Context,
  caller: Caller,
  actor: Actor,
  answer: ProviderAnswer,
): Promise<{ provedOnUtc: string }> {
  const provider = getProvider(context, answer.provider);
  const refuse = async (reason: string): Promise<never> => {
    await auditOutcome(context, actor, 'auth.prove-failed', { method: 'provider', provider: provider.name, reason });
    throw new AppError('invalid', { message: NOT_PROVED });
  };
  const [state, person, user] = await Promise.all([
    openState(context, 'proof', proofState, answer.state),
    findPersonOfSession(context.platform, caller.sessionId),
    getSignedIn(context, caller),
  ]);
  if (state && state.sessionId !== caller.sessionId) return refuse('another session');
  const refusal = refusalOf(provider, answer, state);
  if (!state || refusal) return refuse(refusal ?? '');
  if (!(await isFirstUse(context.platform, context.now(), answer))) return refuse(USED_BEFORE);
  const signedIn = await redeemCode(context, provider, answer, state, async ({ sub, auth_time }) => ({
    sub,
    auth_time,
  }));
  if (!signedIn) return refuse('code or token not valid');
  if (person?.issuer !== provider.issuer || person.subject !== signedIn.sub) return refuse('another person');
  const { auth_time: signedInAt } = signedIn;
  const isNew = typeof signedInAt === 'number' && signedInAt >= state.askedAt - CLOCK_TOLERANCE;
  if (!isNew) return refuse('signed in before');
  return prove(context, caller, actor, { user, method: 'provider' });
}
