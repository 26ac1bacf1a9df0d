import type pg from 'pg';
import { IS_CLIENT, IS_IDLE } from '../../../db/cluster/client-sessions.ts';
import { isLockTimeout } from '../../../db/errors/postgres-errors.ts';
import { queryEach } from '../../../db/tenant-connection.ts';
import type { TableChecksum } from '../backups/archive/archive-manifest.ts';
import { listAllTables, readChecksumsAtOnce, readWaitingChecksums } from '../backups/checksums.repository.ts';
import { inSnapshot } from '../backups/snapshot.repository.ts';

/** Rows and checksum of every table. @param client a session in a transaction */
export async function readAllChecksums(client: pg.Client): Promise<TableChecksum[]> {
  return readWaitingChecksums(client, await listAllTables(client));
}

/**
 * Rows of every table, and the checksum of those that were written since a moment: a copy of that moment was compared as a whole, so this is
 * enough, and takes a fraction of the time.
 * @param since a condition on a row `t`
 */
export function readChanges(client: pg.Client, since: string): Promise<TableChecksum[]> {
  return inSnapshot(client, async () => {
    await client.query('set local jit = off');
    return readChecksumsAtOnce(client, await listAllTables(client), since);
  });
}

const XIDS = 2n ** 32n;

/** The 32 bits of a transaction's number that its rows have. */
const xidOf = (number: string): string => (BigInt(number) % XIDS).toString();

/**
 * What is true of a row `t` that a snapshot does not show, as its transaction ended later. The numbers of transactions come round, so they are
 * compared by their ages. A frozen row keeps its number: one of more than 2^31 transactions ago has a negative age, which no other row has that a
 * statement sees.
 * @param client a session in the transaction of the snapshot
 * @see https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT
 */
export async function readWrittenSince(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ end: string; running: string[] }>(`
    select pg_snapshot_xmax(pg_current_snapshot())::text as "end",
      array(select pg_snapshot_xip(pg_current_snapshot())::text) as running`);
  const { end = '0', running = [] } = rows[0] ?? {};
  return writtenFrom(xidOf(end), running.map(xidOf));
}

/** The same of every transaction that begins from now on. */
export async function readWrittenFromNow(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>('select pg_current_xact_id()::text as now');
  return writtenFrom(xidOf(rows[0]?.now ?? '0'), []);
}

const writtenFrom = (xid: string, running: readonly string[]): string =>
  `(pg_catalog.age(t.xmin) between 0 and pg_catalog.age('${xid}'::pg_catalog.xid) or t.xmin = any('{${running.join(',')}}'::pg_catalog.xid[]))`;

/** Where a sequence stands. */
export interface SequenceState {
  /** As SQL writes it. */
  sequence: string;
  value: string;
  isCalled: boolean;
}

export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ sequence: string }>(`
    select format('%I.%I', n.nspname, c.relname) as sequence
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and c.relpersistence <> 't' order by 1`);
  if (rows.length === 0) return [];
  const statements = rows.map(
    ({ sequence }) => `select last_value::text as value, is_called as "isCalled" from ${sequence}`,
  );
  const states = [await queryEach(client, statements)].flat();
  return rows.map(({ sequence }, place) => ({ sequence, ...states[place]?.rows[0] }));
}

export async function setSequences(client: pg.Client, states: readonly SequenceState[]): Promise<void> {
  await client.query(
    `select setval(s.sequence::regclass, s.value, s."isCalled")
     from json_to_recordset($1::json) as s (sequence text, value bigint, "isCalled" boolean)`,
    [JSON.stringify(states)],
  );
}

/** Notes a mark among the operations that changed the database, for {@link findMark}. */
export async function setMark(client: pg.Client, operationId: string, mark: string): Promise<void> {
  await client.query(
    `insert into apotheca.applied_operations (operation_id, result) values ($1, $2)
     on conflict (operation_id) do update set result = excluded.result`,
    [operationId, JSON.stringify({ mark })],
  );
}

/** The mark that a copy has got to. */
export async function findMark(client: pg.Client, operationId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ mark: string }>(
    "select result ->> 'mark' as mark from apotheca.applied_operations where operation_id = $1",
    [operationId],
  );
  return rows[0]?.mark;
}

/** Removes it, unless somebody holds the table: it is of no harm, and whoever has cancelled a move waits for the end of that. */
export async function removeMark(client: pg.Client, operationId: string): Promise<void> {
  await client.query("set lock_timeout = '1s'");
  await client
    .query('delete from apotheca.applied_operations where operation_id = $1', [operationId])
    .catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
    });
}

/** How often following has failed: because of a change or of a lost connection. PostgreSQL tries again each time. */
export async function countFailures(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`
    select coalesce(sum(apply_error_count), 0)::int as count
    from pg_stat_subscription_stats join pg_subscription on pg_subscription.oid = subid
    where subdbid = (select oid from pg_database where datname = current_database())`);
  return rows[0]?.count ?? 0;
}

interface Slot {
  isKept: boolean;
  isRead: boolean;
  /** Up to where the copy has got all changes: a place in the write-ahead log. */
  confirmed?: string;
}

/**
 * Whether the source still has all changes that a copy has not got, and whether somebody reads them. What ends that, such as a connection that
 * is refused, PostgreSQL tells in its log only.
 */
export async function readSlot(source: pg.Client, name: string): Promise<Slot> {
  const { rows } = await source.query<Slot>(
    `select wal_status <> 'lost' as "isKept", active as "isRead", confirmed_flush_lsn::text as confirmed
     from pg_replication_slots where slot_name = $1`,
    [name],
  );
  return rows[0] ?? { isKept: false, isRead: false };
}

/** How long sessions that were told to end are waited for, in milliseconds. */
const ENDING = 5_000;

/**
 * Ends all sessions of clients in this database but its own: those that do nothing at once, others after a while. PostgreSQL's own wait for an end
 * looks ten times a second, and for one session after the other: here they end together.
 * @param grace in milliseconds
 */
export async function endOtherClients(client: pg.Client, grace: number): Promise<void> {
  const began = performance.now();
  for (let waited = 0; waited < grace + ENDING; waited = performance.now() - began) {
    const { rowCount } = await client.query(
      `select (${IS_IDLE} or $1) and pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${IS_CLIENT}`,
      [waited >= grace],
    );
    if (rowCount === 0) return;
    await client.query('select pg_sleep(0.01)');
  }
}
