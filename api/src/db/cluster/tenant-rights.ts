import type pg from 'pg';
import { TENANT_GROUP } from './tenant-role.ts';

/**
 * Gives the rights in a tenant's database to one role, and revokes them from every other tenant role, such as that of the source in
 * a copy. Migrations grant the rights to the group apotheca_tenant. The group is only a pattern: no role is a member of it, so no
 * session can act for all tenants (SET ROLE).
 * @param client the administrator's connection to the database
 * @param roleName null: no role gets them
 */
export async function giveTenantRights(client: pg.Client, roleName: string | null): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(CHANGES, [TENANT_GROUP, roleName]);
  // Statements of one query are one transaction.
  if (rows.length > 0) await client.query(rows.map(({ statement }) => statement).join(';\n'));
}

// The ownership mark tells Apotheca's roles from roles with rights that somebody granted by hand.
const CHANGES = `
  with granted as (
    select 'schema ' || quote_ident(n.nspname) as object, a.grantee, a.privilege_type
    from pg_namespace n cross join aclexplode(n.nspacl) a
    union all
    select case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass, a.grantee, a.privilege_type
    from pg_class c cross join aclexplode(c.relacl) a
    where c.relkind in ('r', 'S')
  )
  select format('revoke all on %s from %I', object, r.rolname) as statement
  from granted join pg_roles r on r.oid = grantee
  where r.rolname is distinct from $2 and shobj_description(r.oid, 'pg_authid') like 'Made by Apotheca, %'
  group by object, r.rolname
  union all
  select format('grant %s on %s to %I', string_agg(privilege_type, ', '), object, own.rolname)
  from granted join pg_roles pattern on pattern.oid = grantee join pg_roles own on own.rolname = $2
  where pattern.rolname = $1
  group by object, own.rolname`;
