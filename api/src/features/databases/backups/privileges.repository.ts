import type pg from 'pg';
import { TENANT_GROUP } from '../../../db/cluster/tenant-role.ts';
import type { Privilege } from './archive/archive-manifest.ts';

/** Schemas that PostgreSQL and the platform have made. */
const OTHER_SCHEMAS = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'apotheca', 'apotheca_purged')`;

/** Schemas, tables, views, sequences and functions that belong to no extension. */
const OBJECTS = `
  objects as (
    select n.oid, 'schema' as kind, n.nspname::text as schema, '' as name, '' as arguments, n.nspowner as owner,
      coalesce(n.nspacl, acldefault('n', n.nspowner)) as acl, quote_ident(n.nspname) as sql, 'pg_namespace'::regclass as catalogue
    from pg_namespace n where ${OTHER_SCHEMAS} and n.nspname <> 'public'
    union all
    select c.oid, case c.relkind when 'S' then 'sequence' else 'table' end, n.nspname, c.relname, '', c.relowner,
      coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner)),
      format('%I.%I', n.nspname, c.relname), 'pg_class'::regclass
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${OTHER_SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select p.oid, 'routine', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid), p.proowner,
      coalesce(p.proacl, acldefault('f', p.proowner)), p.oid::regprocedure::text, 'pg_proc'::regclass
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${OTHER_SCHEMAS}
  ),
  own_objects as (
    select * from objects o where not exists (
      select from pg_depend d where d.classid = o.catalogue and d.objid = o.oid and d.deptype = 'e')
  )`;

/**
 * What PUBLIC and the database's own role may do with its objects, those of the platform's own tables among them.
 * @param roleName the database's own role
 */
export async function readPrivileges(client: pg.Client, roleName: string): Promise<Privilege[]> {
  const { rows } = await client.query<Privilege>(
    `with ${OBJECTS}
     select kind, schema, name, arguments, case a.grantee when 0 then 'public' else 'tenant' end as grantee,
       array_agg(distinct a.privilege_type order by a.privilege_type) as privileges
     from own_objects cross join aclexplode(acl) a
     where a.grantee = 0 or a.grantee = (select oid from pg_roles where rolname = $1)
     group by 1, 2, 3, 4, 5`,
    [roleName],
  );
  return rows;
}

/**
 * Gives PUBLIC and tenants' roles the privileges that a manifest lists, on the objects of one owner. Tenants' roles get theirs through
 * the pattern of rights (tenant-rights.ts). Only PostgreSQL's catalogues change.
 * @param owner whose objects get them; no others do, whatever the manifest lists
 */
export async function applyPrivileges(
  client: pg.Client,
  owner: string,
  privileges: readonly Privilege[],
): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `with ${OBJECTS},
     wanted as (
       select * from jsonb_to_recordset($2::jsonb)
         as w (kind text, schema text, name text, arguments text, grantee text, privileges text[])
     ),
     additional as (select * from own_objects where owner = (select oid from pg_roles where rolname = $1))
     select format('revoke all on %s %s from public', kind, sql) as statement from additional
     union all
     select format('grant %s on %s %s to %s', array_to_string(w.privileges, ', '), a.kind, a.sql,
       case w.grantee when 'public' then 'public' else '${TENANT_GROUP}' end)
     from additional a
     join wanted w on (w.kind, w.schema, w.name, w.arguments) = (a.kind, a.schema, a.name, a.arguments)
     where array_to_string(w.privileges, ',') ~ '^[A-Z,]+$'`,
    [owner, JSON.stringify(privileges)],
  );
  // Statements of one query are one transaction, in the order of the text.
  const revokesFirst = rows.map(({ statement }) => statement).sort((one, two) => two.localeCompare(one));
  if (rows.length > 0) await client.query(revokesFirst.join(';\n'));
}
