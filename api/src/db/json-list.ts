import type pg from 'pg';

/** A list whose JSON text PostgreSQL builds: parsing and serializing 10,000 rows here would halve the throughput (decision 003). */
export interface JsonList {
  /** Name of the prepared statement; each text needs a name of its own. */
  name: string;
  /** A query whose columns are the contract's fields. */
  rows: string;
  values?: unknown[];
}

/** The rows of a list as the JSON text of an array. */
export async function selectJsonList(pool: pg.Pool, { name, rows, values = [] }: JsonList): Promise<string> {
  const text = `select coalesce(json_agg(item), '[]')::text as json from (${rows}) item`;
  const result = await pool.query<{ json: string }>({ name, text, values });
  return result.rows[0]?.json ?? '[]';
}
