import type pg from 'pg';
import { queryEach } from '../../../db/tenant-connection.ts';

/** A table of a tenant's database as PostgreSQL's system catalogue describes it. */
export interface TenantTableShape {
  name: string;
  /** Its columns in order, without generated ones. The types are as SQL writes them. */
  columns: { name: string; type: string }[];
  /** The sequence of its identity column; null without one. */
  sequence: string | null;
  /** What its rows take on disk, roughly. */
  bytes: number;
}

export interface ForeignKey {
  name: string;
  /** The referring table; with its schema, as SQL writes both, where that is not `public`. */
  from: string;
  /** The referring table, as SQL writes it. */
  fromTable: string;
  /** The referenced table, named as `from`. */
  to: string;
  /** Columns of `from`. A row refers to `to` when none of them is null. */
  columns: string[];
}

export interface TenantCatalogue {
  tables: ReadonlyMap<string, TenantTableShape>;
  foreignKeys: readonly ForeignKey[];
}

/** The tables of `public`, and the foreign keys from and to them, also those of tables in other schemas. */
export async function readTenantCatalogue(client: pg.Client): Promise<TenantCatalogue> {
  const [tables, foreignKeys] = await queryEach(client, [TABLES, FOREIGN_KEYS]);
  const shapes: TenantTableShape[] = tables?.rows ?? [];
  return { tables: new Map(shapes.map((table) => [table.name, table])), foreignKeys: foreignKeys?.rows ?? [] };
}

const TABLES = `
  select
    c.relname::text as name,
    (
      select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns,
    (
      select s.relname::text
      from pg_depend d
      join pg_class s on s.oid = d.objid and s.relkind = 'S'
      where d.refobjid = c.oid and d.refclassid = 'pg_class'::regclass and d.classid = 'pg_class'::regclass and d.deptype = 'i'
    ) as sequence,
    (pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as bytes
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;

/** A table's name as {@link ForeignKey} has it, of an alias of pg_class. */
const nameOf = (table: string) => `case ${table}.relnamespace
      when 'public'::regnamespace then ${table}.relname::text
      else format('%s.%I', ${table}.relnamespace::regnamespace, ${table}.relname)
    end`;

const FOREIGN_KEYS = `
  select
    k.conname::text as name,
    ${nameOf('referring')} as "from",
    format('%s.%I', referring.relnamespace::regnamespace, referring.relname) as "fromTable",
    ${nameOf('referred')} as "to",
    array(
      select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey) order by a.attnum
    ) as columns
  from pg_constraint k
  join pg_class referring on referring.oid = k.conrelid
  join pg_class referred on referred.oid = k.confrelid
  where k.contype = 'f' and 'public'::regnamespace in (referring.relnamespace, referred.relnamespace)`;
