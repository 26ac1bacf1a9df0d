import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../config.ts';
import { findPostgresTools } from '../db/client-programs/postgres-tools.ts';
import { describeHosts } from '../db/connections/connection-string.ts';
import { PrimaryClient, withPrimaryClient } from '../db/connections/primary-client.ts';
import { sessionSettings } from '../db/connections/session-settings.ts';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { reasonOf } from '../db/errors/connection-problems.ts';
import { ensureDatabase, refuseUnfitServer } from '../db/migrate.ts';
import { loadControlDump } from '../features/databases/backups/installation/installation-dump.ts';
import { RecoveryError } from './recovery-error.ts';
import type { OpenedInstallation } from './stored-installation.ts';

/** PostgreSQL's address without credentials. */
export function describePostgres({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === undefined) return 'embedded';
  return describeHosts(databaseUrl) + new URL(databaseUrl).pathname;
}

/** PostgreSQL, and the one session that says that a recovery is under way. */
interface RunningPostgres {
  url: string;
  stop(): Promise<void>;
}

/** Refuses a database of DATABASE_URL that has anything in it. @throws RecoveryError */
export async function refuseUsedDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  if (databaseUrl === undefined) return;
  try {
    await withPrimaryClient(sessionSettings(databaseUrl, 'upkeep', 'apotheca recovery'), async (client) => {
      if (!(await isEmpty(client))) throw used(databaseUrl);
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '3D000') return;
    if (error instanceof RecoveryError) throw error;
    throw new RecoveryError(`DATABASE_URL (${describeHosts(databaseUrl)}) cannot be used: ${reasonOf(error)}`);
  }
}

/** Starts the embedded PostgreSQL, where none is configured. @param password of its superuser */
export async function startPostgres(config: Config, password: string): Promise<RunningPostgres> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} };
  const dataDir = join(config.dataDir, 'postgres');
  return startEmbeddedPostgres({ dataDir, password }).catch((error: Error) => {
    throw new RecoveryError(error.message);
  });
}

/** Held while a recovery works on a control database. */
const LOCK = 7_206_436;

/**
 * Loads the control database, unless an earlier run of this recovery has. A mark on it tells a part of it from all of it.
 * @param object the backup's name, by which the database says whose it is
 * @param onLost told when PostgreSQL ends the session that holds the database
 * @returns ends the hold on the database, and throws where PostgreSQL has ended it
 * @throws RecoveryError when it has something else, or when another recovery works on it
 */
export async function loadControlDatabase(
  config: Config,
  url: string,
  {
    object,
    installation,
    onLost,
  }: { object: string; installation: OpenedInstallation; onLost(error: RecoveryError): void },
): Promise<() => Promise<void>> {
  await ensureDatabase(url);
  await refuseUnfitServer(url);
  const client = new PrimaryClient(sessionSettings(url, 'upkeep', 'apotheca recovery'));
  await client.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [LOCK]);
    if (!rows[0].locked) throw new RecoveryError('Another recovery is under way');
    const [begun, done] = [`Being recovered by Apotheca from ${object}`, `Recovered by Apotheca from ${object}`];
    const found = await markOf(client);
    if (found === begun || (await isEmpty(client))) {
      const { rows: versions } = await client.query('show server_version_num');
      const tools = await findPostgresTools(config.pgBinDir, Math.floor(versions[0].server_version_num / 10_000));
      await mark(client, begun);
      // An earlier run was killed, or failed, in the middle of it.
      if (found === begun) await empty(client);
      await loadControlDump(tools, url, installation.path);
      await mark(client, done);
    } else if (found !== done) throw used(url);
    const lost = new RecoveryError('PostgreSQL has ended: run it again, it goes on where it was');
    const tellLost = () => onLost(lost);
    client.on('end', tellLost);
    return async () => {
      client.off('end', tellLost);
      // What failed before the end of this session was told has failed for this reason.
      await client.query('select').catch(() => Promise.reject(lost));
      await client.end();
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%' limit 1`);
  return rowCount === 0;
}

/** Drops all that a part of a dump can have made in a database that was empty before. */
async function empty(client: pg.Client): Promise<void> {
  await client.query(`
    do $$ declare
      made record;
    begin
      for made in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
        execute format('drop schema %I cascade', made.nspname);
      end loop;
      create schema public authorization pg_database_owner;
      grant usage on schema public to public;
    end $$`);
}

async function mark(client: pg.Client, text: string): Promise<void> {
  await client.query(
    `do $$ begin execute format('comment on database %I is %L', current_database(), ${pg.escapeLiteral(text)}); end $$`,
  );
}

async function markOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query(
    "select shobj_description(oid, 'pg_database') as mark from pg_database where datname = current_database()",
  );
  return rows[0].mark;
}

const used = (url: string) =>
  new RecoveryError(
    `The database ${new URL(url).pathname.slice(1)} has something in it already: recovery works into an empty one only`,
  );
