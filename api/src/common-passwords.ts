import { COMMON_PASSWORD, PASSWORD_MIN } from '@apotheca/contract/auth';
import { dictionary } from '@zxcvbn-ts/language-common';
import { fieldError } from './errors.ts';

/** How many passwords are refused: the most common ones that are long enough for SPEC §5. */
const COUNT = 10_000;
const commonest = new Set(
  dictionary.passwords
    .map(String)
    .filter(({ length }) => length >= PASSWORD_MIN)
    .slice(0, COUNT),
);

/** Whether a password is one of the most common ones, whatever the case and width of its letters. */
export const isCommonPassword = (password: string): boolean => commonest.has(password.normalize('NFKC').toLowerCase());

/** For new passwords only: existing ones go on working. @throws AppError invalid */
export function refuseCommonPassword(password: string): void {
  if (!isCommonPassword(password)) return;
  throw fieldError('invalid', 'password', COMMON_PASSWORD);
}
