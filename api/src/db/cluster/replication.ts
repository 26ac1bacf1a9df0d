import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { withDatabaseName } from '../connections/connection-string.ts';
import { closeLimited, connectLimited, limitStatements, type StatementLimits } from '../connections/limited-waits.ts';
import { PrimaryClient } from '../connections/primary-client.ts';
import { primaryOf } from '../connections/primary-hosts.ts';
import { sessionSettings } from '../connections/session-settings.ts';
import { identifier, literal, quoteIdentifier } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import { scramVerifier } from './scram.ts';
import type { ClusterSession } from './session.ts';

/** How long the end of a session of replication is waited for, in milliseconds. */
const ENDING = 5_000;
/** How long the server of a copy may take to reach the one of its source, in milliseconds: while somebody waits for the answer, and afterwards. */
export const REACHING = { call: 5_000, operation: 30_000 };

/** The name of an operation's publication, slot, subscription and role. */
export const replicationName = (operationId: string): string => `move_${operationId.replaceAll('-', '')}`;

/** A slot that keeps every change since a moment, and a snapshot of that moment. */
export interface SnapshotSlot {
  snapshot: string;
  /** The snapshot can be used until then; the slot stays. */
  release(): Promise<void>;
}

/**
 * Makes a slot of logical replication. PostgreSQL first waits for the transactions that are running anywhere on the server.
 * @param server with the administrator's connection string @param whileMade runs the statement, which waits; it gets the process id of its session
 * @see https://www.postgresql.org/docs/15/protocol-replication.html
 */
export async function makeSnapshotSlot(
  { url, limits }: { url: string; limits: StatementLimits },
  { physicalName, name }: { physicalName: string; name: string },
  whileMade: <T>(pid: number, make: () => Promise<T>) => Promise<T>,
): Promise<SnapshotSlot> {
  const settings = { ...sessionSettings(withDatabaseName(url, physicalName), 'change', name), replication: 'database' };
  const client = new PrimaryClient(settings);
  await connectLimited(client, limits.pulse);
  limitStatements(client, limits);
  const release = () => closeLimited(client);
  try {
    // The session is idle for as long as its snapshot is used. The transactions that are waited for are waited for by their locks.
    await client.query('set idle_in_transaction_session_timeout = 0; set lock_timeout = 0');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    // These commands are read in capitals only.
    const making = `CREATE_REPLICATION_SLOT ${quoteIdentifier(name)} LOGICAL pgoutput (SNAPSHOT 'export')`;
    const made = await whileMade(rows[0]?.pid ?? 0, () => client.query<{ snapshot_name: string }>(making));
    return { snapshot: made.rows[0]?.snapshot_name ?? '', release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The slots by which others than moves read the changes of a database. */
export async function listSlots(cluster: ClusterSession, physicalName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select slot_name as name from pg_replication_slots
    where database = ${physicalName} and not temporary and slot_name !~ '^move_' order by 1`.execute(cluster);
  return rows.map(({ name }) => name);
}

/** Ends the session that reads a slot, and that which has made it where its link was lost, and drops the slot, if it exists. */
export async function dropSlot(cluster: ClusterSession, name: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, ${sql.raw(String(ENDING))}) from pg_stat_activity
    where backend_type = 'walsender' and application_name = ${name}
      or pid in (select active_pid from pg_replication_slots where slot_name = ${name})`.execute(cluster);
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ${name}`.execute(
    cluster,
  );
}

/**
 * Makes a role by which another server reads the changes of one database, and nothing else. Its password is in that server's catalogue.
 * @returns its password
 */
export async function makeReplicationRole(
  cluster: ClusterSession,
  { name, physicalName }: { name: string; physicalName: string },
): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const mark = `${await ownershipMark(cluster)}, for a move`;
  await sql`
    create role ${identifier(name)} login replication password ${literal(scramVerifier(password))};
    comment on role ${identifier(name)} is ${literal(mark)};
    grant connect on database ${identifier(physicalName)} to ${identifier(name)}`.execute(cluster);
  return password;
}

/** Drops that role, if it exists. */
async function dropReplicationRole(cluster: ClusterSession, name: string): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(cluster);
  if (rows.length === 0) return;
  // DROP OWNED also takes the right to connect.
  await sql`drop owned by ${identifier(name)}; drop role ${identifier(name)}`.execute(cluster);
}

/** Ends what the server of a source keeps for the copy of an operation: drops slot and role, if they exist. */
export async function endReplication(cluster: ClusterSession, operationId: string): Promise<void> {
  const name = replicationName(operationId);
  await dropSlot(cluster, name);
  await dropReplicationRole(cluster, name);
}

/** Who reads the changes of which database. */
export interface Reader {
  /** Connection string of the administrator of the server that has the changes. */
  url: string;
  physicalName: string;
  user: string;
  password?: string;
}

/**
 * How another server reaches a database: of several hosts the primary, where its slot and publication were made. It has no file of a CA:
 * instead of it, the password is bound to the TLS channel.
 */
function connectionOf({ url, physicalName, user, password }: Reader): string {
  const { host, port } = primaryOf(url);
  const mode = new URL(url).searchParams.get('sslmode') ?? 'prefer';
  const isVerified = mode.startsWith('verify');
  const parameters = {
    host,
    port: String(port),
    dbname: physicalName,
    user,
    ...(password !== undefined && { password }),
    sslmode: isVerified ? 'require' : mode,
    ...(isVerified && { channel_binding: 'require' }),
  };
  return Object.entries(parameters)
    .map(([key, value]) => `${key}='${value.replace(/[\\']/g, '\\$&')}'`)
    .join(' ');
}

/** What PostgreSQL says to somebody whom it asks for a password: it was reached. */
const ASKED_FOR_PASSWORD = /no password supplied|password authentication failed/;

/**
 * Whether a server reaches another one. It asks without a password where there is none yet: so it is not let in, and nothing stays. With one
 * it has to be let into the database.
 *
 * PostgreSQL heeds no `connect_timeout` there, so a way on which nothing comes back is ended as a statement.
 * @param within how long it may take, in milliseconds @returns why not; undefined where it does
 * @see https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNECT-CONNECT-TIMEOUT
 */
export async function findUnreachable(
  cluster: ClusterSession,
  other: Reader,
  within = REACHING.call,
): Promise<string | undefined> {
  // Of a name of its own: probes of one name would wait for each other.
  const subscribing = `create subscription apotheca_probe_${randomBytes(8).toString('hex')} connection ${pg.escapeLiteral(connectionOf(other))}
    publication none with (enabled = false, create_slot = false, copy_data = false)`;
  const answers = (text: string) => `perform set_config('apotheca.probe', ${text}, true);`;
  // Within PostgreSQL, as its error would look like that of a lost connection to itself.
  const probe = `begin ${subscribing}; exception
    when query_canceled then
      if sqlerrm !~ 'statement timeout' then raise; end if;
      ${answers("'timeout expired'")}
    when others then ${answers('sqlerrm')} end`;
  let answer = '';
  await cluster
    .transaction()
    .execute(async (trx) => {
      // The reason is compared, so it is in no other language.
      await sql`
        select set_config('apotheca.probe', '', true), set_config('lc_messages', 'C', true),
          set_config('statement_timeout', ${String(within)}, true)`.execute(trx);
      await sql`do ${literal(probe)}`.execute(trx);
      const { rows } = await sql<{ answer: string }>`select current_setting('apotheca.probe') as answer`.execute(trx);
      answer = rows[0]?.answer ?? '';
      throw new ProbeEnded();
    })
    .catch((error: unknown) => {
      if (!(error instanceof ProbeEnded)) throw error;
    });
  // From 18 on PostgreSQL names the subscription, which nobody will find.
  answer = answer.replace(/^subscription "apotheca_probe_\w+" /, '');
  const isReached = answer === '' || (other.password === undefined && ASKED_FOR_PASSWORD.test(answer));
  return isReached ? undefined : answer;
}

/** Rolls a probe back. */
class ProbeEnded extends Error {}

/** Ends that the changes of a database are published. @param client the administrator's session in it */
export async function unpublish(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop publication if exists ${quoteIdentifier(name)}`);
}

/**
 * Lets a copy follow its source by the slot of that name.
 * @param client the administrator's session in the copy, which has no limit of its own @throws the error of PostgreSQL, also where the source is not reached in time
 */
export async function subscribe(client: pg.Client, name: string, source: Required<Reader>): Promise<void> {
  await client.query(`
    begin; set local statement_timeout = ${REACHING.operation};
    create subscription ${quoteIdentifier(name)} connection ${pg.escapeLiteral(connectionOf(source))}
    publication ${quoteIdentifier(name)}
    with (create_slot = false, slot_name = ${pg.escapeLiteral(name)}, copy_data = false, synchronous_commit = off);
    commit`);
}

/** Ends what a database follows, and leaves the slot there. @param client the administrator's session in it */
export async function unsubscribe(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select subname as name from pg_subscription
    where subdbid = (select oid from pg_database where datname = current_database())`);
  for (const { name } of rows) {
    const subscription = pg.escapeIdentifier(name);
    await client.query(`alter subscription ${subscription} disable`);
    await client.query(`alter subscription ${subscription} set (slot_name = none)`);
    await client.query(`drop subscription ${subscription}`);
  }
}

/** Those of some databases that follow another one: PostgreSQL drops none of them. */
export async function listFollowing(cluster: ClusterSession, physicalNames: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct d.datname as name from pg_subscription s join pg_database d on d.oid = s.subdbid
    where d.datname = any(${physicalNames})`.execute(cluster);
  return rows.map(({ name }) => name);
}
