import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** How many statements are prepared at most: each takes memory in every connection that runs it. */
const MOST = 300;
/** Longer statements hold a list of rows, and are hardly ever used twice. */
const MAX_LENGTH = 10_000;
/** How many statements are remembered until their second use. */
const MOST_SEEN = 1_000;

/**
 * A list of columns that is whatever the table has. With each column that a newer version adds, a connection that has prepared such a statement
 * would refuse it: 'cached plan must not change result type'.
 */
const ANY_COLUMNS = /\b(select|distinct|returning)\s+\*|[.,]\s*\*/i;

const names = new Map<string, string>();
const seen = new Set<string>();

/**
 * A statement that a connection parses and plans only once (PostgreSQL: PREPARE), from its second use on. For many of ours, parsing
 * and planning take longer than running. One whose columns are not named is parsed each time.
 */
export function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  return { name: values.length > 0 ? nameOf(text) : undefined, text, values: [...values] };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size === MOST || text.length > MAX_LENGTH || ANY_COLUMNS.test(text)) return known;
  if (!seen.delete(text)) {
    if (seen.size === MOST_SEEN) seen.clear();
    seen.add(text);
    return undefined;
  }
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** A pool whose statements are {@link prepared}, as Kysely takes it. */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? preparingClient(client);
      clients.set(client, known);
      return known;
    },
  };
}

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) => client.query(prepared(text, values));
  // The other signature is for cursors, which are not used here.
  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
}
