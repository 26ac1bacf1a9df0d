import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { inSeconds } from './session-times.ts';

/** The key that seals claims, and what they are for: those of another purpose are refused. */
interface Seal {
  key: Uint8Array;
  purpose: string;
}

/**
 * Claims that the server will want back, for somebody else to carry. They are encrypted and authenticated (RFC 7516, A256GCM), so they
 * are neither read nor changed on the way.
 * @param seconds for how long they count from `now` on
 */
export function sealClaims({ key, purpose }: Seal, claims: object, now: Date, seconds: number): Promise<string> {
  return new EncryptJWT({ ...claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(purpose)
    .setExpirationTime(inSeconds(now, seconds))
    .encrypt(key);
}

/** What {@link sealClaims} sealed; undefined if it is not ours, has expired, or is for another purpose. */
export async function openClaims<Schema extends z.ZodType>(
  { key, purpose }: Seal,
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
    return schema.parse(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
