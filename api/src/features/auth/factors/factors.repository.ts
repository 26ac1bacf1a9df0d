import { sql } from 'kysely';
import { isAheadOf } from '../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../db/platform.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../session-times.ts';
import type { KnownPasskey } from './passkeys.ts';

export interface TotpRow {
  /** Encrypted. */
  secret: Buffer;
  lastStep: number;
  createdAt: Date;
}

export async function findTotp(platform: Platform, userId: string): Promise<TotpRow | undefined> {
  const row = await platform
    .selectFrom('totpFactors')
    .select(['secret', 'lastStep', 'createdAt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row && { ...row, lastStep: Number(row.lastStep) };
}

export async function insertTotp(trx: Trx, userId: string, row: TotpRow): Promise<void> {
  await trx
    .insertInto('totpFactors')
    .values({ userId, ...row })
    .execute();
}

/** Notes the time step of a code, unless a code of it or of a later one was used. @returns whether it did */
export async function useTotpStep(trx: Trx, userId: string, step: number): Promise<boolean> {
  const used = await trx
    .updateTable('totpFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', String(step))
    .returning('userId')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteTotp(trx: Trx, userId: string): Promise<boolean> {
  const deleted = trx.deleteFrom('totpFactors').where('userId', '=', userId).returning('userId');
  return (await deleted.executeTakeFirst()) !== undefined;
}

/** Uses a recovery code, once. @returns whether there was such an unused code */
export async function useRecoveryCode(trx: Trx, userId: string, codeHash: Buffer): Promise<boolean> {
  const used = await trx
    .updateTable('recoveryCodes')
    .set({ isUsed: true })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('isUsed', '=', false)
    .returning('userId')
    .executeTakeFirst();
  return used !== undefined;
}

/** How many recovery codes a user has, and how many of them are unused. */
export async function countRecoveryCodes(platform: Platform, userId: string): Promise<{ all: number; unused: number }> {
  const { all, unused } = await platform
    .selectFrom('recoveryCodes')
    .select(({ fn }) => [
      fn.countAll<string>().as('all'),
      fn.countAll<string>().filterWhere('isUsed', '=', false).as('unused'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return { all: Number(all), unused: Number(unused) };
}

export async function insertRecoveryCodes(trx: Trx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  const rows = hashes.map((codeHash) => ({ userId, codeHash }));
  await trx.insertInto('recoveryCodes').values(rows).execute();
}

export async function deleteRecoveryCodes(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
}

export interface PasskeyRow extends KnownPasskey {
  id: string;
  userId: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const passkeys = (platform: Platform) =>
  platform
    .selectFrom('passkeys')
    .select(['id', 'userId', 'name', 'credentialId', 'publicKey', 'transports', 'counter', 'createdAt', 'lastUsedAt']);

/** A user's passkeys, oldest first. */
export async function listPasskeys(platform: Platform, userId: string): Promise<PasskeyRow[]> {
  const rows = await passkeys(platform).where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute();
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

export async function findPasskey(platform: Platform, credentialId: string): Promise<PasskeyRow | undefined> {
  const row = await passkeys(platform).where('credentialId', '=', credentialId).executeTakeFirst();
  return row && { ...row, counter: Number(row.counter) };
}

/** Inserts a passkey, unless there is one of this credential. @returns whether it did */
export async function insertPasskey(
  trx: Trx,
  row: KnownPasskey & { userId: string; name: string; createdAt: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('passkeys')
    .values({ ...row, lastUsedAt: null })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** How far the moment of a challenge is ahead at most: one from further ahead is not opened. */
const MOST_AHEAD = sql`make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`;

/**
 * Notes that a passkey has signed a challenge. It does not where the passkey has answered this challenge or a later one, or where its
 * counter did not grow: authenticators that count never go back, others stay at 0. One that it answered while a clock was ahead of this
 * process's is no later one: it could not be used until that moment comes, here where this clock is the one that is wrong. @returns whether it
 * did
 */
export async function usePasskey(
  trx: Trx,
  id: string,
  use: { counter: number; challengedAt: Date; now: Date },
): Promise<boolean> {
  const used = await trx
    .updateTable('passkeys')
    .set({ counter: use.counter, challengedAt: use.challengedAt, lastUsedAt: use.now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('challengedAt', '<', use.challengedAt), isAheadOf('challengedAt', use.now, MOST_AHEAD)]))
    .where(sql<boolean>`(counter < ${use.counter} or counter = 0 and counter = ${use.counter})`)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function setPasskeyName(trx: Trx, userId: string, id: string, name: string): Promise<boolean> {
  const renamed = await trx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return renamed !== undefined;
}

/** @returns its name; undefined if the user has no such passkey */
export async function deletePasskey(trx: Trx, userId: string, id: string): Promise<string | undefined> {
  const deleted = await trx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}

/** @returns how many there were */
export async function deletePasskeys(trx: Trx, userId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Sets whether a role's users need a second factor. @returns the role as it was; undefined if there is none */
export async function setRoleRequirement(
  trx: Trx,
  id: string,
  required: boolean,
): Promise<{ name: string; requiresSecondFactor: boolean } | undefined> {
  const role = await trx
    .selectFrom('roles')
    .select(['name', 'requiresSecondFactor'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (role && role.requiresSecondFactor !== required)
    await trx.updateTable('roles').set({ requiresSecondFactor: required }).where('id', '=', id).execute();
  return role;
}
