import pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';
import { neededBy, untilOldRowsUnneeded } from '../../../db/cluster/old-row-versions.ts';
import { AppError } from '../../../errors.ts';
import type { RuledColumn } from '../anonymization/anonymization-rules.ts';
import { inPublic } from '../tenant-database/qualified-names.ts';

/** Something that PostgreSQL's catalogues have beyond what a new database has. The names are as SQL writes them. */
export interface CatalogueObject {
  /** As in DROP: 'table', 'event trigger'. */
  kind: string;
  /** Null for what stands in no schema. */
  schema: string | null;
  /** What DROP takes: with the schema, and of a function with its arguments. */
  identity: string;
}

/** Identities by pg_identify_object, with the words of DROP and COMMENT. */
const IDENTIFIED = `
  select
    case o.type when 'foreign-data wrapper' then 'foreign data wrapper' when 'statistics object' then 'statistics'
      when 'table column' then 'column' when 'table constraint' then 'constraint' else o.type end as kind,
    o.schema, o.identity`;

// What belongs to an extension goes with it; what belongs to a table (its sequences, partitions, types) with the table. From 16384 on are
// the ids of what was made after initdb.
const OBJECTS = `
  select 0 as rank, tableoid as class, oid from pg_event_trigger
  union all select 1, tableoid, oid from pg_trigger where not tgisinternal
  union all select 1, tableoid, oid from pg_rewrite where rulename <> '_RETURN' and oid >= 16384
  union all select 1, tableoid, oid from pg_policy
  union all select 1, tableoid, oid from pg_publication
  union all select 1, tableoid, oid from pg_cast where oid >= 16384
  union all
  select 2, d.classid, d.objid from pg_depend d join pg_namespace n on n.oid = d.refobjid
  where d.refclassid = 'pg_namespace'::regclass and d.deptype = 'n' and d.objsubid = 0
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'apotheca_purged')
    and not exists (
      select from pg_depend i
      where i.classid = d.classid and i.objid = d.objid and i.objsubid = 0 and i.deptype in ('i', 'a')
    )
  union all select 3, tableoid, oid from pg_extension where oid >= 16384
  union all select 4, tableoid, oid from pg_foreign_data_wrapper where oid >= 16384
  union all select 4, tableoid, oid from pg_language where oid >= 16384
  union all
  select 5, tableoid, oid from pg_namespace
  where oid >= 16384 and nspname not in ('apotheca', 'apotheca_purged') and nspname !~ '^pg_'`;

/** All objects of a database that were made in it, in an order in which they can be dropped. Event triggers come first: none is to run. */
export async function listObjects(client: pg.Client): Promise<CatalogueObject[]> {
  const { rows } = await client.query<CatalogueObject>(`
    ${IDENTIFIED}
    from (${OBJECTS}) made, lateral pg_identify_object(made.class, made.oid, 0) o
    where not exists (
      select from pg_depend e where e.classid = made.class and e.objid = made.oid and e.deptype = 'e'
    )
    order by made.rank, o.identity`);
  return rows;
}

/** Drops an object with what needs it, unless it went with an earlier one. */
export async function dropObject(client: pg.Client, { kind, identity }: CatalogueObject): Promise<void> {
  await client.query(`drop ${kind} if exists ${identity} cascade`);
}

/** Large objects that one transaction drops: each takes one of PostgreSQL's locks. */
const PORTION = 1_000;

/** Drops all large objects. @returns how many there were */
export async function dropLargeObjects(client: pg.Client): Promise<number> {
  let dropped = 0;
  for (;;) {
    const { rowCount } = await client.query(
      `select lo_unlink(oid) from (select oid from pg_largeobject_metadata limit ${PORTION}) portion`,
    );
    if (!rowCount) return dropped;
    dropped += rowCount;
  }
}

/** Replaces all comments by the rules of the columns: another comment may have anything in it, also about people. */
export async function replaceComments(client: pg.Client, columns: readonly RuledColumn[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('comment on %s %s is null', kind, identity) as statement
    from (
      ${IDENTIFIED}
      from pg_description, lateral pg_identify_object(classoid, objoid, objsubid) o
      where objoid >= 16384 or objoid = 'public'::regnamespace
    ) commented`);
  const rules = columns.map(
    ({ table, column, comment }) =>
      `comment on column ${inPublic(table)}.${quoteIdentifier(column)} is ${pg.escapeLiteral(comment)}`,
  );
  await client.query([...rows.map(({ statement }) => statement), ...rules].join(';\n'));
}

/** Forgets what operations noted in the database that this one is a copy of. */
export async function forgetAppliedOperations(client: pg.Client): Promise<void> {
  await client.query('delete from apotheca.applied_operations');
}

/**
 * Rewrites every file of the database without old rows, those of the catalogues too, and gathers statistics anew.
 * @param limit how long PostgreSQL may still need old rows, in milliseconds
 * @throws AppError conflict that names what needs them
 */
export async function rewriteDatabase(client: pg.Client, limit?: number): Promise<void> {
  // An autovacuum worker with an older snapshot would be waited for. Only a superuser may end one.
  await client.query(`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity, pg_roles
    where datname = current_database() and pid <> pg_backend_pid() and rolname = current_user and rolsuper`);
  // ANALYZE keeps the samples of what is empty now, such as of pg_largeobject. Only a superuser may delete them.
  await client.query(`
    do $$ begin
      if has_table_privilege('pg_statistic', 'delete') then
        delete from pg_statistic;
        delete from pg_statistic_ext_data;
      end if;
    end $$`);
  const holders = await untilOldRowsUnneeded(client, limit);
  if (holders.length > 0) {
    throw new AppError('conflict', {
      message: `No copy was made, as old rows would stay in its files: ${neededBy(holders)}. Please try again once that has ended.`,
    });
  }
  const { rows } = await client.query<{ tables: string }>(`
    select string_agg(oid::regclass::text, ', ' order by relnamespace, relname) as tables from pg_class
    where relkind = 'r' and not relisshared and relpersistence <> 't'`);
  await client.query(`vacuum (full, analyze) ${rows[0]?.tables}`);
}
