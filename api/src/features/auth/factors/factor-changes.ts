import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { encrypt } from '../../../secrets.ts';
import { countRecoveryCodes, deleteRecoveryCodes, insertRecoveryCodes, insertTotp } from './factors.repository.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/**
 * Adds an authenticator app whose first code was right.
 * @param lastStep the time step of that code, which does not count again
 */
export function addTotp(
  { keys, now }: Context,
  trx: Trx,
  userId: string,
  { secret, lastStep }: { secret: string; lastStep: number },
): Promise<void> {
  return insertTotp(trx, userId, { secret: encrypt(keys.factors, secret), lastStep, createdAt: now() });
}

/** The recovery codes that come with a first factor; null: the user has some. */
export async function makeFirstRecoveryCodes(context: Context, trx: Trx, userId: string): Promise<string[] | null> {
  const { all } = await countRecoveryCodes(trx, userId);
  return all === 0 ? replaceRecoveryCodes(context, trx, userId) : null;
}

/** Makes a user's recovery codes anew. @returns what is shown, once */
export async function replaceRecoveryCodes({ keys }: Context, trx: Trx, userId: string): Promise<string[]> {
  const { shown, hashes } = newRecoveryCodes(keys);
  await deleteRecoveryCodes(trx, userId);
  await insertRecoveryCodes(trx, userId, hashes);
  return shown;
}
