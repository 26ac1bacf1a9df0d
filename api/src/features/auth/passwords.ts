import { hash, verify } from '@node-rs/argon2';

/** Hashes with argon2id and the library's defaults: 19 MiB, 2 passes, 1 lane, the minimum of OWASP's password storage guidance. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password));
}

/** A hash of 32 random bytes that nobody knows. */
const UNKNOWN_USER_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$sPVazBVj3cN+7OigeqNfuA$VmytNhVokSQmFQYwXHBpYPcfuWxbjMbHINbXgBCLPqk';

/**
 * Verifies a password. For an unknown user or one without a password (`undefined`, `null`) it does the same work and answers false,
 * so that the time it takes says nothing.
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? UNKNOWN_USER_HASH, normalize(password));
  return matches && typeof passwordHash === 'string';
}

/** Keyboards may send the same letters composed or decomposed (Unicode UAX 15). */
const normalize = (password: string) => password.normalize('NFC');
