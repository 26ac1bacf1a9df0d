import { sql } from 'kysely';
import pg from 'pg';
import type { Platform } from '../platform.ts';
import { quoteIdentifier } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import { scramVerifier } from './scram.ts';

/** The NOLOGIN role to which migrations grant the rights of tenant roles. It has no members: tenant-rights.ts copies its rights. */
export const TENANT_GROUP = 'apotheca_tenant';

/** The login role of a tenant's database. */
export interface TenantRole {
  roleName: string;
  password: string;
  /** How many connections it may have. */
  connectionLimit: number;
  /** Whether it may log in now. */
  canLogin: boolean;
}

/** Makes the login role of a database, or sets the password and limit of the existing one. */
export async function makeTenantRole(connection: Platform, wanted: TenantRole): Promise<void> {
  const role = sql.raw(quoteIdentifier(wanted.roleName));
  const { rows } = await sql`select from pg_roles where rolname = ${wanted.roleName}`.execute(connection);
  const making = sql.raw(rows.length > 0 ? 'alter role' : 'create role');
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(wanted.password)));
  const mark = sql.raw(pg.escapeLiteral(await ownershipMark(connection)));
  // One query is one transaction: no role is without the mark by which the reconciler knows it.
  await sql`
    ${making} ${role} ${sql.raw(wanted.canLogin ? 'login' : 'nologin')} password ${verifier} connection limit ${sql.raw(String(wanted.connectionLimit))};
    comment on role ${role} is ${mark}`.execute(connection);
}

/**
 * Sets the password of a database's own role as it should be, and ends the role's sessions. A role may change its own password, so may
 * whoever acts for it (SET ROLE): with it they could log in after their own login has ended.
 * @see https://www.postgresql.org/docs/15/sql-alterrole.html
 */
export async function takeBackTenantRole(
  connection: Platform,
  { roleName, password }: Pick<TenantRole, 'roleName' | 'password'>,
): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${roleName}`.execute(connection);
  if (rows.length === 0) return;
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(password)));
  await sql`alter role ${sql.raw(quoteIdentifier(roleName))} password ${verifier}`.execute(connection);
  await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${roleName}`.execute(
    connection,
  );
}

/** Removes a role of an earlier version from the group of all tenants, once it has its rights itself. */
export async function leaveTenantGroup(connection: Platform, roleName: string): Promise<void> {
  const { rows } = await sql`
    select from pg_auth_members m join pg_roles r on r.oid = m.member join pg_roles g on g.oid = m.roleid
    where r.rolname = ${roleName} and g.rolname = ${TENANT_GROUP}`.execute(connection);
  if (rows.length === 0) return;
  await sql`revoke ${sql.raw(TENANT_GROUP)} from ${sql.raw(quoteIdentifier(roleName))}`.execute(connection);
}

/**
 * Sets the limit of connections of every role of this installation that has another one, as after a change of the setting. Logins of
 * a database with a limit of its own have that.
 */
export async function limitTenantRoles(platform: Platform, connectionLimit: number): Promise<void> {
  const mark = await ownershipMark(platform);
  await platform.transaction().execute(async (trx) => {
    // PostgreSQL refuses when two sessions change one role at once.
    await sql`select pg_advisory_xact_lock(hashtextextended('tenant-roles', 0))`.execute(trx);
    const { rows } = await sql<{ name: string; wanted: number }>`
      select rolname as name, wanted
      from pg_roles r
      left join database_logins l on l.role_name = r.rolname
      left join databases d on d.id = l.database_id
      cross join lateral (select coalesce(d.connection_limit, ${connectionLimit}::int) as wanted) w
      where shobj_description(r.oid, 'pg_authid') = ${mark} and rolconnlimit <> wanted`.execute(trx);
    for (const { name, wanted } of rows) {
      await sql`alter role ${sql.raw(quoteIdentifier(name))} connection limit ${sql.raw(String(wanted))}`.execute(trx);
    }
  });
}
