import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type pg from 'pg';
import { MOST_NUMBERS, mergeTableChanges, type ReadTables, VERSION } from './json-list.ts';

/** Most queries at a time: while one is answered the server has the callers of the one before to answer. */
const AT_ONCE = 2;

/**
 * Reads the version of tables for callers of whom nothing else is read. Who asks while enough queries are under way shares the next one with
 * all others who do, and with whose calls arrive in the same turn of the event loop: so none is given a version from before their call,
 * and many at once cost few queries.
 */
export function makeVersionReader(pool: pg.Pool, tables: ReadTables): () => Promise<string> {
  const turn = pLimit(AT_ONCE);
  let next: Promise<string> | undefined;
  return () => {
    next ??= turn(async () => {
      await setImmediate();
      next = undefined;
      return readVersion(pool, tables);
    });
    return next;
  };
}

async function readVersion(pool: pg.Pool, tables: ReadTables): Promise<string> {
  const text = `select ${VERSION} from table_changes where table_name = any ($1::text[])`;
  const { rows } = await pool.query<{ version: string; numbers: number }>({
    name: 'table-version',
    text,
    values: [tables],
  });
  const [{ version, numbers } = { version: '', numbers: 0 }] = rows;
  // Reading goes on where nothing can be written, such as on a full disk.
  if (numbers > MOST_NUMBERS) await mergeTableChanges(pool, tables).catch(() => {});
  return version;
}
