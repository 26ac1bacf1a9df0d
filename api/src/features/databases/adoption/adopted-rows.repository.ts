import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';
import { checksumOf, listArchivedTables } from '../backups/checksums.repository.ts';
import { inPublic } from '../tenant-database/qualified-names.ts';

/** A column that gets values of the source. */
export interface LoadedColumn {
  name: string;
  type: string;
  /** Where its value stands in a row of the source, from 1. */
  position: number;
}

/** A row that was read, with its number in the source, from 1. */
export interface StagedRow {
  line: number;
  values: (string | null)[];
}

/** Lines that follow each other. */
export interface Lines {
  first: number;
  last: number;
}

/** Why a row was rejected. */
type RejectionKind = 'encoding' | 'columns' | 'value' | 'required' | 'duplicate' | 'reference' | 'rule';

/** A row that could not even be staged. */
export interface UnreadableRow {
  line: number;
  kind: RejectionKind;
  column: string | null;
  reason: string;
  /** As they are shown: what is no text is escaped. */
  values: (string | null)[];
}

const FUNCTIONS = readFileSync(new URL('./adoption-functions.sql', import.meta.url), 'utf8');

/**
 * Makes what a session needs to load rows. All but the rejected rows is temporary: it is gone with the session. Where a type's text
 * depends on a setting, it is the one that pg_dump uses.
 */
export async function prepareAdoption(client: pg.Client): Promise<void> {
  await client.query(`
    set synchronous_commit = off;
    set timezone = 'UTC';
    set datestyle = 'ISO';
    create schema apotheca_adopted;
    comment on schema apotheca_adopted is 'Rows of the adopted database that were rejected.';
    create table apotheca_adopted.rejected_rows (
      id          bigint generated always as identity,
      table_name  text   not null,
      source_name text   not null,
      line        bigint not null,
      kind        text   not null,
      column_name text,
      reason      text   not null,
      row         json   not null,
      constraint rejected_rows__id primary key (id)
    );
    ${FUNCTIONS}`);
}

/** Stages rows of a table. */
export async function stageRows(client: pg.Client, rows: readonly StagedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into pg_temp.staged (line, v)
     select (r.value ->> 'line')::bigint, array(select json_array_elements_text(r.value -> 'values'))
     from json_array_elements($1::json) r`,
    [JSON.stringify(rows)],
  );
}

/** Keeps rows that cannot be staged. @param table where they would have gone @param source its name for people */
export async function keepUnreadable(
  client: pg.Client,
  table: string,
  source: string,
  columns: readonly string[],
  rows: readonly UnreadableRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const kept = rows.map(({ values, ...row }) => ({
    ...row,
    row: values.map((value, index) => [columns[index] ?? `${index + 1}`, value]),
  }));
  await client.query(
    `insert into apotheca_adopted.rejected_rows (table_name, source_name, line, kind, column_name, reason, row)
     select $1, $2, (r.value ->> 'line')::bigint, r.value ->> 'kind', r.value ->> 'column', r.value ->> 'reason', (
       select coalesce(json_object_agg(p.value ->> 0, p.value ->> 1), '{}') from json_array_elements(r.value -> 'row') p
     )
     from json_array_elements($3::json) r`,
    [table, source, JSON.stringify(kept)],
  );
}

/** Reads the staged rows of some lines, in their order: as JSON, of which Node makes texts without an object for each letter. */
export async function readStaged(client: pg.Client, { first, last }: Lines): Promise<(string | null)[][]> {
  const { rows } = await client.query<{ v: (string | null)[] }>(
    'select to_json(v) as v from pg_temp.staged where line between $1 and $2 order by line',
    [first, last],
  );
  return rows.map(({ v }) => v);
}

/**
 * Makes the function that inserts staged rows into a table. A statement that fails is tried again with each half of its rows, so
 * that a row alone is rejected for its own reason.
 */
export async function prepareTable(client: pg.Client, table: string, columns: readonly LoadedColumn[]): Promise<void> {
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const values = columns.map(expressionOf).join(', ');
  const insert = `insert into ${inPublic(table)} ${names && `(${names})`}
    select ${values} from pg_temp.staged s where s.line between $1 and $2 order by s.line`;
  await client.query('truncate pg_temp.staged, pg_temp.rejected, pg_temp.loading');
  await client.query('insert into pg_temp.loading (statement, columns, expressions) values ($1, $2, $3)', [
    insert,
    columns.map(({ name }) => name),
    columns.map(expressionOf),
  ]);
}

/** Loads the staged rows of some lines. */
export async function loadLines(client: pg.Client, first: number, last: number): Promise<void> {
  await client.query('select pg_temp.load_lines($1, $2)', [first, last]);
}

/** Tries rejected rows again that refer to rows of their own table, which may have been loaded after them. */
export async function retryReferences(client: pg.Client, table: string): Promise<void> {
  await client.query('select pg_temp.retry_references($1::regclass)', [inPublic(table)]);
}

/** Keeps the rejected rows of a table. @returns how many there are */
export async function keepRejected(
  client: pg.Client,
  table: string,
  source: string,
  columns: readonly string[],
): Promise<number> {
  const { rowCount } = await client.query(
    `insert into apotheca_adopted.rejected_rows (table_name, source_name, line, kind, column_name, reason, row)
     select $1, $2, r.line, r.kind, r.column_name, r.reason, json_object($3::text[], s.v)
     from pg_temp.rejected r join pg_temp.staged s using (line) order by r.line`,
    [table, source, columns],
  );
  return rowCount ?? 0;
}

/** Rows and checksum of what should be in a table, and of what is there. Only columns with values of the source are compared. */
export async function compareLoaded(client: pg.Client, table: string, columns: readonly LoadedColumn[]) {
  const archived = (await listArchivedTables(client)).find(({ schema, name }) => schema === 'public' && name === table);
  const hashed = (archived?.columns ?? []).filter(({ name }) => columns.some((column) => column.name === name));
  const expected = columns.map((column) => `${expressionOf(column)} as ${quoteIdentifier(column.name)}`).join(', ');
  const staged = `(
    select ${expected} from pg_temp.staged s
    where not exists (select from pg_temp.rejected r where r.line = s.line)
  )`;
  return {
    expected: await checksumOf(client, staged, hashed),
    actual: await checksumOf(client, `only ${inPublic(table)}`, hashed),
  };
}

/** Sets the identities of all tables behind their highest values. */
export async function advanceIdentities(
  client: pg.Client,
  tables: Iterable<{ name: string; sequence: string | null }>,
) {
  for (const { name, sequence } of tables) {
    if (sequence === null) continue;
    await client.query(
      `select setval($1::regclass, max(id)) from ${inPublic(name)} having max(id) > 0 and max(id) < 9223372036854775807`,
      [inPublic(sequence)],
    );
  }
}

/** Drops the schema of rejected rows where there are none. */
export async function dropIfEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from apotheca_adopted.rejected_rows limit 1');
  if (rows.length === 0) await client.query('drop schema apotheca_adopted cascade');
}

/** The SQL that turns a staged text into a column's value. Nothing is cut or rounded: such a value is an error. */
function expressionOf({ type, position }: LoadedColumn): string {
  const text = `s.v[${position}]`;
  const [, decimals] = /^numeric\(\d+,(\d+)\)$/.exec(type) ?? [];
  if (type === 'text') return text;
  if (decimals !== undefined) return `pg_temp.exact_numeric(${text}, ${decimals})::${type}`;
  if (type === 'date') return `pg_temp.exact_date(${text})`;
  if (type === 'timestamp with time zone') return `pg_temp.exact_moment(${text})`;
  if (type === 'jsonb') return `pg_temp.exact_json(${text})`;
  return `${text}::${type}`;
}
