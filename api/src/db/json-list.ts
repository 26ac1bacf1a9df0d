import type pg from 'pg';

/** A list whose JSON text PostgreSQL builds: parsing and serializing 10,000 rows here would halve the throughput (decision 003). */
export interface JsonList {
  /** Name of the prepared statement; each text needs a name of its own. */
  name: string;
  /** A query whose columns are the contract's fields. */
  rows: string;
  values?: readonly unknown[];
  /** Makes the call's result of the rows, and of nothing else that could change; absent: it is the rows. @throws AppError where there is no such list */
  toResult?(json: string): string | Promise<string>;
}

/** The tables that a list reads, as PostgreSQL names them: its version is theirs. Each is tracked (migration 000015). */
export type ReadTables = readonly string[];

/**
 * SQL of the version that tables have in the snapshot of its statement: a text that is another one after every change of them
 * (decision 029), and how many numbers it was made of.
 */
export const VERSION = 'coalesce(bit_xor(number), 0)::text as version, count(*)::int as numbers';

/** From this many numbers on, whoever reads a version merges them: every version is made of all numbers of its tables. */
export const MOST_NUMBERS = 200;

/** A list of the control database whose answer has a version. It is the same for everybody who may read it. */
export interface TrackedList<Query> {
  tables: ReadTables;
  select(query: Query): JsonList;
}

/**
 * The same list, with what is done where it has no rows, such as to find out that its parent is missing.
 * @param checked the tables that the check reads: what it found also holds only until they change
 */
export const whenEmpty = <Query>(
  { tables, select }: TrackedList<Query>,
  checked: ReadTables,
  check: (query: Query) => Promise<unknown>,
): TrackedList<Query> => ({
  tables: [...new Set([...tables, ...checked])],
  select: (query) => {
    const list = select(query);
    return {
      ...list,
      async toResult(json) {
        if (json === '[]') await check(query);
        return list.toResult ? list.toResult(json) : json;
      },
    };
  },
});

/** The same list, with its rows made into another result here: what SQL would say badly, such as a tree of any depth. */
export const mapResult = <Query, Row, Result>(
  { tables, select }: TrackedList<Query>,
  map: (rows: readonly Row[]) => Result,
): TrackedList<Query> => ({
  tables,
  select: (query) => ({ ...select(query), toResult: (json) => JSON.stringify(map(JSON.parse(json))) }),
});

/** SQL of a moment in the form of contract/text `utcMoment`. */
export const utcMoment = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The result of a list whose only row is the result itself. */
export const onlyRow = (json: string): string => json.slice(1, -1);

/** The rows of a list. */
export async function listRows<Query>(pool: pg.Pool, list: TrackedList<Query>, query: Query): Promise<unknown[]> {
  return JSON.parse((await selectJsonList(pool, list.select(query), list.tables)).json);
}

/** The rows of a list as the JSON text of an array, with the version of the tables in the same snapshot. */
export async function selectJsonList(
  pool: pg.Pool,
  { name, rows, values = [] }: JsonList,
  tables: ReadTables,
): Promise<{ json: string; version: string }> {
  const text = `
    select
      (select coalesce(json_agg(item), '[]')::text from (${rows}) item) as json,
      ${VERSION}
    from table_changes
    where table_name = any ($${values.length + 1}::text[])`;
  const result = await pool.query<{ json: string; version: string }>({ name, text, values: [...values, tables] });
  return result.rows[0] ?? { json: '[]', version: '' };
}

/**
 * Merges the numbers that changes of tables left, as reading a version reads all of them. It waits for no other merge, and leaves the
 * numbers alone that one has taken.
 * @param tables absent: all that have several
 */
export async function mergeTableChanges(pool: pg.Pool, tables: ReadTables | null = null): Promise<void> {
  const text = `
    with free as (
      select ctid from table_changes
      where table_name = any (
        coalesce($1::text[], array(select table_name from table_changes group by table_name having count(*) > 1))
      )
      for update skip locked
    ), merged as (
      delete from table_changes using free where table_changes.ctid = free.ctid returning table_name, number
    )
    insert into table_changes select table_name, bit_xor(number) from merged group by table_name`;
  await pool.query({ name: 'merge-table-changes', text, values: [tables] });
}
