import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { isVersionBelow } from './platform-migrations.ts';

/** A column of the control database. */
export interface SchemaColumn {
  table: string;
  column: string;
  type: string;
  /** Whether a row can be inserted without it: it may be null, has a default, or PostgreSQL makes it. */
  optional: boolean;
  nullable: boolean;
}

/** The schema of the version that was released last: a line a column. `npm run schema:release` writes it. */
export const RELEASED_SCHEMA = new URL('./released-schema.jsonl', import.meta.url);

/** The columns of the control database's own tables, in the order of their names. @param client its connection */
export async function describeSchema(client: pg.Client): Promise<SchemaColumn[]> {
  const { rows } = await client.query<SchemaColumn>(`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional, not a.attnotnull as nullable
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ '^kysely_'
      and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attname collate "C"`);
  return rows;
}

/** The schema that was released last. */
export const releasedSchema = (): SchemaColumn[] =>
  readFileSync(RELEASED_SCHEMA, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * What keeps the version before from running on a new schema: what it reads is gone or of another type, or its rows are refused for a
 * column that it does not know or leaves empty.
 * @param unread columns, as `table.column`, that the version before no longer reads
 */
export function breakingSchemaChanges(
  released: readonly SchemaColumn[],
  now: readonly SchemaColumn[],
  unread: readonly string[] = [],
): string[] {
  const found = new Map(now.map((each) => [nameOf(each), each]));
  const known = new Set(released.map(nameOf));
  const tables = new Set(released.map(({ table }) => table));
  const broken = released.flatMap((before) => {
    const name = nameOf(before);
    const after = found.get(name);
    if (!after) return unread.includes(name) ? [] : [`${name} is gone`];
    if (after.type !== before.type) return [`${name} was ${before.type} and is ${after.type}`];
    if (before.nullable && !after.nullable) return [`${name} must not be null any more`];
    return before.optional && !after.optional ? [`${name} has no default any more`] : [];
  });
  const demanded = now.filter((each) => tables.has(each.table) && !known.has(nameOf(each)) && !each.optional);
  return [...broken, ...demanded.map((each) => `${nameOf(each)} is new and must be given`)];
}

/**
 * Columns that are gone although versions before the released one, which may read them, are still served.
 * @param floor the oldest version that the schema says it serves
 * @param version that was released last
 */
export function servedTooLong(
  released: readonly SchemaColumn[],
  now: readonly SchemaColumn[],
  floor: string,
  version: string,
): string[] {
  if (!isVersionBelow(floor, version)) return [];
  const found = new Set(now.map(nameOf));
  const gone = released.map(nameOf).filter((name) => !found.has(name));
  return gone.map(
    (name) => `${name} is gone, but schema_floor has ${floor}: what is older than ${version} may read it`,
  );
}

const nameOf = ({ table, column }: SchemaColumn): string => `${table}.${column}`;
