import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A key: `apk_`, the public id by which it is found, the secret, and a checksum of all before it. Letters and digits only, so that a
 * double click takes the whole of it; the prefix and the checksum tell those who scan code for secrets that this is one.
 */
const FORMAT = /^apk_([0-9A-Za-z]{11})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** What is known of a key without asking the database. */
export interface PresentedKey {
  publicId: string;
  /** SHA-256 of the whole key, which is all that is stored of its secret. */
  hash: Buffer;
}

/** A new key with 256 random bits. @param publicId of the key that gets a new secret; absent: a new one */
export function makeKey(publicId = base62(randomBytes(8), 11)): PresentedKey & { key: string } {
  const unsigned = `${prefixOf(publicId)}_${base62(randomBytes(32), 43)}`;
  const key = unsigned + checksum(unsigned);
  return { key, publicId, hash: hashOf(key) };
}

/** Whether a bearer token is meant to be an API key. */
export const isKey = (token: string): boolean => token.startsWith('apk_');

/** Reads a key. @returns undefined for what cannot be one: the database is not asked about it */
export function readKey(token: string): PresentedKey | undefined {
  const [, publicId, , sum = ''] = FORMAT.exec(token) ?? [];
  if (publicId === undefined || checksum(token.slice(0, -sum.length)) !== sum) return undefined;
  return { publicId, hash: hashOf(token) };
}

/** What a key begins with, by which a found key is recognised. */
export const prefixOf = (publicId: string): string => `apk_${publicId}`;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, 6);
}

/** Bytes as a number of digits and letters. @param length enough for all of them */
function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = (ALPHABET[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}
