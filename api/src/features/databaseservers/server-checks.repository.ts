import { type CheckedPoint, type CheckPoint, CLOCK_LIMIT } from '@apotheca/contract/databaseservers';
import pg from 'pg';
import { type AdministratorRights, countForeign, readRights } from '../../db/cluster/administrator-rights.ts';
import { markFor } from '../../db/cluster/ownership-mark.ts';
import { databaseNameOf, withDatabaseName } from '../../db/connections/connection-string.ts';
import { PrimaryClient } from '../../db/connections/primary-client.ts';
import { sessionSettings } from '../../db/connections/session-settings.ts';
import { reasonOf } from '../../db/errors/connection-problems.ts';
import { OLDEST_SERVER } from '../../db/migrate.ts';
import { counted } from '../../wording.ts';

/** How long a server may take to be reached, in milliseconds. */
const REACH_LIMIT = 2_500;
/** How long each of its answers may take, in milliseconds. */
const ANSWER_LIMIT = 2_500;
/** How long a server looks for the free room of its disk, in milliseconds: it ends by itself what nobody waits for any more. */
const DISK_LIMIT = 2_000;

/** What was found out about a server. */
export interface Checked {
  points: CheckedPoint[];
  /** By which PostgreSQL tells one cluster from another; null: it does not say. */
  systemIdentifier: string | null;
}

/** What a server is compared with. */
export interface Surroundings {
  /** The moment at which it is asked, by the control database's clock. */
  now(): Promise<Date>;
  /** The name of another record of the same cluster; undefined: there is none. */
  findTwin(systemIdentifier: string): Promise<string | undefined>;
  /** How much is free on its disk; undefined where nobody tells. It never rejects. */
  findFreeDisk(): Promise<FreeDisk | undefined>;
}

/** Free bytes on the disk of a server, or why they are not known. */
export type FreeDisk = { bytes: number } | { unknown: string };

interface Facts {
  version: number;
  versionText: string;
  rights: AdministratorRights;
  /** What of this installation's another role has made there. */
  foreign: { databases: number; roles: number };
  hasIcu: boolean;
  systemIdentifier: string | null;
}

/**
 * Checks a server point by point. One that cannot be reached has the first point only.
 * @param url connection string of the administrator to the installation's own database there, which may not be there yet
 * @throws what it is compared with throws: that the control database is away says nothing of the server
 */
export async function checkServer(url: string, { now, findTwin, findFreeDisk }: Surroundings): Promise<Checked> {
  const freeDisk = findFreeDisk();
  const answer = await askServer(url);
  if ('problem' in answer) return { systemIdentifier: null, points: [point('reached', false, answer.problem)] };
  const { facts, at } = answer;
  const skew = (at.getTime() - (await now()).getTime()) / 1000;
  const twin = facts.systemIdentifier === null ? undefined : await findTwin(facts.systemIdentifier);
  return {
    systemIdentifier: facts.systemIdentifier,
    points: [
      point('reached', true, `PostgreSQL ${facts.versionText} answers`),
      point(
        'version',
        facts.version >= OLDEST_SERVER,
        `PostgreSQL ${facts.versionText}; ${OLDEST_SERVER} or newer is needed`,
      ),
      checkRights(facts),
      point('icu', facts.hasIcu, facts.hasIcu ? 'Built with ICU' : 'Built without ICU'),
      point('clock', Math.abs(skew) <= CLOCK_LIMIT, `${Math.abs(skew).toFixed(1)} s from the control database's clock`),
      checkCluster(facts, twin),
      checkDisk(await freeDisk),
    ],
  };
}

/** What a server says of itself, and then its clock; or why it does not. */
async function askServer(url: string): Promise<{ facts: Facts; at: Date } | { problem: string }> {
  const read = async (client: pg.Client) => {
    const facts = await readFacts(client, markFor(databaseNameOf(url)));
    return { facts, at: await readMoment(client) };
  };
  return withExaminer(url, read).catch((error: unknown) => ({ problem: reasonOf(error) }));
}

/** A session with a server that waits no longer than a check may take. @throws what connecting and `examine` throw */
async function withExaminer<T>(url: string, examine: (client: pg.Client) => Promise<T>): Promise<T> {
  // Each server has this database.
  const settings = sessionSettings(withDatabaseName(url, 'postgres'), 'upkeep');
  const client = new PrimaryClient({ ...settings, connectionTimeoutMillis: REACH_LIMIT, query_timeout: ANSWER_LIMIT });
  try {
    await client.connect();
    return await examine(client);
  } finally {
    // One that does not answer would not answer this either.
    client.end().catch(() => {});
  }
}

/**
 * The relation by which a server tells the free bytes of its disk, in its column `bytes`. PostgreSQL has no function for it, so whoever runs
 * the server makes it in the database `postgres`: a foreign table over df, or a table that something else fills (docs/operations.md).
 */
const FREE_DISK = 'apotheca_free_disk';

/**
 * Asks a server how much is free on its disk. In a session of its own: df waits for a disk that has gone, and no other point of a check shall
 * wait for df.
 * @param url connection string of the administrator
 * @returns undefined where the server does not tell
 */
export function askFreeDisk(url: string): Promise<FreeDisk | undefined> {
  const read = async (client: pg.Client): Promise<FreeDisk | undefined> => {
    await client.query(`set statement_timeout = ${DISK_LIMIT}`);
    // To read a view is to run it. So it counts only where whoever made it may do as much as this session.
    const made = await client.query(
      `select from pg_class join pg_roles as owner on owner.oid = relowner
       where relnamespace = 'public'::regnamespace and relname = $1 and (owner.rolsuper or owner.rolname = current_user)`,
      [FREE_DISK],
    );
    if (made.rowCount === 0) return undefined;
    const { rows } = await client.query<{ bytes: string | null }>(
      `select bytes::bigint::text as bytes from public.${FREE_DISK} limit 1`,
    );
    const bytes = rows[0]?.bytes ?? null;
    return bytes === null ? { unknown: `${FREE_DISK} is empty` } : { bytes: Number(bytes) };
  };
  return withExaminer(url, read).catch((error: unknown) => ({ unknown: reasonOf(error) }));
}

const point = (name: CheckPoint, passed: boolean | null, detail: string): CheckedPoint => ({
  point: name,
  passed,
  detail,
});

function checkRights({ rights, foreign }: Facts): CheckedPoint {
  if (rights.isSuperuser) return point('rights', true, 'Superuser');
  const missing = [
    ...rights.missing,
    ...(foreign.databases === 0 ? [] : [`ownership of ${counted(foreign.databases, 'database')} of Apotheca`]),
    ...(foreign.roles === 0 ? [] : [`ADMIN OPTION on ${counted(foreign.roles, 'role')} of Apotheca`]),
  ];
  if (missing.length > 0) return point('rights', false, `Lacks ${missing.join(', ')}`);
  return point(
    'rights',
    true,
    rights.seesSessions ? 'No superuser' : 'No superuser, nor a member of pg_read_all_stats',
  );
}

function checkCluster({ systemIdentifier }: Facts, twin: string | undefined): CheckedPoint {
  if (systemIdentifier === null) return point('cluster', null, 'PostgreSQL does not say which cluster it is');
  return point(
    'cluster',
    twin === undefined,
    twin === undefined ? 'No other record has it' : `It is the cluster of ${twin}`,
  );
}

const GIGABYTE = 1_000_000_000;
/** With less than this free a disk counts as full, in bytes. */
const FULL = 256 * 1024 ** 2;

function checkDisk(free: FreeDisk | undefined): CheckedPoint {
  if (free === undefined) return point('disk', null, 'Not known: PostgreSQL does not tell');
  if ('unknown' in free) return point('disk', null, `Not known: ${free.unknown}`);
  return point('disk', free.bytes >= FULL, `${(free.bytes / GIGABYTE).toFixed(1)} GB free`);
}

async function readFacts(client: pg.Client, mark: string): Promise<Facts> {
  const { rows } = await client.query<Pick<Facts, 'version' | 'versionText' | 'hasIcu'>>(`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('server_version') as "versionText",
      exists (select from pg_collation where collprovider = 'i') as "hasIcu"`);
  const [facts] = rows;
  if (!facts) throw new Error('PostgreSQL does not know its own version');
  return {
    ...facts,
    rights: await readRights(client),
    foreign: await countForeign(client, mark),
    systemIdentifier: await readIdentifier(client),
  };
}

/**
 * Whether a server has one of some databases, by their names in PostgreSQL.
 * @param url connection string of the administrator
 * @throws what connecting throws
 */
export function hasOneOf(url: string, physicalNames: readonly string[]): Promise<boolean> {
  return withExaminer(url, async (client) => {
    const found = await client.query('select from pg_database where datname = any($1) limit 1', [physicalNames]);
    return found.rowCount === 1;
  });
}

/** Some services forbid the function. */
async function readIdentifier(client: pg.Client): Promise<string | null> {
  const { rows } = await client
    .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError) return { rows: [] };
      throw error;
    });
  return rows[0]?.id ?? null;
}

/** The server's own clock. */
async function readMoment(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  if (!rows[0]) throw new Error('PostgreSQL does not know the time');
  return rows[0].at;
}
