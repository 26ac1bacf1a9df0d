import { sql } from 'kysely';
import { endSessionsOfRole, listLoginRoles } from './login-roles.ts';
import { identifier, literal } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import { changeRoles } from './role-changes.ts';
import { scramVerifier } from './scram.ts';
import { type ClusterSession, inClusterTransaction } from './session.ts';

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
export async function makeTenantRole(cluster: ClusterSession, wanted: TenantRole): Promise<void> {
  const role = identifier(wanted.roleName);
  const { rows } = await sql`select from pg_roles where rolname = ${wanted.roleName}`.execute(cluster);
  const making = sql.raw(rows.length > 0 ? 'alter role' : 'create role');
  const verifier = literal(scramVerifier(wanted.password));
  const mark = literal(await ownershipMark(cluster));
  // One query is one transaction: no role is without the mark by which the reconciler knows it.
  const change = sql`
    ${making} ${role} ${sql.raw(wanted.canLogin ? 'login' : 'nologin')} password ${verifier} valid until 'infinity' connection limit ${sql.raw(String(wanted.connectionLimit))};
    comment on role ${role} is ${mark}`;
  await changeRoles(cluster, await actingAs(cluster, wanted.roleName), change);
}

/** The roles whose sessions may act for a database's own role, which is one of them. */
const actingAs = async (cluster: ClusterSession, roleName: string): Promise<string[]> => [
  roleName,
  ...(await listLoginRoles(cluster, roleName)),
];

/**
 * Sets the password of a database's own role as it should be, and ends the role's sessions. A role may change its own password, so may
 * whoever acts for it (SET ROLE): with it they could log in after their own login has ended. First nobody can log in as the role, not even with
 * a password that one of its sessions sets once more; that must be committed before they are ended. It is the end of the role's validity, as
 * whether it may log in at all is for operations to say.
 * @param cluster not a transaction @see https://www.postgresql.org/docs/15/sql-alterrole.html
 */
export async function takeBackTenantRole(
  cluster: ClusterSession,
  { roleName, password }: Pick<TenantRole, 'roleName' | 'password'>,
): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${roleName}`.execute(cluster);
  if (rows.length === 0) return;
  const verifier = literal(scramVerifier(password));
  const role = identifier(roleName);
  const roles = await actingAs(cluster, roleName);
  await changeRoles(cluster, roles, sql`alter role ${role} valid until '-infinity'`);
  await endSessionsOfRole(cluster, roleName);
  await changeRoles(cluster, roles, sql`alter role ${role} password ${verifier} valid until 'infinity'`);
}

/** Removes a role of an earlier version from the group of all tenants, once it has its rights itself. */
export async function leaveTenantGroup(cluster: ClusterSession, roleName: string): Promise<void> {
  const { rows } = await sql`
    select from pg_auth_members m join pg_roles r on r.oid = m.member join pg_roles g on g.oid = m.roleid
    where r.rolname = ${roleName} and g.rolname = ${TENANT_GROUP}`.execute(cluster);
  if (rows.length === 0) return;
  await sql`revoke ${sql.raw(TENANT_GROUP)} from ${identifier(roleName)}`.execute(cluster);
}

/**
 * Sets the limit of connections of every role of this installation that has another one, as after a change of the setting.
 * @param own the limits of logins whose database has one of its own, by role
 */
export async function limitTenantRoles(
  cluster: ClusterSession,
  connectionLimit: number,
  own: ReadonlyMap<string, number>,
): Promise<void> {
  const mark = await ownershipMark(cluster);
  await inClusterTransaction(cluster, async (trx) => {
    // PostgreSQL refuses when two sessions change one role at once.
    await sql`select pg_advisory_xact_lock(hashtextextended('tenant-roles', 0))`.execute(trx);
    const { rows } = await sql<{ name: string; limit: number }>`
      select rolname as name, rolconnlimit as limit from pg_roles r
      where shobj_description(r.oid, 'pg_authid') = ${mark}
        and (rolconnlimit <> ${connectionLimit} or rolname = any(${[...own.keys()]}))`.execute(trx);
    for (const { name, limit } of rows) {
      const wanted = own.get(name) ?? connectionLimit;
      if (limit === wanted) continue;
      const change = sql`alter role ${identifier(name)} connection limit ${sql.raw(String(wanted))}`;
      await changeRoles(trx, await actingAs(trx, name), change);
    }
  });
}
