import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import type { Names } from './user-columns.ts';
import { isNameTaken } from './users.repository.ts';

export const TAKEN_NAME_MESSAGES: Record<keyof Names, string> = {
  userName: 'This User Name is taken already.',
  email: 'This Email is taken already.',
};

/**
 * Refuses names that another user has as user name or e-mail address, in any case: users sign in with either.
 * @param trx holds the lock on users; without it two could take one name at once
 * @param ownId the user who may already have them
 * @throws AppError already-exists, with a message for each name that is taken
 */
export async function refuseTakenNames(trx: Trx, names: Names, ownId?: string, messages = TAKEN_NAME_MESSAGES) {
  const errors: Record<string, string[]> = {};
  for (const field of ['userName', 'email'] as const) {
    if (await isNameTaken(trx, names[field], ownId)) errors[field] = [messages[field]];
  }
  const [message] = Object.values(errors).flat();
  if (message) throw new AppError('already-exists', { message, errors });
}
