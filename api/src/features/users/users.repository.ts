import type { SortedBy } from '@apotheca/contract/sorting';
import type { UserSortColumn } from '@apotheca/contract/users';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Actor } from '../../actor.ts';
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
  tables: ['users', 'roles', 'totp_factors', 'passkeys'],
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
          u.password_hash is not null as "hasPassword", u.is_service as "isService",
          exists (select from totp_factors f where f.user_id = u.id)
            or exists (select from passkeys p where p.user_id = u.id) as "hasSecondFactor", u.version, u.created_by as "createdBy",
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

/** All users who are not deleted. */
export function listAllUsers(platform: Platform) {
  return platform.selectFrom('users').selectAll().where('deletedAt', 'is', null).execute();
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

/**
 * The first permission of a role that an actor lacks: the actor's own role, or the API key that they act by, which counts for built-in
 * ones. An inactive or deleted user has none.
 */
export const findMissingPermission = (
  platform: Platform,
  actor: Pick<Actor, 'id' | 'scopes'>,
  roleId: string,
): Promise<string | undefined> =>
  findLacked(platform, actor, sql`p.id in (select permission_id from role_permissions where role_id = ${roleId})`);

/** The first of some permissions that an actor lacks, as {@link findMissingPermission} has it. */
export const findPermissionLackedBy = (
  platform: Platform,
  actor: Pick<Actor, 'id' | 'scopes'>,
  permissionIds: readonly string[],
): Promise<string | undefined> => findLacked(platform, actor, sql`p.id = any(${permissionIds}::uuid[])`);

/** @param asked which permissions `p` count */
async function findLacked(
  platform: Platform,
  { id: userId, scopes }: Pick<Actor, 'id' | 'scopes'>,
  asked: RawBuilder<unknown>,
): Promise<string | undefined> {
  const ofKey = scopes ?? null;
  // No key can have a menu or a permission of one's own: they open no call.
  const { rows } = await sql<{ identifier: string }>`
    select p.identifier
    from permissions p
    where ${asked} and not (
      (${ofKey}::text[] is null or not p.is_built_in or p.identifier = any (${ofKey}::text[]))
      and exists (
        select from users u
        join role_permissions own on own.role_id = u.role_id
        where u.id = ${userId} and u.is_active and u.deleted_at is null and own.permission_id = p.id
      )
    )
    order by p.sort_order, p.identifier
    limit 1`.execute(platform);
  return rows[0]?.identifier;
}

/**
 * Gives everybody who has a role another one, deleted users too, whose rows stay, and makes a new version of each.
 * @returns those who are not deleted, with the version before
 */
export async function replaceRole(
  trx: Trx,
  from: string,
  to: string,
  stamp: Pick<Updateable<PlatformTables['users']>, 'updatedBy' | 'updatedAt'>,
): Promise<{ id: string; version: number }[]> {
  const moved = await trx
    .updateTable('users')
    .set({ ...stamp, roleId: to, version: sql`version + 1` })
    .where('roleId', '=', from)
    .returning(['id', 'deletedAt', sql<number>`version - 1`.as('version')])
    .execute();
  return moved.filter(({ deletedAt }) => deletedAt === null);
}

/**
 * Whether there is an active user with a role and a password.
 * @param userName the only one that counts; undefined: any
 */
export async function canAnybodySignInAs(
  platform: Platform,
  role: string,
  userName: string | undefined,
): Promise<boolean> {
  const user = await platform
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.roleId')
    .select('users.id')
    .where('roles.name', '=', role)
    .where('users.isActive', '=', true)
    .where('users.deletedAt', 'is', null)
    .where('users.passwordHash', 'is not', null)
    .$if(userName !== undefined, (query) => query.where('users.userName', '=', userName ?? ''))
    .limit(1)
    .executeTakeFirst();
  return user !== undefined;
}
