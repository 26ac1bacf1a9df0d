import type pg from 'pg';
import { inPurged } from '../tenant-database/qualified-names.ts';

/** How many days the rows of a purge can be put back (DECISIONS §9). */
export const KEPT_DAYS = 7;
const KEPT_FOR = KEPT_DAYS * 24 * 60 * 60 * 1000;
/**
 * SQL: whether the time of a purge is over. It was noted by the clock of the database's PostgreSQL: the clocks of server processes may differ
 * from it and from each other.
 */
const isExpired = (now = 'now()') => `purged_at <= ${now} - interval '${KEPT_FOR} milliseconds'`;

/** Until when a purge can be put back. */
export const rowsKeptUntil = (purgedAt: Date): Date => new Date(purgedAt.getTime() + KEPT_FOR);

/** A table that a purge emptied, and where its rows are kept. */
export interface KeptTable {
  operationId: string;
  name: string;
  rows: number;
  columns: string[];
  purgedAt: Date;
  isPutBack: boolean;
  /** The table in apotheca_purged with the rows; null when they are kept as JSON. */
  keptTable: string | null;
  /** The last value of the identity's sequence; null without an identity. */
  sequenceValue: string | null;
  sequenceCalled: boolean | null;
}

const KEPT_TABLES = `
  select
    operation_id as "operationId", table_name as name, row_count::float8 as rows, column_names as columns,
    purged_at as "purgedAt", put_back_at is not null as "isPutBack", kept_table as "keptTable",
    sequence_value as "sequenceValue", sequence_called as "sequenceCalled"
  from apotheca.purged_tables`;

/** The tables of all purges that can still be put back, the newest purge first. */
export async function listKeptTables(client: pg.Client): Promise<KeptTable[]> {
  const { rows } = await client.query<KeptTable>(
    `${KEPT_TABLES} where not (${isExpired()}) order by purged_at desc, operation_id, table_name`,
  );
  return rows;
}

/** The tables of one purge that can still be put back. It locks them until the transaction ends, so nothing drops their rows. */
export async function listKeptTablesOf(client: pg.Client, operationId: string): Promise<KeptTable[]> {
  const { rows } = await client.query<KeptTable>(
    `${KEPT_TABLES} where not (${isExpired()}) and operation_id = $1 for update`,
    [operationId],
  );
  return rows;
}

/**
 * Drops the rows that can no longer be put back. The caller's transaction covers both the tables and their entries.
 * @param trusted by a clock that is trusted (decision 038): the one of the database's PostgreSQL alone may be ahead
 */
export async function dropExpiredPurges(client: pg.Client, trusted: Date): Promise<void> {
  const { rows } = await client.query<{ keptTable: string | null }>(
    `delete from apotheca.purged_tables where ${isExpired('least(now(), $1::timestamptz)')} returning kept_table as "keptTable"`,
    [trusted],
  );
  await dropCopies(client, rows);
}

/** Marks tables as put back, and drops their kept rows. */
export async function markPutBack(client: pg.Client, operationId: string, tables: readonly KeptTable[]): Promise<void> {
  await client.query(
    `update apotheca.purged_tables set put_back_at = now(), rows = null, kept_table = null
     where operation_id = $1 and table_name = any($2)`,
    [operationId, tables.map(({ name }) => name)],
  );
  await dropCopies(client, tables);
}

async function dropCopies(client: pg.Client, tables: readonly { keptTable: string | null }[]): Promise<void> {
  const copies = tables.flatMap(({ keptTable }) => (keptTable ? inPurged(keptTable) : []));
  if (copies.length > 0) await client.query(`drop table ${copies.join(', ')}`);
}
