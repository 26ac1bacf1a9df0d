import type pg from 'pg';

/** How ALTER calls kinds of objects that pg_identify_object names otherwise. */
const KINDS = `case i.type when 'composite type' then 'type' when 'statistics object' then 'statistics' else i.type end`;

/**
 * The statements that give each object of a database to the owner that it has here, unless that is the administrator. A sequence of a column
 * goes with its table, a table's type and indexes too.
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
      and not exists (select from pg_depend d
        where d.classid = s.classid and d.objid = s.objid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass)
    order by i.type = 'schema' desc, 1`);
  return rows.map(({ statement }) => statement);
}

export async function setOwners(client: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

/** Reads the statistics of every table anew. */
export async function analyze(client: pg.Client): Promise<void> {
  await client.query('analyze');
}
