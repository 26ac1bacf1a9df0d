import type pg from 'pg';

/** How ALTER calls kinds of objects that pg_identify_object names otherwise. */
const KINDS = `case i.type when 'composite type' then 'type' when 'statistics object' then 'statistics'
  when 'foreign-data wrapper' then 'foreign data wrapper' else i.type end`;

/** What ALTER gives no owner: the mapping of a user, default privileges and extensions. The first two are loaded or made again as theirs. */
const WITHOUT_OWNER = "('pg_user_mapping'::regclass, 'pg_default_acl'::regclass, 'pg_extension'::regclass)";

/**
 * The statements that give each object of a database to the owner that it has here, unless that is the administrator. A sequence of a column
 * goes with its table, a table's type and indexes too. Extensions stay the administrator's.
 * @see https://www.postgresql.org/docs/15/catalog-pg-shdepend.html
 */
export async function listOwners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('alter %s %s owner to %I', ${KINDS}, i.identity, r.rolname) as statement
    from pg_shdepend s
    join pg_roles r on r.oid = s.refobjid
    cross join lateral pg_identify_object(s.classid, s.objid, s.objsubid) i
    where s.dbid = (select oid from pg_database where datname = current_database())
      and s.refclassid = 'pg_authid'::regclass and s.deptype = 'o' and r.rolname <> current_user
      and s.classid not in ${WITHOUT_OWNER}
      and not exists (select from pg_depend d
        where d.classid = s.classid and d.objid = s.objid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass)
    order by i.type = 'schema' desc, 1`);
  return rows.map(({ statement }) => statement);
}

/**
 * The roles that a copy of a database needs: those that own something in it, have rights there or are named by a policy. The administrator's
 * objects become the other one's, and so do extensions, whoever made them.
 */
export async function listNeededRoles(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct r.rolname::text as name
    from pg_shdepend s join pg_roles r on r.oid = s.refobjid
    where s.dbid = (select oid from pg_database where datname = current_database())
      and s.refclassid = 'pg_authid'::regclass and s.deptype in ('o', 'a', 'r')
      and not (s.deptype = 'o' and r.rolname = current_user and s.classid <> 'pg_user_mapping'::regclass)
      and not (s.deptype = 'o' and s.classid = 'pg_extension'::regclass)
    order by 1`);
  return rows.map(({ name }) => name);
}

/** What ALTER DEFAULT PRIVILEGES calls the kinds of objects. */
const DEFAULTS_ON = `case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types'
  when 'n' then 'schemas' else 'large objects' end`;

/**
 * The statements that make the default privileges of a database again. Those of the administrator become the other administrator's, who makes what
 * later migrations add. Where they are for all schemas, they replace PostgreSQL's own.
 * @see https://www.postgresql.org/docs/15/catalog-pg-default-acl.html
 */
export async function listDefaultPrivileges(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(`
    with defaults as (
      select d.defaclrole as owner, d.defaclacl as acl, n.nspname is null as is_for_all, ${DEFAULTS_ON} as kind,
        'alter default privileges' || case when r.rolname = current_user then '' else format(' for role %I', r.rolname) end
          || case when n.nspname is null then '' else format(' in schema %I', n.nspname) end as beginning,
        case when r.rolname = current_user then 'current_user' else quote_ident(r.rolname) end as owner_name
      from pg_default_acl d join pg_roles r on r.oid = d.defaclrole left join pg_namespace n on n.oid = d.defaclnamespace
    )
    select format('%s revoke all on %s from public, %s', beginning, kind, owner_name) as statement, 0 as place
    from defaults where is_for_all
    union all
    select format('%s grant %s on %s to %s%s', beginning, privilege_type, kind,
      case grantee when 0 then 'public' when owner then owner_name else grantee::regrole::text end,
      case when is_grantable then ' with grant option' else '' end), 1
    from defaults, aclexplode(acl)
    order by 2, 1`);
  return rows.map(({ statement }) => statement);
}

/** Runs such statements. */
export async function setOwners(client: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

/** Reads the statistics of every table anew. */
export async function analyze(client: pg.Client): Promise<void> {
  await client.query('analyze');
}
