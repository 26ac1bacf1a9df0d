import type { TenantTableName } from '@apotheca/contract/tenant-tables';
import type { ClientBase } from 'pg';
import { quoteIdentifier } from '../../db/cluster/names.ts';

/** A row by column name; every row of a table has the same columns. */
export interface Row {
  id: number;
}

const ROWS_PER_STATEMENT = 2_000;

/**
 * Inserts rows with their ids, and lets the table's identity continue after the last one. Rows are taken in portions, so a
 * generator's rows are never all in memory.
 * @returns how many rows were inserted
 */
export async function insertRows(client: ClientBase, table: TenantTableName, rows: Iterable<Row>): Promise<number> {
  let inserted = 0;
  for (const chunk of chunks(rows)) {
    const columns = Object.keys(chunk[0] ?? {})
      .map(quoteIdentifier)
      .join(', ');
    // The table's row type gives the types of the columns, so only the migrations name them.
    await client.query(
      `insert into public.${quoteIdentifier(table)} (${columns})
       select ${columns} from jsonb_populate_recordset(null::public.${quoteIdentifier(table)}, $1)`,
      [JSON.stringify(chunk)],
    );
    inserted += chunk.length;
  }
  await client.query(
    `select setval(pg_get_serial_sequence($1, 'id'), max(id))
     from public.${quoteIdentifier(table)} having count(*) > 0`,
    [`public.${table}`],
  );
  return inserted;
}

function* chunks(rows: Iterable<Row>): Generator<Row[]> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length === ROWS_PER_STATEMENT) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
