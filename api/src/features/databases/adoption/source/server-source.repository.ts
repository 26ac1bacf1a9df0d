import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { SourceServer } from '@apotheca/contract/adoptions';
import pg from 'pg';
import { addressTest, isAddressRange } from '../../../../address-range.ts';
import { quoteAnyIdentifier } from '../../../../db/cluster/names.ts';
import { isLockTimeout, isStatementCancelled, isTableMissing } from '../../../../db/errors/postgres-errors.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { inWords } from '../../../../wording.ts';
import { type ForeignTable, fullName, type OpenSource, type ReadRows, refuseTooMany } from './foreign-source.ts';

/** How long connecting may take, and one answer of the server, in milliseconds. */
const CONNECT_LIMIT = 10_000;
const ANSWER_LIMIT = 300_000;
/** How many rows, and how many of their bytes, come at once; a longer row comes alone, and one above the limit not at all. */
const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const MAX_ROW = 64 * 1024 * 1024;
/** How many tables a refusal names. */
const NAMED = 5;

/** A table, with what SQL reads it by. The statements come from the server itself, and only go back there. */
interface ServerTable extends ForeignTable {
  /** Its name, its columns' values as bytes, and how many bytes these are. */
  from: string;
  values: string;
  bytes: string;
  isReadable: boolean;
}

/** Tables that nobody may truncate, drop or rewrite while they are read. */
interface Held {
  tables: readonly ForeignTable[];
  /** How long another session may keep each of them from that, in milliseconds. */
  within: number;
}

/**
 * Runs `work` with a snapshot of a database on a server. The session can only read, and no row is hidden from it: row security is an
 * error.
 * @param allowed host names, addresses and ranges that may be connected to
 * @param options.held absent: none. What is done to the others meanwhile, `work` may see.
 * @throws AppError invalid when the host is none of them; conflict when the server cannot be reached, its link breaks, or a table cannot be
 *   read or held; what `work` throws
 */
export async function withServer<T>(
  server: SourceServer,
  allowed: readonly string[],
  work: (source: OpenSource) => Promise<T>,
  { signal, held }: { signal?: AbortSignal; held?: Held } = {},
): Promise<T> {
  const client = new pg.Client(await foreignSettings(server, allowed));
  client.on('error', () => {});
  const end = () => void client.end().catch(() => {});
  signal?.throwIfAborted();
  signal?.addEventListener('abort', end);
  try {
    await client.connect().catch((error: Error) => {
      throw unreachable(error);
    });
    blameSource(client);
    const encoding = await beginSnapshot(client, held);
    const tables = await listTables(client);
    refuseTooMany(tables);
    refuseUnreadable(tables);
    return await work({
      encoding,
      tables,
      hasLargeObjects: await hasLargeObjects(client),
      read: (table, take) => readRows(client, tables, table, take),
      count: (wanted, limit) => countRows(client, tables, wanted, limit),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
    await client.end().catch(() => {});
  }
}

/** The name is resolved here, for this very connection: one that means another address the next time gets nowhere. */
async function foreignSettings(server: SourceServer, allowed: readonly string[]): Promise<pg.ClientConfig> {
  const { host, port, database, user, password, tls } = server;
  if (allowed.length === 0) {
    const message =
      'Databases are adopted from archives only: whoever runs the server can allow hosts (APOTHECA_ADOPTION_HOSTS).';
    throw fieldError('invalid', 'host', message);
  }
  const isNamed = allowed.some((entry) => entry.toLowerCase() === host.toLowerCase());
  const isInRange = addressTest(allowed.filter(isAddressRange));
  const found = await lookup(host, { all: true }).catch((error: Error) => {
    throw unreachable(error);
  });
  const address = found.find((one) => isNamed || isInRange(one.address))?.address;
  if (address === undefined) {
    const message = `Databases may not be adopted from ${host}: it is not in APOTHECA_ADOPTION_HOSTS.`;
    throw fieldError('invalid', 'host', message);
  }
  return {
    host: address,
    port,
    database,
    user,
    password,
    ssl: tls !== 'disable' && {
      rejectUnauthorized: tls === 'verify-full',
      ...(isIP(host) === 0 && { servername: host }),
      checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    },
    connectionTimeoutMillis: CONNECT_LIMIT,
    query_timeout: ANSWER_LIMIT,
    keepAlive: true,
    application_name: 'apotheca adoption',
  };
}

const unreadable = (reason: string, cause?: Error) =>
  new AppError('conflict', { message: `The database cannot be read: ${reason}.` }, { cause });
const unreachable = (error: Error) => unreadable(error.message, error);
const tableGone = (cause?: Error) =>
  new AppError('conflict', { message: 'A table of the database is gone: please inspect it again.' }, { cause });

/**
 * Has each failure of a statement be that of the source, a broken link too: `work` writes to our own PostgreSQL, and the same errors of that
 * are another matter.
 */
function blameSource(client: pg.Client): void {
  const send = client.query.bind(client);
  const query = (text: string | pg.QueryConfig) =>
    send(text).catch((error: Error) => {
      throw unreachable(error);
    });
  // The other signatures are not used here.
  client.query = query as typeof client.query;
}

/** Begins a snapshot, with the settings that pg_dump reads by. @returns the encoding of the database */
async function beginSnapshot(client: pg.Client, held: Held | undefined): Promise<string> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(`
    set local row_security = off;
    set local timezone = 'UTC';
    set local datestyle = 'ISO';
    set local intervalstyle = 'postgres';
    set local extra_float_digits = 3;
    set local bytea_output = 'hex';
    set local idle_in_transaction_session_timeout = 0;
    set local synchronize_seqscans = off;
    set local search_path = pg_catalog`);
  if (held) await holdTables(client, held);
  const { rows } = await client.query<{ encoding: string }>('select getdatabaseencoding() as encoding');
  return rows[0]?.encoding ?? '';
}

/**
 * Locks tables as reading them would, with their partitions. A snapshot shows a table empty that was truncated or rewritten after it had
 * begun (PostgreSQL manual, "Caveats" of MVCC): so this comes before the first statement that sees rows, and LOCK sees none.
 */
async function holdTables(client: pg.Client, { tables, within }: Held): Promise<void> {
  await client.query(`set local lock_timeout = ${within}`);
  for (const table of tables) {
    const name = `${quoteAnyIdentifier(table.schema)}.${quoteAnyIdentifier(table.name)}`;
    await client.query(`lock table ${name} in access share mode`).catch((error: Error) => {
      if (isTableMissing(error.cause)) throw tableGone(error);
      if (!isLockTimeout(error.cause)) throw error;
      const message = `Another session holds ${fullName(table)}. Please try again when it has ended.`;
      throw new AppError('conflict', { message }, { cause: error.cause });
    });
  }
  await client.query('set local lock_timeout = 0');
}

/** All tables of the database. What belongs to an extension comes with it; a partitioned table is read as a whole. */
async function listTables(client: pg.Client): Promise<ServerTable[]> {
  const { rows } = await client.query<Omit<ServerTable, 'rows'>>(`
    select c.oid::text as id, n.nspname as schema, c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum) as columns,
      format(case c.relkind when 'p' then '%I.%I' else 'only %I.%I' end, n.nspname, c.relname) as "from",
      coalesce((select string_agg(format('convert_to(t.%I::text, getdatabaseencoding())', a.attname), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '') as values,
      coalesce((select string_agg(format('coalesce(octet_length(t.%I::text), 0)::bigint', a.attname), ' + ')
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '0') as bytes,
      has_table_privilege(c.oid, 'select') and has_schema_privilege(n.oid, 'usage') as "isReadable"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by n.nspname, c.relname`);
  return rows.map((table) => ({ ...table, rows: null }));
}

async function hasLargeObjects(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select from pg_largeobject_metadata limit 1');
  return rows.length > 0;
}

function refuseUnreadable(tables: readonly ServerTable[]): void {
  const names = tables.filter(({ isReadable }) => !isReadable).map(fullName);
  if (names.length === 0) return;
  const more = names.length > NAMED ? [`${names.length - NAMED} more`] : [];
  const message = `The user may not read ${inWords([...names.slice(0, NAMED), ...more])}: grant it pg_read_all_data.`;
  throw new AppError('conflict', { message });
}

const find = (tables: readonly ServerTable[], wanted: ForeignTable): ServerTable => {
  const table = tables.find(({ id }) => id === wanted.id);
  if (!table) throw tableGone();
  return table;
};

async function readRows(
  client: pg.Client,
  tables: readonly ServerTable[],
  wanted: ForeignTable,
  take: Parameters<ReadRows>[1],
): Promise<void> {
  const { from, values, bytes, columns, schema, name } = find(tables, wanted);
  // Another one was held under its name.
  if (schema !== wanted.schema || name !== wanted.name) throw tableGone();
  if (columns.join('\n') !== wanted.columns.join('\n')) {
    throw new AppError('conflict', { message: `${fullName(wanted)} has other columns now: please inspect it again.` });
  }
  // Both go through the table in the same order: the first says how many rows of the second fit into memory. Which rows there are the
  // second alone says.
  await client.query(`
    declare sizes no scroll cursor for select ${bytes} from ${from} t;
    declare adopted no scroll cursor for select ${values} from ${from} t`);
  let sizes: number[] = [];
  for (;;) {
    if (sizes.length === 0)
      sizes = (await fetchRows<string>(client, ROWS_AT_ONCE, 'sizes')).map(([size]) => Number(size));
    const count = fittingOf(sizes);
    if ((sizes[0] ?? 0) > MAX_ROW) throw unreadable(`a row of ${fullName(wanted)} is longer than 64 MiB`);
    const rows = await fetchRows<Buffer | null>(client, count, 'adopted');
    if (rows.length === 0) break;
    await take(rows);
    sizes = sizes.slice(count);
  }
  await client.query('close sizes; close adopted');
}

async function fetchRows<Value>(client: pg.Client, count: number, cursor: 'sizes' | 'adopted'): Promise<Value[][]> {
  const { rows } = await client.query<Value[]>({ text: `fetch ${count} from ${cursor}`, rowMode: 'array' });
  return rows;
}

/** How many of the next rows fit into memory together: one in any case. */
function fittingOf(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size) => {
    bytes += size;
    return bytes > BYTES_AT_ONCE;
  });
  return Math.max(1, tooMany < 0 ? sizes.length : tooMany);
}

async function countRows(
  client: pg.Client,
  tables: readonly ServerTable[],
  wanted: readonly ForeignTable[],
  limit: number,
): Promise<Map<string, number | null>> {
  const until = performance.now() + limit;
  const counts = new Map<string, number | null>();
  for (const table of wanted) {
    const left = Math.round(until - performance.now());
    counts.set(table.id, left > 0 ? await countInTime(client, find(tables, table), left) : null);
  }
  return counts;
}

async function countInTime(client: pg.Client, { from }: ServerTable, limit: number): Promise<number | null> {
  await client.query(`savepoint counting; set local statement_timeout = ${limit}`);
  try {
    const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${from}`);
    await client.query('release counting; set local statement_timeout = 0');
    return Number(rows[0]?.rows);
  } catch (error) {
    const cause = error instanceof AppError && error.cause;
    // Otherwise the time is over, or somebody has dropped the table or given it another name: it is not held.
    if (!isStatementCancelled(cause) && !isTableMissing(cause)) throw error;
    await client.query('rollback to counting; release counting');
    return null;
  }
}
