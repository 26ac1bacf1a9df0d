import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { readRights } from './cluster/administrator-rights.ts';
import { EMPTY } from './cluster/cluster.ts';
import { quoteIdentifier } from './cluster/names.ts';
import { TENANT_GROUP } from './cluster/tenant-role.ts';
import { databaseNameOf, withDatabaseName } from './connections/connection-string.ts';
import { closeLimited, type StatementLimits } from './connections/limited-waits.ts';
import { PrimaryClient, withPrimaryClient } from './connections/primary-client.ts';
import { sessionSettings } from './connections/session-settings.ts';

interface SqlMigration {
  /** File name without its ending, '000001-access'. */
  name: string;
  text: string;
}

/** The migrations of a kind of database, in order; they are append-only. */
export function readMigrations(kind: 'platform' | 'tenant'): SqlMigration[] {
  read[kind] ??= readFolder(kind);
  return read[kind];
}

const read: { platform?: SqlMigration[]; tenant?: SqlMigration[] } = {};

function readFolder(kind: 'platform' | 'tenant'): SqlMigration[] {
  const folder = new URL(`./migrations/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), text: readFileSync(new URL(file, folder), 'utf8') }));
}

/** The newest version of the tenant schema. */
export function newestTenantSchemaVersion(): number {
  return Math.max(...readMigrations('tenant').map(versionOf));
}

/** The newest migration of the control database. */
export const newestPlatformMigration = (): string => readMigrations('platform').at(-1)?.name ?? '';

const versionOf = ({ name }: SqlMigration): number => Number.parseInt(name, 10);

/**
 * Creates the database of a connection string if it does not exist.
 * @param limits of the statements; absent: none
 * @throws PostgreSQL's error if the server cannot be reached or refuses
 */
export async function ensureDatabase(url: string, limits?: StatementLimits): Promise<void> {
  const target = new URL(url);
  const name = databaseNameOf(url);
  const client = new PrimaryClient(sessionSettings(url, 'upkeep'));
  try {
    await client.connect();
    return;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '3D000') throw error;
  } finally {
    await closeLimited(client);
  }
  target.pathname = '/postgres';
  const create = async (maintenance: pg.Client) => {
    await refuseOtherServer(maintenance);
    await maintenance.query(`create database ${pg.escapeIdentifier(name)} ${EMPTY}`).catch(ignore('42P04', '23505'));
  };
  await withClient(target.href, create, limits);
}

/** The oldest supported PostgreSQL (DECISIONS §2): in older ones every role may make objects in the schema `public`. */
export const OLDEST_SERVER = 15;

/**
 * @throws Error if the server is too old or lacks ICU, the control database is not in UTF-8, or the administrator's role lacks rights
 *   there or in that database
 */
export async function refuseUnfitServer(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await refuseOtherServer(client);
    await refuseOtherEncoding(client);
    const { roleName, missing } = await readRights(client);
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname = current_database() and not pg_has_role(datdba, 'usage')",
    );
    const lacking = [...missing, ...rows.map(({ name }) => `ownership of the database ${name}`)];
    if (lacking.length === 0) return;
    throw new Error(`its role ${roleName} lacks ${lacking.join(', ')}; README.md says which rights Apotheca needs`);
  });
}

/** @throws Error if the server is too old, or built without ICU */
async function refuseOtherServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; hasIcu: boolean }>(`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      exists (select from pg_collation where collprovider = 'i') as "hasIcu"`);
  const [server] = rows;
  if (!server) throw new Error('PostgreSQL does not know its own version');
  if (server.number < OLDEST_SERVER * 10_000)
    throw new Error(`it is PostgreSQL ${server.version}; Apotheca needs PostgreSQL ${OLDEST_SERVER} or newer`);
  if (!server.hasIcu) throw new Error('it has no ICU collations; Apotheca needs a PostgreSQL that is built with ICU');
}

/** What people type has characters of every language. @throws Error if the control database, which others may have made, does not take them all */
async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "select current_database() as name, getdatabaseencoding() as encoding where getdatabaseencoding() <> 'UTF8'",
  );
  for (const { name, encoding } of rows)
    throw new Error(`its database ${name} has the encoding ${encoding}; Apotheca needs UTF8`);
}

/**
 * Makes what tenants' databases on another server than the control database's need there.
 * @param url of the administrator's own database @param limits of the statements; absent: none
 */
export async function prepareServer(url: string, limits?: StatementLimits): Promise<void> {
  await ensureDatabase(url, limits);
  await withClient(url, (client) => client.query(PREPARE_SERVER), limits);
}

const CREATE_TENANT_GROUP = `do $$ begin
  create role ${TENANT_GROUP} nologin;
exception when duplicate_object or unique_violation then null;
end $$`;

// By default PUBLIC may connect to a new database, and so every tenant's role. Of two sessions that revoke it at once one would fail: 'tuple
// concurrently updated'.
const CLOSE_TO_PUBLIC = `do $$ begin
  perform pg_advisory_xact_lock(hashtextextended('close-database', 0));
  execute format('revoke connect, temporary on database %I from public', current_database());
end $$`;

/** Makes what tenants' databases need on a server, and closes the database that it runs in to them. */
export const PREPARE_SERVER = `${CREATE_TENANT_GROUP}; ${CLOSE_TO_PUBLIC}`;

/** The version that closes a database to PUBLIC. New databases are closed before anything else is made in them. */
const CLOSING_VERSION = 10;

interface TenantMigration {
  /** The last version to bring it to; absent: the newest. */
  upTo?: number | undefined;
  /** Longest wait for a lock, in milliseconds; absent: no limit, for databases that nobody else uses. */
  lockTimeout?: number;
  /** Stops between two versions. */
  signal?: AbortSignal;
}

/**
 * Brings a tenant's database to the newest schema, with one transaction for each version, and notes each in
 * apotheca.schema_version.
 * @param client an administrator's connection to it
 * @returns the version that it has then: of a newer release, where that has migrated it
 * @throws DatabaseError 55P03 if another session holds a lock for longer than `lockTimeout`; the earlier versions stay
 */
export async function migrateTenantSchema(
  client: pg.Client,
  { upTo = Number.POSITIVE_INFINITY, lockTimeout = 0, signal }: TenantMigration = {},
): Promise<number> {
  const known = await client.query("select to_regclass('apotheca.schema_version') is not null as exists");
  const done = known.rows[0].exists
    ? await client.query('select max(version) as version from apotheca.schema_version')
    : null;
  let current: number = done?.rows[0].version ?? 0;
  const migrations = readMigrations('tenant');
  const closing = migrations.find((migration) => versionOf(migration) === CLOSING_VERSION);
  if (!known.rows[0].exists && closing) await client.query(closing.text);
  for (const migration of migrations) {
    const { name, text } = migration;
    const version = versionOf(migration);
    if (version <= current || version > upTo) continue;
    signal?.throwIfAborted();
    await client.query(`begin; set local lock_timeout = ${lockTimeout}`);
    await client.query(text);
    await client.query('insert into apotheca.schema_version (version, name) values ($1, $2)', [version, name]);
    await client.query('commit');
    current = version;
  }
  return current;
}

/** As {@link migrateTenantSchema}, on a connection of its own. @param url connection string of an administrator */
export function migrateTenantDatabase(url: string, upTo?: number): Promise<number> {
  return withClient(url, (client) => migrateTenantSchema(client, { upTo }));
}

/**
 * Makes the template, the migrated empty database from which tenants' databases are copied, if it does not exist, and returns its
 * physical name. The name holds a digest of the migrations: a new version of the schema gets a new template, and an existing one is
 * never changed. It is built under another name and renamed at the end, so a crash leaves no half-made template.
 * @param url connection string of the control database @param limits of the statements; absent: none
 * @throws Error if it belongs to another administrator
 */
export async function ensureTenantTemplate(url: string, limits?: StatementLimits): Promise<string> {
  const digest = createHash('sha256')
    .update(JSON.stringify(readMigrations('tenant')))
    .digest('hex')
    .slice(0, 12);
  const template = `apotheca_template_${digest}`;
  const make = async (client: pg.Client) => {
    const found = await client.query<{ owner: string; isOurs: boolean }>(
      `select pg_get_userbyid(datdba) as owner, pg_has_role(datdba, 'usage') as "isOurs" from pg_database where datname = $1`,
      [template],
    );
    const [made] = found.rows;
    // What is in a copy of it would belong to that role.
    if (made && !made.isOurs)
      throw new Error(
        `the role ${made.owner} has made the template ${template} there: name that role, or drop the template as ${made.owner}`,
      );
    if (made) return;
    const draft = `${template}_${process.pid}_${Date.now()}`;
    await client.query(`create database ${quoteIdentifier(draft)} ${EMPTY}`);
    await client.query(`revoke all on database ${quoteIdentifier(draft)} from public`);
    await withClient(withDatabaseName(url, draft), (inDraft) => migrateTenantSchema(inDraft), limits);
    await client.query(`alter database ${quoteIdentifier(draft)} allow_connections false is_template true`);
    try {
      await client.query(`alter database ${quoteIdentifier(draft)} rename to ${quoteIdentifier(template)}`);
    } catch (error) {
      ignore('42P04', '23505')(error);
      // Another server process was quicker.
      await client.query(`alter database ${quoteIdentifier(draft)} is_template false`);
      await client.query(`drop database ${quoteIdentifier(draft)}`);
    }
  };
  await withClient(url, make, limits);
  return template;
}

const ignore =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!(error instanceof pg.DatabaseError) || !codes.includes(error.code ?? '')) throw error;
  };

const withClient = <T>(url: string, work: (client: pg.Client) => Promise<T>, limits?: StatementLimits): Promise<T> =>
  withPrimaryClient(sessionSettings(url, 'change'), work, limits);
