import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { CLOCK_TOLERANCE_SECONDS, inSeconds } from './session-times.ts';

interface Seal {
  key: Uint8Array;
  /** What the claims are for: those of another purpose are refused. */
  purpose: string;
  /** For how long they count. */
  seconds: number;
}

/**
 * Claims that the server will want back, for somebody else to carry. They are encrypted and authenticated (RFC 7516, A256GCM), so they
 * are neither read nor changed on the way. They count from `now` on.
 */
export function sealClaims({ key, purpose, seconds }: Seal, claims: object, now: Date): Promise<string> {
  return new EncryptJWT({ ...claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(purpose)
    .setExpirationTime(inSeconds(now, seconds))
    .encrypt(key);
}

/** What {@link sealClaims} sealed; undefined if it is not ours, has expired, is for another purpose, or was sealed more than a minute after `now`. */
export async function openClaims<Schema extends z.ZodType>(
  { key, purpose, seconds }: Seal,
  schema: Schema,
  sealed: string,
  now: Date,
): Promise<z.output<Schema> | undefined> {
  try {
    const { payload } = await jwtDecrypt(sealed, key, {
      audience: purpose,
      currentDate: now,
      requiredClaims: ['exp'],
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    // A clock that was ahead sealed it, so that it would count for as long as that was ahead.
    if (Number(payload.exp) > now.getTime() / 1000 + seconds + CLOCK_TOLERANCE_SECONDS) return undefined;
    return schema.parse(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
