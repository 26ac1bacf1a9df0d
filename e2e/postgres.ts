import pg from 'pg';
import { postgresUrl } from './server.ts';

/** Runs one statement as PostgreSQL's superuser. @returns its rows */
export async function query(database: string, text: string, values: unknown[] = []) {
  const client = await connect(database);
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The physical name of a database, from the registry. */
export const physicalName = async (name: string) =>
  (await query('apotheca', 'select physical_name from databases where name = $1', [name]))[0]?.physical_name;

/**
 * Locks a table against all readers, so that a reader of the whole database waits at it.
 * @returns releases the lock
 */
export async function lockTable(database: string, table: string): Promise<() => Promise<void>> {
  const client = await connect(database);
  await client.query(`begin; lock table ${pg.escapeIdentifier(table)} in access exclusive mode`);
  return () => client.end();
}

/** Runs `work` while no other test runs such work: what the server does once at a time for all people. @param name of that work */
export async function inTurn(name: string, work: () => Promise<void>): Promise<void> {
  const client = await connect('postgres');
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    await work();
  } finally {
    await client.end();
  }
}

/** A bulk of databases waits for no other: it is refused. And a person has one plan of it at a time, which its dialog makes as it opens. */
export const MANY_DATABASES = 'many databases';

const SEARCHED = ['public', 'apotheca', 'apotheca_purged'];

/**
 * The tables of a database that contain a text anywhere in a row; `statistics` where the planner's samples contain it.
 */
export async function placesOf(database: string, text: string): Promise<string[]> {
  const client = await connect(database);
  try {
    const { rows: tables } = await client.query(
      "select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text = any($1)",
      [SEARCHED],
    );
    const places: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await client.query(`select from ${name} t where t::text ilike $1 limit 1`, [`%${text}%`]);
      if (rowCount) places.push(name);
    }
    const { rowCount } = await client.query(
      'select from pg_stats where schemaname = any($1) and concat(most_common_vals, histogram_bounds) ilike $2 limit 1',
      [SEARCHED, `%${text}%`],
    );
    return rowCount ? [...places, 'statistics'] : places;
  } finally {
    await client.end();
  }
}

/** Runs one statement as whoever a connection string names. @returns its rows */
export async function queryAs(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgresUrl(database) });
  await client.connect();
  return client;
}
