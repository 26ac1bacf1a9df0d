import { sql } from 'kysely';
import type { Platform, Trx } from '../../../db/platform.ts';
import { isInTime, type OpenAt } from '../sessions.repository.ts';

export async function roleExists(platform: Platform, id: string): Promise<boolean> {
  return (await platform.selectFrom('roles').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** When the users `u` got their factors, as SQL. */
const FACTORS = sql`(
  select created_at from totp_factors where user_id = u.id
  union all
  select created_at from passkeys where user_id = u.id
) as factor`;

/** The active users of a role who have no second factor, by name. Those who have neither password nor passkey cannot sign in here. */
export async function listUsersWithoutFactor(
  platform: Platform,
  roleId: string,
): Promise<{ id: string; userName: string }[]> {
  const { rows } = await sql<{ id: string; userName: string }>`
    select u.id, coalesce(nullif(u.user_name, ''), u.email) as "userName"
    from users u
    where u.role_id = ${roleId} and u.is_active and u.deleted_at is null and u.password_hash is not null
      and not exists (select from ${FACTORS})
    order by 2`.execute(platform);
  return rows;
}

/**
 * The sessions `s` of users `u` of a role that have not been ended and in which no factor was ever proved, as SQL: the sign-in, and the last proof, were before there
 * was one. What a provider has opened is its own matter.
 */
const unproved = (roleId: string) => sql`
  u.id = s.user_id and u.role_id = ${roleId} and s.revoked_at is null
  and not exists (select from provider_sessions p where p.session_id = s.id)
  and not exists (
    -- An app that is set up at a sign-in may be a moment younger than its session.
    select from ${FACTORS} where factor.created_at - interval '5 seconds' <= greatest(s.created_at, s.proved_at)
  )`;

export async function countUnprovedSessions(platform: Platform, roleId: string, openAt: OpenAt): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from sessions s, users u where ${unproved(roleId)} and ${isInTime(openAt)}`.execute(platform);
  return Number(rows[0]?.count);
}

/** Ends them, as `revokeSessionsOfUsers` does those of users. @returns how many were open */
export async function endUnprovedSessions(trx: Trx, roleId: string, openAt: OpenAt): Promise<number> {
  const { rows } = await sql<{ wasOpen: boolean }>`
    update sessions s set revoked_at = ${openAt.now}, revoked_reason = 'second-factor-required'
    from users u where ${unproved(roleId)}
    returning ${isInTime(openAt)} as "wasOpen"`.execute(trx);
  return rows.filter(({ wasOpen }) => wasOpen).length;
}

/** Lets sign-ins of a role's users that are under way open no session: they have read that none is needed. */
export async function moveCredentialsVersions(trx: Trx, roleId: string): Promise<void> {
  await sql`
    with mine as (select id from users where role_id = ${roleId} order by id for no key update)
    update users set credentials_version = credentials_version + 1 where id in (select id from mine)`.execute(trx);
}
