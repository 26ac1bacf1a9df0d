import { createHmac, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@apotheca/contract/second-factors';
import type { Keys } from '../../../secrets.ts';

/** Crockford's base 32: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 10;

/** New recovery codes of 50 random bits each. Guesses are counted, and the hash needs the server's secret. */
export function newRecoveryCodes(keys: Keys): { shown: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  );
  return {
    shown: codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`),
    hashes: codes.map((code) => hashRecoveryCode(keys, code)),
  };
}

/** The hash of a code as somebody typed it, with or without the dash, in any case. */
export function hashRecoveryCode(keys: Keys, typed: string): Buffer {
  const code = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
  return createHmac('sha256', keys.recoveryCodes).update(code).digest();
}
