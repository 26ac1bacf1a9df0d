import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults: 19 MiB, 2 passes, 1 lane, as OWASP's password storage guidance asks at least. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password));
}

/** Of 32 random bytes that nobody kept. */
const UNKNOWN_USER_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$sPVazBVj3cN+7OigeqNfuA$VmytNhVokSQmFQYwXHBpYPcfuWxbjMbHINbXgBCLPqk';

/**
 * Checks a password. For an unknown user or one without a password (`undefined`, `null`) it does the same work and says no,
 * so that the time taken tells nothing.
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? UNKNOWN_USER_HASH, normalise(password));
  return matches && typeof passwordHash === 'string';
}

/** The same letters typed on two keyboards may come composed or decomposed (Unicode UAX 15). */
const normalise = (password: string) => password.normalize('NFC');
