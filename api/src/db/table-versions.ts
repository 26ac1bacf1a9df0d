import type pg from 'pg';
import { MOST_NUMBERS, mergeTableChanges, type ReadTables, VERSION } from './json-list.ts';
import { shareQuery } from './shared-query.ts';

/** Reads the version of tables for callers of whom nothing else is read, at once for all who call at the same time. */
export function makeVersionReader(pool: pg.Pool, tables: ReadTables): () => Promise<string> {
  const read = shareQuery<undefined, string>(async (questions) => {
    const version = await readVersion(pool, tables);
    return questions.map(() => version);
  });
  return () => read(undefined);
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
