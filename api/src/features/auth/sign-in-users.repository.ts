import { type RawBuilder, sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';

export interface UserRow {
  id: string;
  userName: string;
  email: string;
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  phone: string;
  role: string;
  isActive: boolean;
  /** Moves with every change of what the user signs in with. */
  credentialsVersion: number;
  /** Whether the role needs a second factor. */
  requiresSecondFactor: boolean;
  hasTotp: boolean;
  hasPasskeys: boolean;
}

const users = (platform: Platform) =>
  platform
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.roleId')
    .where('users.deletedAt', 'is', null)
    .select([
      'users.id',
      'users.userName',
      'users.email',
      'users.passwordHash',
      'users.firstName',
      'users.lastName',
      'users.phone',
      'users.isActive',
      'users.credentialsVersion',
      'roles.name as role',
      'roles.requiresSecondFactor',
      sql<boolean>`exists (select from totp_factors where user_id = users.id)`.as('hasTotp'),
      sql<boolean>`exists (select from passkeys where user_id = users.id)`.as('hasPasskeys'),
    ]);

/**
 * The user with a user name or, if nobody has it, with an e-mail address, as the collation compares them. For that a login of invisible
 * characters equals the empty name of who has none, so empty ones are left out.
 */
export const userOfLogin = (platform: Platform, login: RawBuilder<string>) =>
  users(platform)
    .where(
      sql<boolean>`(users.user_name <> '' and users.user_name = ${login} or users.email <> '' and users.email = ${login})`,
    )
    .orderBy(sql`(users.user_name = ${login}) desc`)
    .limit(1);

/** {@link userOfLogin}, whether they are active or not. */
export function findUserByLogin(platform: Platform, login: string): Promise<UserRow | undefined> {
  return userOfLogin(platform, sql`${login}`).executeTakeFirst();
}

export function findUserById(platform: Platform, id: string): Promise<UserRow | undefined> {
  return users(platform).where('users.id', '=', id).executeTakeFirst();
}

/**
 * Whether a user may still sign in with what was just verified. Locks the user until the transaction ends: so a change of what they
 * sign in with either ends the new session, or prevents it.
 */
export async function lockSignInUser(
  trx: Trx,
  { id, credentialsVersion }: Pick<UserRow, 'id' | 'credentialsVersion'>,
): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('credentialsVersion', '=', credentialsVersion)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/**
 * Locks a user until the transaction ends, against changes and against others that use this lock: they then see what this
 * transaction has made.
 */
export async function lockUser(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}
