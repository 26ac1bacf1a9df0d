/** Thrown for a token that cannot be read (SPEC §4). A user with such a token counts as signed out. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';
}

function decodeBase64Url(part: string): string {
  const base64 = part.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/**
 * The claims of a JWT: its middle part, base64url of UTF-8 JSON. Only the server verifies the signature.
 * @throws InvalidTokenError for anything but a string, a missing part, bad base64 or bad JSON
 */
export function decodeToken(token: unknown): Record<string, unknown> {
  if (typeof token !== 'string') throw new InvalidTokenError('The token is not a string');
  const part = token.split('.')[1];
  if (!part) throw new InvalidTokenError('The token has no payload');
  let claims: unknown;
  try {
    claims = JSON.parse(decodeBase64Url(part));
  } catch (cause) {
    throw new InvalidTokenError('The payload of the token cannot be read', { cause });
  }
  if (typeof claims !== 'object' || claims === null) throw new InvalidTokenError('The payload is not an object');
  return { ...claims };
}

/**
 * True when a moment has passed.
 * @param expSeconds the moment, in seconds since 1970
 * @param offsetSeconds added to the local clock: a margin before the moment, the offset of the clock, or their sum
 */
export const isExpired = (expSeconds: number, offsetSeconds = 0): boolean =>
  Date.now() / 1000 + offsetSeconds >= expSeconds;
