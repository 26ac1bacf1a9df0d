import type pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';
import { inPublic, inPurged } from '../tenant-database/qualified-names.ts';

/** A constraint, index, comment or right of a moved table, with the statements that drop it and create it on the new table. */
interface Attachment {
  isForeignKey: boolean;
  /** null: it moves with the table. */
  dropping: string | null;
  creating: string;
}

/**
 * The tables to which something is tied that would move along with the rows, such as a view, a trigger, a policy, a rule, a function that
 * names the table's row type, extended statistics, a publication or a child table; and those with something set on them that an empty one like
 * them would not have: storage parameters, replica identity, rights on columns or rights that may be passed on, targets of statistics.
 */
export async function listTiedTables(client: pg.Client, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(TIED_TABLES, [tables]);
  return new Set(rows.map(({ name }) => name));
}

/** What neither LIKE nor {@link ATTACHMENTS} gives the table that takes the place of a table `c`. */
const SET_ON_IT = `
  c.relreplident <> 'd' or c.relpersistence <> 'p' or c.reltablespace <> 0
  or exists (select from pg_class o where o.oid in (c.oid, c.reltoastrelid) and o.reloptions is not null)
  or exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and (a.attacl is not null or a.attoptions is not null or coalesce(a.attstattarget, -1) <> -1))
  or exists (select from aclexplode(c.relacl) a where a.grantor <> c.relowner or a.is_grantable and a.grantee <> c.relowner)
  or exists (select from pg_index i join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = i.indexrelid
    where i.indrelid = c.oid)
  or exists (select from pg_constraint k join pg_description d on d.classoid = 'pg_constraint'::regclass and d.objoid = k.oid
    where k.conrelid = c.oid and k.contype <> 'c')`;

// What moveTables knows is left out: indexes, constraints, columns' defaults, the identity's sequence, the row type and its array.
const TIED_TABLES = `
  select c.relname::text as name
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and (
    c.relrowsecurity or c.relforcerowsecurity or ${SET_ON_IT} or exists (
      select from pg_depend d
      left join pg_class dependent on d.classid = 'pg_class'::regclass and dependent.oid = d.objid
      where (
          d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid
          or d.refclassid = 'pg_type'::regclass
            and d.refobjid in (select t.oid from pg_type t where c.reltype in (t.oid, t.typelem))
        )
        and d.deptype <> 'i'
        and d.classid not in ('pg_constraint'::regclass, 'pg_attrdef'::regclass)
        and dependent.relkind is distinct from 'i'
    )
  )`;

/**
 * Moves tables with their rows from `public` to apotheca_purged, and creates empty tables like them, whose identities start at 1. No row
 * is copied. The caller must have locked the tables and all tables at the other ends of their foreign keys.
 * @param keptNames the tables' names in apotheca_purged, by their names
 * @returns statements that create the foreign keys again
 */
export async function moveTables(client: pg.Client, keptNames: ReadonlyMap<string, string>): Promise<string[]> {
  const attachments = await listAttachments(client, [...keptNames.keys()]);
  const foreignKeys = attachments.filter(({ isForeignKey }) => isForeignKey);
  const others = attachments.filter(({ isForeignKey }) => !isForeignKey);
  // Foreign keys come first, because they depend on the other keys.
  const drops = [...foreignKeys, ...others].flatMap(({ dropping }) => dropping ?? []);
  const moves = [...keptNames].flatMap(([name, keptName]) => replaceTable(name, keptName));
  await client.query([...drops, ...moves, ...others.map(({ creating }) => creating)].join(';\n'));
  return foreignKeys.map(({ creating }) => creating);
}

/** Statements that move a table away and create an empty one like it. */
function replaceTable(name: string, keptName: string): string[] {
  const kept = inPurged(keptName);
  return [
    `alter table ${inPublic(name)} rename to ${quoteIdentifier(keptName)}`,
    `alter table ${inPublic(keptName)} set schema apotheca_purged`,
    `create table ${inPublic(name)} (like ${kept} including all excluding indexes)`,
    `alter table ${kept} alter column id drop identity if exists`,
  ];
}

async function listAttachments(client: pg.Client, tables: readonly string[]): Promise<Attachment[]> {
  const { rows } = await client.query<Attachment>(ATTACHMENTS, [tables.map(inPublic)]);
  return rows;
}

const ATTACHMENTS = `
  with moved as (select unnest($1::text[]::regclass[])::oid as oid)
  select
    k.contype = 'f' as "isForeignKey",
    format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as dropping,
    format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as creating
  from pg_constraint k
  where k.contype in ('f', 'p', 'u', 'x') and (k.conrelid in (select oid from moved) or k.confrelid in (select oid from moved))
  union all
  select false, format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
  from pg_index i
  where i.indrelid in (select oid from moved)
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype <> 'f')
  union all
  select false, null, format('comment on table %s is %L', m.oid::regclass, obj_description(m.oid, 'pg_class'))
  from moved m
  where obj_description(m.oid, 'pg_class') is not null
  union all
  select false, format('revoke all on %s from %s', named.object, named.grantee),
    format('grant %s on %s to %s', string_agg(a.privilege_type, ', '), named.object, named.grantee)
  from pg_class c cross join aclexplode(c.relacl) a cross join lateral (
    select case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass as object,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end as grantee
  ) named
  where a.grantee <> c.relowner and (c.oid in (select oid from moved) or c.oid in (
    select d.objid from pg_depend d
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'i'
      and d.refobjid in (select oid from moved)
  ))
  group by named.object, named.grantee`;
