import { COMMON_PASSWORD, PASSWORD_MIN } from '@apotheca/contract/auth';
import { dictionary } from '@zxcvbn-ts/language-common';
import { fieldError } from './errors.ts';

/** Those that leaked most often, and are long enough to be taken at all (SPEC §5). */
const COUNT = 10_000;
const commonest = new Set(
  dictionary.passwords
    .map(String)
    .filter(({ length }) => length >= PASSWORD_MIN)
    .slice(0, COUNT),
);

/** Whether a password is one that guessing begins with, in whatever case and width it is written. */
export const isCommonPassword = (password: string): boolean => commonest.has(password.normalize('NFKC').toLowerCase());

/** Is for new passwords: those that stand go on working. @throws AppError invalid */
export function refuseCommonPassword(password: string): void {
  if (!isCommonPassword(password)) return;
  throw fieldError('invalid', 'password', COMMON_PASSWORD);
}
