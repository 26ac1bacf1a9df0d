import type pg from 'pg';

export interface RejectedRow {
  id: string;
  table: string;
  source: string;
  line: string;
  kind: string;
  column: string | null;
  reason: string;
  /** JSON. */
  row: string;
}

/** Rejected rows behind one, in the order in which they were kept. */
export async function listRejectedRows(client: pg.Client, after: string, limit: number): Promise<RejectedRow[]> {
  const { rows } = await client.query<RejectedRow>(
    `select id, table_name as "table", source_name as source, line, kind, column_name as "column", reason, row::text
     from apotheca_adopted.rejected_rows where id > $1 order by id limit $2`,
    [after, limit],
  );
  return rows;
}

/** Drops the rejected rows for good. */
export async function dropRejectedRows(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists apotheca_adopted cascade');
}
