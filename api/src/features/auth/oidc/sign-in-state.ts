import { createHash, timingSafeEqual } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { inSeconds } from '../session-times.ts';

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

/**
 * The `state` of a request to a provider: all that the server will need to know of it, encrypted and authenticated (RFC 7516). So
 * whoever begins sign-ins without end fills no table.
 */
export function sealState(context: Context, purpose: Purpose, state: SignInState): Promise<string> {
  return new EncryptJWT(state)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(purpose)
    .setExpirationTime(inSeconds(context.now(), STATE_SECONDS))
    .encrypt(context.keys.providerStates);
}

/** What {@link sealState} made; undefined if it is not ours, has expired, or is for another purpose. */
export async function openState<Schema extends z.ZodType>(
  context: Context,
  purpose: Purpose,
  schema: Schema,
  state: string,
): Promise<z.output<Schema> | undefined> {
  try {
    const { payload } = await jwtDecrypt(state, context.keys.providerStates, {
      audience: purpose,
      currentDate: context.now(),
      requiredClaims: ['exp'],
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return schema.parse(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Whether a browser that has this verifier began the sign-in. */
export const isSameBrowser = ({ challenge }: SignInState, verifier: string): boolean => {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(verifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};
