import type { SortedBy } from '@apotheca/contract/sorting';
import type { UserSortColumn } from '@apotheca/contract/users';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TrackedList } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

export type UserRow = Selectable<PlatformTables['users']> & { role: string };

/** Key of the advisory lock for changing users one at a time. */
const USERS_LOCK = 7_206_434;

/** Sort keys of the contract and the expressions they stand for; ties are ordered by user name. */
const SORT_EXPRESSIONS: Record<UserSortColumn, string> = {
  userName: 'u.user_name',
  fName: 'u.first_name',
  email: 'u.email',
  role: 'r.name',
};

/** All users except deleted ones, in the shape of contract/users `user`. */
export const usersList: TrackedList<SortedBy<UserSortColumn>> = {
  tables: ['users', 'roles'],
  select({ sortColumn, sortDirection }) {
    const direction = sortDirection === 'desc' ? 'desc' : 'asc';
    return {
      name: `users-by-${sortColumn}-${direction}`,
      rows: `
        select
          u.id, u.sp_srx_id::text as "spSRXID", u.user_name as "userName",
          u.first_name as "fName", u.last_name as "lName", u.middle_initial as mi, u.title,
          u.dea_number as "deaNumber", u.is_active as "isActive", u.email, u.phone, u.notes,
          u.clinical_role_id as "clinicalRoleId", u.role_id as "roleId", json_build_object('roleName', r.name) as role,
          u.password_hash is not null as "hasPassword", u.version, u.created_by as "createdBy",
          u.updated_by as "updatedBy", u.deleted_by as "deletedBy", u.created_at as "createdOnUtc"
        from users u
        join roles r on r.id = u.role_id
        where u.deleted_at is null
        order by ${SORT_EXPRESSIONS[sortColumn]} ${direction}, u.user_name, u.id`,
    };
  },
};

/** Locks users against other changes until the transaction ends. Call it first in a transaction. */
export async function lockUsers(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${USERS_LOCK})`.execute(trx);
}

/** A user who is not deleted, with the name of their role. */
export function findUser(platform: Platform, id: string): Promise<UserRow | undefined> {
  return platform
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.roleId')
    .selectAll('users')
    .select('roles.name as role')
    .where('users.id', '=', id)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
}

/** @returns the new user's id */
export async function insertUser(trx: Trx, row: Insertable<PlatformTables['users']>): Promise<string> {
  return (await trx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Changes a user's columns and makes a new version. */
export async function updateUser(trx: Trx, id: string, fields: Updateable<PlatformTables['users']>): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/**
 * Whether a user has a name as user name or e-mail address; no for an empty name.
 * @param exceptId a user who may have it
 */
export async function isNameTaken(platform: Platform, name: string, exceptId: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    select from users
    where deleted_at is null and id is distinct from ${exceptId ?? null}
      and (user_name <> '' and user_name = ${name} or email <> '' and email = ${name})
    limit 1`.execute(platform);
  return rows.length > 0;
}

/** The first permission of a role that a user's own role lacks. An inactive or deleted user has none. */
export async function findMissingPermission(
  platform: Platform,
  userId: string | null,
  roleId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ identifier: string }>`
    select p.identifier
    from role_permissions rp
    join permissions p on p.id = rp.permission_id
    where rp.role_id = ${roleId} and not exists (
      select from users u
      join role_permissions own on own.role_id = u.role_id
      where u.id = ${userId} and u.is_active and u.deleted_at is null and own.permission_id = rp.permission_id
    )
    order by p.sort_order, p.identifier
    limit 1`.execute(platform);
  return rows[0]?.identifier;
}

/** Whether there is an active user with a role and a password. */
export async function canAnybodySignInAs(platform: Platform, role: string): Promise<boolean> {
  const user = await platform
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.roleId')
    .select('users.id')
    .where('roles.name', '=', role)
    .where('users.isActive', '=', true)
    .where('users.deletedAt', 'is', null)
    .where('users.passwordHash', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return user !== undefined;
}
