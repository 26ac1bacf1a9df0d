import { createRequire } from 'node:module';
import { PASSWORD_MIN } from '@apotheca/contract/auth';

const require = createRequire(import.meta.url);

/** How many passwords are refused: the most common ones that are long enough for SPEC §5. */
const COUNT = 10_000;
let commonest: Set<string> | undefined;

/** Whether a password is one of the most common ones, whatever the case and width of its letters. */
export function isCommonPassword(password: string): boolean {
  commonest ??= readCommonest();
  return commonest.has(password.normalize('NFKC').toLowerCase());
}

/** The dictionary is loaded with the first new password: it takes 5 MB, and most servers never get one. */
function readCommonest(): Set<string> {
  const { dictionary }: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common');
  const passwords = dictionary.passwords.map(String).filter(({ length }) => length >= PASSWORD_MIN);
  return new Set(passwords.slice(0, COUNT));
}
