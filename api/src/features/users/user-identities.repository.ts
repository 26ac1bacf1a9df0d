import { sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';

/** The user of an identity at a provider, deleted or not. */
export function findIdentity(
  platform: Platform,
  issuer: string,
  subject: string,
): Promise<{ userId: string; isDeleted: boolean } | undefined> {
  return platform
    .selectFrom('userIdentities')
    .innerJoin('users', 'users.id', 'userIdentities.userId')
    .select(['userId', sql<boolean>`users.deleted_at is not null`.as('isDeleted')])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** The user with an e-mail address who is not deleted and has no identity at a provider yet. */
export async function findUnlinkedUser(platform: Platform, issuer: string, email: string): Promise<string | undefined> {
  const user = await platform
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deletedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('userIdentities')
            .select('subject')
            .whereRef('userIdentities.userId', '=', 'users.id')
            .where('issuer', '=', issuer),
        ),
      ),
    )
    .executeTakeFirst();
  return user?.id;
}

/** Links an identity to a user; one that was linked to a deleted user is linked anew. */
export async function linkIdentity(
  trx: Trx,
  identity: { issuer: string; subject: string; userId: string; createdAt: Date },
): Promise<void> {
  const { userId, createdAt } = identity;
  await trx
    .insertInto('userIdentities')
    .values(identity)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ userId, createdAt }))
    .execute();
}

export async function findRoleId(platform: Platform, name: string): Promise<string | undefined> {
  const role = await platform.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirst();
  return role?.id;
}
