import { LINK_MINUTES } from '@apotheca/contract/recovery';
import { sql } from 'kysely';
import { hasCome } from '../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../db/platform.ts';

/** SQL: whether a link has ended. One of a clock that was ahead has: it would be valid for as long as that was ahead. */
const hasEnded = (now: Date) => hasCome('expiresAt', now, sql`make_interval(mins => ${LINK_MINUTES})`);

/** Who may get a link: who could sign in with a password, and has an address. */
export interface LinkOwner {
  id: string;
  userName: string;
  email: string;
  firstName: string;
  lastName: string;
}

/**
 * Gives a user a link in place of the one before, unless there is no such user or they may have none. Locks the user first, as
 * whatever changes the user does.
 * @returns the user as they are now
 */
export async function replacePasswordLink(
  trx: Trx,
  link: { userId: string | null; tokenHash: Buffer; expiresAt: Date },
): Promise<LinkOwner | undefined> {
  const { rows } = await sql<LinkOwner>`
    with owner as materialized (
      select id, user_name, email, first_name, last_name from users
      where id = ${link.userId} and is_active and deleted_at is null and password_hash is not null and email <> ''
      for share
    ),
    replaced as (
      insert into password_links (user_id, token_hash, expires_at)
      select id, ${link.tokenHash}, ${link.expiresAt} from owner
      on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
    )
    select * from owner`.execute(trx);
  return rows[0];
}

/** The user of a link that still holds. */
export async function findLinkUser(platform: Platform, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const link = platform.selectFrom('passwordLinks').select('userId').where('tokenHash', '=', tokenHash);
  return (await link.where((eb) => eb.not(hasEnded(now))).executeTakeFirst())?.userId;
}

/** Ends a link. Its user is locked. @returns whether it was still there */
export async function takePasswordLink(trx: Trx, tokenHash: Buffer): Promise<boolean> {
  const taken = trx.deleteFrom('passwordLinks').where('tokenHash', '=', tokenHash).returning('userId');
  return (await taken.executeTakeFirst()) !== undefined;
}

/** Sets the password of a user who sets it themselves. */
export function setOwnPassword(
  trx: Trx,
  id: string,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<LinkOwner & { version: number }> {
  return trx
    .updateTable('users')
    .set({ passwordHash, updatedBy: id, updatedAt: now, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['id', 'userName', 'email', 'firstName', 'lastName', 'version'])
    .executeTakeFirstOrThrow();
}

export async function deleteEndedLinks(platform: Platform, now: Date): Promise<void> {
  await platform.deleteFrom('passwordLinks').where(hasEnded(now)).execute();
}
