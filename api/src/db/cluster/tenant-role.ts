import { sql } from 'kysely';
import pg from 'pg';
import type { Platform } from '../platform.ts';
import { quoteIdentifier } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import { scramVerifier } from './scram.ts';

/** The NOLOGIN role that migrations grant the rights of a tenant's role to. It has no members: tenant-rights.ts copies its rights. */
export const TENANT_GROUP = 'apotheca_tenant';

/** The login role of a tenant's database. */
export interface TenantRole {
  roleName: string;
  password: string;
  /** Most connections that it may have. */
  connectionLimit: number;
}

/** Makes the login role of a database, or gives the one that there is its password and limit anew. */
export async function makeTenantRole(connection: Platform, wanted: TenantRole): Promise<void> {
  const role = sql.raw(quoteIdentifier(wanted.roleName));
  const { rows } = await sql`select from pg_roles where rolname = ${wanted.roleName}`.execute(connection);
  const making = sql.raw(rows.length > 0 ? 'alter role' : 'create role');
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(wanted.password)));
  const mark = sql.raw(pg.escapeLiteral(await ownershipMark(connection)));
  // One query, one transaction: the mark tells the reconciler whose it is.
  await sql`
    ${making} ${role} login password ${verifier} connection limit ${sql.raw(String(wanted.connectionLimit))};
    comment on role ${role} is ${mark}`.execute(connection);
}

/** Takes a role of an earlier version out of the group of all tenants, once it has the rights in its database itself. */
export async function leaveTenantGroup(connection: Platform, roleName: string): Promise<void> {
  const { rows } = await sql`
    select from pg_auth_members m join pg_roles r on r.oid = m.member join pg_roles g on g.oid = m.roleid
    where r.rolname = ${roleName} and g.rolname = ${TENANT_GROUP}`.execute(connection);
  if (rows.length === 0) return;
  await sql`revoke ${sql.raw(TENANT_GROUP)} from ${sql.raw(quoteIdentifier(roleName))}`.execute(connection);
}

/** Gives every role of this installation the limit of connections, where it has another one: the setting was changed, or is new. */
export async function limitTenantRoles(platform: Platform, connectionLimit: number): Promise<void> {
  const mark = await ownershipMark(platform);
  await platform.transaction().execute(async (trx) => {
    // Two servers that change one role at once would be an error.
    await sql`select pg_advisory_xact_lock(hashtextextended('tenant-roles', 0))`.execute(trx);
    const { rows } = await sql<{ name: string }>`
      select rolname as name from pg_roles
      where shobj_description(oid, 'pg_authid') = ${mark} and rolconnlimit <> ${connectionLimit}`.execute(trx);
    for (const { name } of rows) {
      await sql`alter role ${sql.raw(quoteIdentifier(name))} connection limit ${sql.raw(String(connectionLimit))}`.execute(
        trx,
      );
    }
  });
}
