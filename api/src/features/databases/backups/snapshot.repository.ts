import type pg from 'pg';

/**
 * Runs `work` in a transaction with a snapshot that other sessions can use.
 * @param work gets the snapshot's name, for pg_dump
 * @param exported the name of one that another session has; absent: a new one
 */
export async function inSnapshot<T>(
  client: pg.Client,
  work: (snapshot: string) => Promise<T>,
  exported?: string,
): Promise<T> {
  await client.query('begin isolation level repeatable read read only');
  if (exported !== undefined) await client.query(`set transaction snapshot '${exported}'`);
  // The session is idle while pg_dump works.
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const result = await work(exported ?? (await exportSnapshot(client)));
  await client.query('commit');
  return result;
}

async function exportSnapshot(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
  return rows[0]?.snapshot ?? '';
}

/** The size in bytes of each table of `public`, by name. */
export async function measureTables(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; size: number }>(`
    select relname as name, pg_table_size(oid)::float8 as size
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  return new Map(rows.map(({ name, size }) => [name, size]));
}

/** How many large objects a database has. */
export async function countLargeObjects(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from pg_largeobject_metadata');
  return rows[0]?.count ?? 0;
}
