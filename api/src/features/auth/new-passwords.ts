import { COMMON_PASSWORD, passwordProblem } from '@apotheca/contract/auth';
import { isCommonPassword } from '../../common-passwords.ts';
import type { Context } from '../../context.ts';
import { fieldError } from '../../errors.ts';
import { hashPassword } from './passwords.ts';

/**
 * The hash of a new password, whoever sets it and however. Old passwords go on working, whatever is asked of new ones.
 * @throws AppError invalid where it is too short or too long for this installation, or one of the most common ones
 */
export function hashNewPassword({ passwordMin }: Pick<Context, 'passwordMin'>, password: string): Promise<string> {
  const problem = passwordProblem(password, passwordMin) ?? (isCommonPassword(password) ? COMMON_PASSWORD : undefined);
  if (problem) throw fieldError('invalid', 'password', problem);
  return hashPassword(password);
}
