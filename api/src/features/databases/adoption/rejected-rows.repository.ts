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

/** How many bytes of rows are read at once, with one row above that: a row may have pictures. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/**
 * Rejected rows behind one, in the order in which they were kept: as many as fit into memory.
 * @param limit how many at most
 */
export async function listRejectedRows(client: pg.Client, after: string, limit: number): Promise<RejectedRow[]> {
  const { rows } = await client.query<RejectedRow>(
    // One after another: a sum over all that follow would unpack every one of them.
    `with recursive page (id, rows, bytes) as (
       select $1::bigint, 0, 0::bigint
       union all
       select next.id, page.rows + 1, page.bytes + next.bytes
       from page cross join lateral (
         select r.id, octet_length(r.row::text) + octet_length(r.reason) as bytes
         from apotheca_adopted.rejected_rows r where r.id > page.id order by r.id limit 1
       ) next
       where page.rows < $2 and page.bytes < ${BYTES_AT_ONCE}
     )
     select id, table_name as "table", source_name as source, line, kind, column_name as "column", reason, row::text
     from apotheca_adopted.rejected_rows where id > $1 and id <= (select max(id) from page) order by id`,
    [after, limit],
  );
  return rows;
}

/** Drops the rejected rows for good. */
export async function dropRejectedRows(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists apotheca_adopted cascade');
}
