import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { inSeconds } from '../session-times.ts';

/** What tokens are for: one of another purpose is refused. */
type Purpose = 'second step' | 'totp enrolment' | 'passkey creation' | 'passkey request' | 'passkey proof';

/** How long a step of a sign-in, of a change of factors or of a proof may take. */
const STEP_SECONDS = 5 * 60;

/**
 * What the server will want back in the next call, for the caller to carry. It is encrypted and authenticated (RFC 7516, A256GCM), so it is
 * neither read nor changed on the way. It counts for five minutes.
 */
export async function seal(context: Context, purpose: Purpose, claims: Record<string, unknown>): Promise<string> {
  const now = context.now();
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(purpose)
    .setExpirationTime(inSeconds(now, STEP_SECONDS))
    .encrypt(context.keys.steps);
}

/** The claims of a token of {@link seal}; undefined if it is not ours, has expired, or is for another purpose. */
export async function unseal<Schema extends z.ZodType>(
  context: Context,
  purpose: Purpose,
  schema: Schema,
  token: string,
): Promise<z.output<Schema> | undefined> {
  try {
    const { payload } = await jwtDecrypt(token, context.keys.steps, {
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
