import type pg from 'pg';
import { quoteIdentifier, readerName } from './names.ts';
import { TENANT_GROUP } from './tenant-role.ts';

/**
 * Gives the rights in a tenant's database, or only those to read, to one role, and those to read to its reader, if it has one; and
 * revokes them from every other tenant role, such as that of the source in a copy. Migrations grant the rights to the group
 * apotheca_tenant. The group is only a pattern: no role is a member of it, so no session can act for all tenants (SET ROLE).
 * @param client the administrator's connection to the database
 * @param roleName null: no role gets them
 */
export async function giveTenantRights(
  client: pg.Client,
  roleName: string | null,
  access: 'write' | 'read' = 'write',
): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(CHANGES, [
    TENANT_GROUP,
    roleName,
    roleName && readerName(roleName),
    access,
  ]);
  await changeRights(
    client,
    rows.map(({ statement }) => statement),
  );
}

/** The rights of the group in copies of a template, by its name, as the beginnings of grants. */
const rightsInCopies = new Map<string, readonly string[]>();

/**
 * {@link giveTenantRights} in a database that was just copied from a template of Apotheca's. A template never changes, so the rights are read
 * in its first copy only: a new session would plan that query anew and look up each name. It waits for no disk: the commit that makes the
 * copy ready does.
 * @param template physical name
 */
export async function giveRightsInCopy(client: pg.Client, roleName: string, template: string): Promise<void> {
  const rights = rightsInCopies.get(template) ?? (await readRightsOfGroup(client));
  rightsInCopies.set(template, rights);
  const role = quoteIdentifier(roleName);
  await changeRights(client, ['set local synchronous_commit = off', ...rights.map((right) => `${right} to ${role}`)]);
}

async function readRightsOfGroup(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ right: string }>(
    `${GRANTED}
    select format('grant %s on %s', string_agg(privilege_type, ', '), object) as "right"
    from granted join pg_roles pattern on pattern.oid = grantee
    where pattern.rolname = $1
    group by object`,
    [TENANT_GROUP],
  );
  return rows.map(({ right }) => right);
}

/** Statements of one query are one transaction. */
async function changeRights(client: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

/** Gives a role that is no tenant's the rights of tenants' roles in a database; other roles keep theirs. */
export async function giveRightsOfTenants(client: pg.Client, roleName: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`${GRANTED} ${grantsTo('$2', 'true')}`, [
    TENANT_GROUP,
    roleName,
  ]);
  if (rows.length > 0) await client.query(rows.map(({ statement }) => statement).join(';\n'));
}

// A restore grants rights on tables, views and functions that the platform does not have to the group, too. PostgreSQL's own roles, whose ids
// are below 16384, and PUBLIC are left out first: they have rights on thousands of objects, whose names a new session would look up.
const GRANTED = `
  with granted as (
    select 'schema ' || quote_ident(n.nspname) as object, a.grantee, a.privilege_type
    from pg_namespace n cross join aclexplode(n.nspacl) a
    where a.grantee >= 16384
    union all
    select case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass, a.grantee, a.privilege_type
    from pg_class c cross join aclexplode(c.relacl) a
    where c.relkind in ('r', 'p', 'v', 'm', 'S') and a.grantee >= 16384
    union all
    select 'routine ' || p.oid::regprocedure, a.grantee, a.privilege_type
    from pg_proc p cross join aclexplode(p.proacl) a
    where a.grantee >= 16384
  )`;

// The ownership mark tells Apotheca's roles from roles with rights that somebody granted by hand.
const REVOKES = `
  select format('revoke all on %s from %I', object, r.rolname) as statement
  from granted join pg_roles r on r.oid = grantee
  where r.rolname is distinct from $2 and r.rolname is distinct from $3
    and shobj_description(r.oid, 'pg_authid') like 'Made by Apotheca, %'
  group by object, r.rolname`;

/** Grants a role what the group has. @param role a parameter @param condition which of the privileges */
const grantsTo = (role: string, condition: string) => `
  select format('grant %s on %s to %I', string_agg(privilege_type, ', '), object, own.rolname) as statement
  from granted join pg_roles pattern on pattern.oid = grantee join pg_roles own on own.rolname = ${role}
  where pattern.rolname = $1 and (${condition})
  group by object, own.rolname`;

const IS_READ = `privilege_type = case when object like 'schema %' then 'USAGE' else 'SELECT' end`;
/** What a role may do that may only read: functions act with the rights of who calls them. */
const IS_ALLOWED = `$4 = 'write' or object like 'routine %' or ${IS_READ}`;

// What a role could do until now, and may not any more.
const WRITE_REVOKES = `
  select format('revoke %s on %s from %I', string_agg(privilege_type, ', '), object, own.rolname) as statement
  from granted join pg_roles own on own.oid = grantee
  where own.rolname = $2 and not (${IS_ALLOWED})
  group by object, own.rolname`;

const CHANGES = `${GRANTED} ${[REVOKES, grantsTo('$2', IS_ALLOWED), grantsTo('$3', IS_READ), WRITE_REVOKES].join(
  ' union all ',
)}`;
