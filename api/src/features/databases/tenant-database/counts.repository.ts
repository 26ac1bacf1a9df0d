import pg from 'pg';
import { isUnreadable } from '../../../db/errors/postgres-errors.ts';
import { inPublic } from './qualified-names.ts';

export interface TableFigures {
  name: string;
  rows: number;
  sizeBytes: number;
}

/** The version of a tenant's database's schema. */
export async function getSchemaVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    'select max(version) as version from apotheca.schema_version',
  );
  return rows[0]?.version ?? 0;
}

/**
 * Exact row counts, also of more rows than an `int` can hold, and sizes on disk of tables. One statement counts all of them, so the counts are of
 * one moment.
 */
export async function countTables(client: pg.Client, tables: readonly string[]): Promise<TableFigures[]> {
  const counts = tables.map((name) => {
    const table = inPublic(name);
    return `select ${pg.escapeLiteral(name)} as name, (select count(*)::float8 from ${table}) as rows,
      pg_total_relation_size(${pg.escapeLiteral(table)})::bigint as size`;
  });
  const { rows } = await client.query<{ name: string; rows: number; size: string }>(counts.join('\nunion all\n'));
  return rows.map(({ name, rows: count, size }) => ({ name, rows: count, sizeBytes: Number(size) }));
}

/** What could be counted of tables, and the names of those that are missing or damaged. */
export interface ReadableTables {
  counted: TableFigures[];
  uncounted: string[];
}

/** As {@link countTables}. Where a table is missing or damaged, it counts each of the others on its own. */
export async function countReadableTables(client: pg.Client, tables: readonly string[]): Promise<ReadableTables> {
  try {
    return { counted: await countTables(client, tables), uncounted: [] };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (tables.length === 1) return { counted: [], uncounted: [...tables] };
  }
  const each: ReadableTables[] = [];
  for (const name of tables) each.push(await countReadableTables(client, [name]));
  return {
    counted: each.flatMap(({ counted }) => counted),
    uncounted: each.flatMap(({ uncounted }) => uncounted),
  };
}

/** The number of rows in all tables. */
export const totalRows = (tables: readonly { rows: number }[]): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

/** How many rows of earlier purges can still be put back. */
export async function countKeptRows(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    'select coalesce(sum(row_count), 0)::float8 as rows from apotheca.purged_tables where put_back_at is null',
  );
  return rows[0]?.rows ?? 0;
}

/** How many rows were rejected when the database was adopted, and are kept. */
export async function countRejectedRows(client: pg.Client): Promise<number> {
  const { rows: found } = await client.query<{ isThere: boolean }>(
    `select to_regclass('apotheca_adopted.rejected_rows') is not null as "isThere"`,
  );
  if (!found[0]?.isThere) return 0;
  const { rows } = await client.query<{ rows: string }>('select count(*) as rows from apotheca_adopted.rejected_rows');
  return Number(rows[0]?.rows);
}
