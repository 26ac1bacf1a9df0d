import { sql } from 'kysely';
import type pg from 'pg';
import type { ClusterSession } from '../../../db/cluster/session.ts';
import { countLargeObjects } from '../backups/snapshot.repository.ts';

/** What a server has to do with logical replication. */
export interface ReplicationFacts {
  /** Its major version. */
  version: number;
  walLevel: string;
  isSuperuser: boolean;
  /** How many slots and origins, sessions that send changes, and workers that take them over, it has left. */
  freeSlots: number;
  freeSenders: number;
  freeWorkers: number;
}

export async function readReplicationFacts(cluster: ClusterSession): Promise<ReplicationFacts> {
  const { rows } = await sql<ReplicationFacts>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('wal_level') as "walLevel",
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      current_setting('max_replication_slots')::int - greatest((select count(*) from pg_replication_slots),
        (select count(*) from pg_subscription))::int as "freeSlots",
      current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication)::int as "freeSenders",
      current_setting('max_logical_replication_workers')::int
        - (select count(*) from pg_subscription where subenabled)::int as "freeWorkers"`.execute(cluster);
  const [facts] = rows;
  if (!facts) throw new Error('PostgreSQL does not know its own settings');
  return facts;
}

/** How many moves at once a server has slots, origins, senders and workers for, whichever of its ends it is. Those that go on are not counted as used up. */
export async function countPossibleMoves(cluster: ClusterSession): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with used as (
      select (select count(*) from pg_replication_slots where slot_name !~ ${OF_MOVES}) as slots,
        (select count(*) from pg_stat_replication where application_name !~ ${OF_MOVES}) as senders,
        (select count(*) from pg_subscription where subname !~ ${OF_MOVES}) as subscriptions
    )
    select least(current_setting('max_replication_slots')::int - greatest(slots, subscriptions),
      current_setting('max_wal_senders')::int - senders,
      current_setting('max_logical_replication_workers')::int - subscriptions)::int as count
    from used`.execute(cluster);
  return rows[0]?.count ?? 0;
}

/** What a move has made, and its sessions: the one that makes a slot has Apotheca's name, that of a copy the name of its subscription. */
const OF_MOVES = '^(move_|apotheca)';

/** Those of some roles that a server does not have. */
export async function listMissingRoles(cluster: ClusterSession, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) name where not exists (select from pg_roles where rolname = name)
    order by 1`.execute(cluster);
  return rows.map(({ name }) => name);
}

/** What of a database replication does not carry by itself. */
export interface Uncarried {
  /** Tables whose rows nothing tells from one another, or that are in no write-ahead log. */
  tablesWithoutKey: string[];
  sequences: number;
  largeObjects: number;
}

/** The schemas whose tables stand still while an operation works on the database: what purges and adoptions keep. */
const STANDING_STILL =
  "n.nspname ~ '^pg_' or n.nspname in ('information_schema', 'apotheca_purged', 'apotheca_adopted')";

/** Whether PostgreSQL can say in the log which row of a table `c` was changed: by a key that is deferrable it cannot. */
const HAS_IDENTITY = `c.relpersistence = 'p' and (c.relreplident = 'f' or exists (
  select from pg_index i where i.indrelid = c.oid and i.indimmediate and i.indisvalid
    and case c.relreplident when 'i' then i.indisreplident when 'd' then i.indisprimary else false end))`;

const TABLES = `from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence <> 't' and not (${STANDING_STILL})`;

export async function readUncarried(client: pg.Client): Promise<Uncarried> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as name
     ${TABLES} and not (${HAS_IDENTITY}) order by 1`,
  );
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from pg_class where relkind = 'S' and relpersistence <> 't'",
  );
  return {
    tablesWithoutKey: tables.map(({ name }) => name),
    sequences: rows[0]?.count ?? 0,
    largeObjects: await countLargeObjects(client),
  };
}

/** Publishes every change of a database's tables. */
export async function publish(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ tables: string }>(
    `select string_agg(format('%I.%I', n.nspname, c.relname), ', ') as tables ${TABLES}`,
  );
  await client.query(`create publication ${name} for table ${rows[0]?.tables}`);
}
