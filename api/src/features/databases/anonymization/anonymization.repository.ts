import { readFileSync } from 'node:fs';
import pg from 'pg';
import { inPublic, inPurged } from '../tenant-database/qualified-names.ts';
import { lockTables } from '../tenant-database/table-locks.repository.ts';
import type { IdentifyingColumn, SchemaColumn } from './anonymization-rules.ts';

const FUNCTIONS = readFileSync(new URL('./anonymization-functions.sql', import.meta.url), 'utf8');

/** All columns of the tenant's tables, by table and position. */
export async function listColumns(client: pg.Client): Promise<SchemaColumn[]> {
  const { rows } = await client.query<SchemaColumn>(`
    select c.relname as table, a.attname as column, a.atttypid::regtype::text as type,
      col_description(c.oid, a.attnum) as comment
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`);
  return rows;
}

/** The columns of each check or exclusion constraint on several columns. */
export async function listConstrainedColumns(client: pg.Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    select c.relname as table, array_agg(a.attname::text) as columns
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    where c.relnamespace = 'public'::regnamespace and k.contype in ('c', 'x')
    group by k.oid, c.relname
    having count(*) > 1`);
  return rows;
}

/** What holds data outside of the tables that {@link listColumns} finds: it has no columns with rules. */
export async function listUntreatable(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select case c.relkind when 'm' then 'materialized view ' when 'f' then 'foreign table ' else 'table ' end || c.oid::regclass as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^(pg_|information_schema$)'
      and (c.relkind in ('m', 'f') or c.relkind in ('r', 'p') and n.nspname not in ('public', 'apotheca', 'apotheca_purged'))
    union all
    select to_char(count(*), 'FM999,999,999,999') || ' large object' || case when count(*) > 1 then 's' else '' end
    from pg_largeobject_metadata having count(*) > 0
    order by 1`);
  return rows.map(({ name }) => name);
}

/** Locks tables against writes; reads go on. @throws 55P03 when another session keeps a lock for too long */
export async function lockForReplacing(client: pg.Client, tables: readonly string[]): Promise<void> {
  const purged = 'apotheca.purged_tables';
  const names = [...tables.map((name) => ({ name, table: inPublic(name) })), { name: purged, table: purged }];
  await lockTables(
    client,
    names.map((each) => ({ ...each, mode: 'share row exclusive' })),
  );
}

/** Creates the functions and the random key of this transaction. PostgreSQL makes the key, so no statement or log has it. */
export async function createFunctions(client: pg.Client): Promise<void> {
  await client.query("set local timezone = 'UTC'; set local search_path = pg_catalog; set local row_security = off");
  await client.query(FUNCTIONS);
  await client.query(`
    select set_config('apotheca.anonymization_key', string_agg(gen_random_uuid()::text, ''), true)::text is null
    from generate_series(1, 3)`);
}

/** Collects the distinct old values of the given columns, and their parts. */
export async function collectOldValues(client: pg.Client, columns: readonly IdentifyingColumn[]): Promise<void> {
  const sources = columns.map(
    ({ table, column, rule }) =>
      `select ${pg.escapeLiteral(rule)} as rule, ${pg.escapeIdentifier(column)}::text as old from ${inPublic(table)}`,
  );
  if (sources.length === 0) return;
  await client.query(`
    insert into pg_temp.anonymization_values (rule, old, is_strong)
    select distinct rule, old, length(old) >= 6 and old ~ '[0-9@]'
    from (${sources.join('\nunion all\n')}) columns
    where pg_temp.normalized(old) <> ''`);
  // A strong name is a part as a whole, too: a number may have its shape.
  await client.query(`
    insert into pg_temp.anonymization_parts (rule, part, is_strong)
    select rule, part, bool_or(is_strong)
    from (
      select rule, pg_temp.part_of(rule, old) as part, is_strong from pg_temp.anonymization_values
      where rule <> 'name' or is_strong
      union all
      select rule, lower(word), false
      from pg_temp.anonymization_values,
        lateral regexp_split_to_table(old, '[' || pg_temp.separators() || ']+') word
      where rule = 'name' and word <> ''
    ) parts
    group by rule, part`);
  await client.query(`
    create index on pg_temp.anonymization_values using hash (old);
    create index on pg_temp.anonymization_parts using hash (part);
    analyze pg_temp.anonymization_values, pg_temp.anonymization_parts`);
}

/**
 * Makes a new part for every part that has none. It is unlike all old ones of its rule, and those of strong values of every rule: these are
 * looked for everywhere. All other ones would leave too few, such as of postal codes.
 * @returns how many new parts were rejected because they equal an old part or another new one
 */
export async function makeNewParts(client: pg.Client, attempt: number): Promise<number> {
  await client.query(
    `update pg_temp.anonymization_parts set replacement = pg_temp.new_part(rule, part, $1) where replacement is null`,
    [attempt],
  );
  const { rowCount } = await client.query(`
    update pg_temp.anonymization_parts p set replacement = null
    from (
      select rule, part, row_number() over (partition by rule, lower(replacement) order by part) as place
      from pg_temp.anonymization_parts
    ) same
    where p.rule = same.rule and p.part = same.part and (same.place > 1 or exists (
      select from pg_temp.anonymization_parts o where o.part = lower(p.replacement) and (o.rule = p.rule or o.is_strong)
    ))`);
  return rowCount ?? 0;
}

/** Assembles the new value of every old one from the new parts. */
export async function assembleNewValues(client: pg.Client): Promise<void> {
  await client.query("update pg_temp.anonymization_values set new = pg_temp.new_name(old) where rule = 'name'");
  await client.query(`
    update pg_temp.anonymization_values v set new = pg_temp.new_value(v.rule, v.old, p.replacement)
    from pg_temp.anonymization_parts p
    where v.rule <> 'name' and p.rule = v.rule and p.part = pg_temp.part_of(v.rule, v.old)`);
  await client.query('analyze pg_temp.anonymization_values');
}

/**
 * Replaces the values of a table's identifying columns. Those of its partitions, and of tables that inherit from it, are not touched: they are
 * tables of their own, and only within one of them does a ctid name one row.
 * @returns how many rows changed, and how many changed in each column, in the given order
 */
export async function replaceValues(
  client: pg.Client,
  table: string,
  columns: readonly IdentifyingColumn[],
): Promise<{ rows: number; byColumn: number[] }> {
  const replacements = columns.map((column, index) => {
    const name = pg.escapeIdentifier(column.column);
    return `${name} as old_${index}, ${replacementOf(column, name)} as new_${index}`;
  });
  const assignments = columns.map(({ column }, index) => `${pg.escapeIdentifier(column)} = replaced.new_${index}`);
  // Compared as text, because json has no comparison.
  const differs = columns.map((_, index) => `replaced.old_${index}::text is distinct from replaced.new_${index}::text`);
  const flags = differs.map((condition, index) => `${condition} as differs_${index}`);
  const counts = columns.map((_, index) => `count(*) filter (where differs_${index})::float8`);
  const { rows } = await client.query<{ rows: number; by_column: number[] }>(`
    with changed as (
      update only ${inPublic(table)} t set ${assignments.join(', ')}
      from (select ctid as place, ${replacements.join(', ')} from only ${inPublic(table)} offset 0) replaced
      where t.ctid = replaced.place and (${differs.join(' or ')})
      returning ${flags.join(', ')}
    )
    select count(*)::float8 as rows, array[${counts.join(', ')}] as by_column from changed`);
  return { rows: rows[0]?.rows ?? 0, byColumn: rows[0]?.by_column ?? [] };
}

/** The SQL expression of a column's new value. null and empty values stay. */
function replacementOf({ treatment, rule, type }: IdentifyingColumn, name: string): string {
  switch (treatment) {
    case 'value': {
      const found = `select v.new from pg_temp.anonymization_values v where v.old = ${name}::text and v.rule = ${pg.escapeLiteral(rule)}`;
      return `coalesce((${found})::${type}, ${name})`;
    }
    case 'free text':
      return `case when ${name} <> '' then 'Text removed' else ${name} end`;
    case 'json':
      return `coalesce(pg_temp.empty_json(${type}_typeof(${name}))::${type}, ${name})`;
    case 'date':
      return type === 'timestamp with time zone'
        ? `pg_temp.moved_in_year(${name} at time zone 'UTC') at time zone 'UTC'`
        : `pg_temp.moved_in_year(${name})::${type}`;
  }
}

/** Drops the kept rows of purges, as they have old values. */
export async function dropKeptRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'apotheca_purged'::regnamespace and relkind = 'r'",
  );
  for (const { name } of rows) await client.query(`drop table ${inPurged(name)}`);
  await client.query('delete from apotheca.purged_tables');
}

/** The number of distinct old values. */
export async function countOldValues(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ values: number }>(
    'select count(*)::float8 as values from pg_temp.anonymization_values',
  );
  return rows[0]?.values ?? 0;
}

/**
 * Searches columns of a table for old values. Every column is searched for strong ones, which are hardly there by chance; a column with a
 * rule also for all old values of this rule.
 * @returns how many rows of each column have an old value, in the given order
 */
export async function countOldValuesLeft(
  client: pg.Client,
  table: string,
  columns: readonly { column: string; rule: string | null }[],
): Promise<number[]> {
  const counts = columns.map(({ column, rule }) => {
    const isWanted = rule === null ? 'v.is_strong' : `(v.is_strong or v.rule = ${pg.escapeLiteral(rule)})`;
    return `count(*) filter (where exists (
      select from pg_temp.anonymization_values v where v.old = t.${pg.escapeIdentifier(column)}::text and ${isWanted}
    ))::float8`;
  });
  const { rows } = await client.query<{ found: number[] }>(
    `select array[${counts.join(', ')}] as found from ${inPublic(table)} t`,
  );
  return rows[0]?.found ?? [];
}

/** Renews the planner's statistics of a table, as they have samples of old values. */
export async function renewStatistics(
  client: pg.Client,
  table: string,
  columns: readonly IdentifyingColumn[],
): Promise<void> {
  // ANALYZE keeps the old statistics of what is empty, and of columns that it is told to leave out. Only a superuser may delete them.
  const { rows: rights } = await client.query<{ mayDelete: boolean }>(
    `select has_table_privilege('pg_statistic', 'delete') as "mayDelete"`,
  );
  const mayDelete = rights[0]?.mayDelete ?? false;
  if (mayDelete) await deleteStatistics(client, table);
  const { rows } = await client.query(`select from ${inPublic(table)} limit 1`);
  if (rows.length > 0) await client.query(`analyze ${inPublic(table)}`);
  if (mayDelete || rows.length > 0) return;
  // Setting a column's type drops them too, even when the type is the same.
  const types = columns.map(({ column, type }) => `alter column ${pg.escapeIdentifier(column)} type ${type}`);
  await client.query(`alter table ${inPublic(table)} ${types.join(', ')}`);
}

async function deleteStatistics(client: pg.Client, table: string): Promise<void> {
  const parameters = [inPublic(table)];
  await client.query(
    `delete from pg_statistic
     where starelid = $1::regclass or starelid in (select indexrelid from pg_index where indrelid = $1::regclass)`,
    parameters,
  );
  await client.query(
    'delete from pg_statistic_ext_data where stxoid in (select oid from pg_statistic_ext where stxrelid = $1::regclass)',
    parameters,
  );
}

/** What has old values in its file beside the tables: the kept rows of purges, and samples of values. */
const ALSO_REWRITTEN = {
  'earlier purges': 'apotheca.purged_tables',
  'the statistics': 'pg_catalog.pg_statistic',
  'extended statistics': 'pg_catalog.pg_statistic_ext_data',
};

/** The files to rewrite after tables were changed: in words, and as SQL writes them. */
export const filesOf = (tables: readonly string[]): [words: string, table: string][] => [
  ...tables.map((table): [string, string] => [table, inPublic(table)]),
  ...Object.entries(ALSO_REWRITTEN),
];

/**
 * Rewrites a table's file without old rows.
 * @param table as SQL writes it
 * @throws 55P03 when another session keeps a lock on it for too long
 */
export async function rewriteTable(client: pg.Client, table: string): Promise<void> {
  await client.query("set lock_timeout = '5s'");
  await client.query(`vacuum (full) ${table}`);
}
