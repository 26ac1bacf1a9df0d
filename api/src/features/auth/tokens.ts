import { createHash, randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { CLOCK_TOLERANCE_SECONDS } from './session-times.ts';

/** How long an access token of the console is valid, in seconds (DECISIONS §4). */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** The audience of the tokens (RFC 7519 §4.1.3), so that tokens of another service with the same secret are refused. */
const AUDIENCE = 'apotheca';

const claims = z.object({
  sub: z.string(),
  role: z.string(),
  sid: z.string(),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
});
type Claims = z.output<typeof claims>;

/** Of how many tokens the claims are remembered. */
const MOST_REMEMBERED = 1_000;

/** What is kept of a key, so that tokens cost less. */
interface KnownKey {
  /** In the form of the Web Crypto API: jose would import the bytes anew for each token. */
  imported: Promise<CryptoKey>;
  /**
   * The claims of tokens that it verified. That a token is signed never changes, and verifying it took a fifth of an answer that
   * nothing has changed.
   */
  claims: LRUCache<string, Claims>;
}

const known = new WeakMap<Uint8Array, KnownKey>();

function knownKey(key: Uint8Array): KnownKey {
  const kept = known.get(key);
  if (kept) return kept;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const made = {
    imported: crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign', 'verify']),
    claims: new LRUCache<string, Claims>({ max: MOST_REMEMBERED }),
  };
  known.set(key, made);
  return made;
}

export interface AccessClaims {
  userId: string;
  role: string;
  sessionId: string;
  tokenId: string;
}

/**
 * Signs an access token (RFC 7519, HS256). The same arguments give the same text, so a late refresh can get the winner's token
 * although it is not stored (DECISIONS §4).
 * @param seconds how long it is valid, from `issuedAt`
 */
export async function signAccessToken(
  key: Uint8Array,
  { userId, role, sessionId, tokenId }: AccessClaims,
  issuedAt: Date,
  seconds: number,
): Promise<string> {
  const issued = Math.floor(issuedAt.getTime() / 1000);
  return new SignJWT({ role, sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setJti(tokenId)
    .setAudience(AUDIENCE)
    .setIssuedAt(issued)
    .setExpirationTime(issued + seconds)
    .sign(await knownKey(key).imported);
}

/**
 * Reads an access token.
 * @returns its claims; undefined if it is not ours, was issued more than a minute after `now` or, without `expiredToo`, has expired
 */
export async function readAccessToken(
  key: Uint8Array,
  token: string,
  now: Date,
  { expiredToo = false } = {},
): Promise<AccessClaims | undefined> {
  const read = await readClaims(key, token);
  if (!read) return undefined;
  const seconds = now.getTime() / 1000;
  const { sub, role, sid, jti, iat, exp } = read;
  if (iat > seconds + CLOCK_TOLERANCE_SECONDS) return undefined;
  if (exp <= seconds && !expiredToo) return undefined;
  return { userId: sub, role, sessionId: sid, tokenId: jti };
}

/** The claims of a token of ours, whenever it was issued. */
async function readClaims(key: Uint8Array, token: string): Promise<Claims | undefined> {
  const { imported, claims: remembered } = knownKey(key);
  const kept = remembered.get(token);
  if (kept) return kept;
  try {
    // In 1970 no token has expired.
    const options = { algorithms: ['HS256'], audience: AUDIENCE, currentDate: new Date(0) };
    const { payload } = await jwtVerify(token, await imported, options);
    const read = claims.parse(payload);
    remembered.set(token, read);
    return read;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** A new refresh token: 256 random bits, of which the server stores only the hash. */
export function newRefreshToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashRefreshToken(token) };
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
