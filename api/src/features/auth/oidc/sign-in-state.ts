import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { openClaims, sealClaims } from '../sealed-claims.ts';

/** What a state is for: that of another purpose is refused. */
type Purpose = 'sign-in' | 'proof';

/** How long a sign-in at a provider may take, in seconds. */
export const STATE_SECONDS = 10 * 60;

export const signInState = z.object({
  provider: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** SHA-256 of what the browser keeps. */
  challenge: z.string(),
});
export type SignInState = z.output<typeof signInState>;

const sealOf = ({ keys }: Context, purpose: Purpose) => ({
  key: keys.providerStates,
  purpose,
  seconds: STATE_SECONDS,
});

/**
 * The `state` of a request to a provider: all that the server will need to know of it. So whoever begins sign-ins without end fills no
 * table.
 */
export function sealState(context: Context, purpose: Purpose, state: SignInState): Promise<string> {
  return sealClaims(sealOf(context, purpose), state, context.now());
}

/** What {@link sealState} made; undefined if it is not ours, has expired, is for another purpose, or was sealed by a clock that was ahead. */
export function openState<Schema extends z.ZodType>(
  context: Context,
  purpose: Purpose,
  schema: Schema,
  state: string,
): Promise<z.output<Schema> | undefined> {
  return openClaims(sealOf(context, purpose), schema, state, context.now());
}

/** Whether a browser that has this verifier began the sign-in. */
export const isSameBrowser = ({ challenge }: SignInState, verifier: string): boolean => {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(verifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};
