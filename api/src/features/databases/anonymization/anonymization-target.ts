import type pg from 'pg';
import { digestOf } from '../../../plan.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { countKeptRows, countTables, totalRows } from '../tenant-database/counts.repository.ts';
import { listColumns, listConstrainedColumns } from './anonymization.repository.ts';
import { type IdentifyingColumn, identifyingColumns, type SchemaColumn } from './anonymization-rules.ts';

/** What anonymizing meets in a tenant's database. */
export interface AnonymizationTarget {
  /** All columns of its tables. */
  all: SchemaColumn[];
  identifying: IdentifyingColumn[];
  /** The tables with an identifying column. */
  tables: string[];
}

/** @throws AppError conflict naming the columns that have no rule */
export async function readTarget(client: pg.Client): Promise<AnonymizationTarget> {
  const all = await listColumns(client);
  const identifying = identifyingColumns(all, await listConstrainedColumns(client));
  return { all, identifying, tables: [...new Set(identifying.map(({ table }) => table))] };
}

/**
 * The part of a plan that the database itself tells. The digest covers its columns and row counts, not its sessions: they come and go.
 */
export async function stateOf(row: DatabaseRow, client: pg.Client, { identifying, tables }: AnonymizationTarget) {
  const counts = tables.length > 0 ? await countTables(client, tables) : [];
  const keptRows = await countKeptRows(client);
  const columns = identifying.map(({ table, column, kind }) => ({ table, column, kind }));
  const state = [row.id, counts.map(({ name, rows }) => [name, rows]), columns, keptRows];
  return {
    databaseName: row.name,
    columns,
    rows: totalRows(counts),
    keptRows,
    digest: digestOf(state),
  };
}
