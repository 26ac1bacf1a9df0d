import type pg from 'pg';
import { AppError } from '../../../errors.ts';
import { digestOf } from '../../../plan.ts';
import { inWords } from '../../../wording.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { countKeptRows, countTables, totalRows } from '../tenant-database/counts.repository.ts';
import { listColumns, listConstrainedColumns, listUntreatable } from './anonymization.repository.ts';
import { type IdentifyingColumn, identifyingColumns, type RuledColumn, withRules } from './anonymization-rules.ts';

/** The columns and tables of a database that is to be anonymized. */
export interface AnonymizationTarget {
  /** All columns of its tables. */
  all: RuledColumn[];
  identifying: IdentifyingColumn[];
  /** The tables with an identifying column. */
  tables: string[];
}

/** Reads the columns of a database. @throws AppError conflict naming the columns without a rule, and what has no columns with rules */
export async function readTarget(client: pg.Client): Promise<AnonymizationTarget> {
  const untreatable = await listUntreatable(client);
  if (untreatable.length > 0) {
    throw new AppError('conflict', {
      message: `Nothing was changed: there is no rule for anonymizing ${inWords(untreatable)}. 'Clone anonymized' leaves this out.`,
    });
  }
  const all = withRules(await listColumns(client));
  const identifying = identifyingColumns(all, await listConstrainedColumns(client));
  return { all, identifying, tables: [...new Set(identifying.map(({ table }) => table))] };
}

/** The part of a plan that the tenant's database tells. The digest covers columns and row counts. It leaves out sessions: they come and go. */
export async function countTarget(row: DatabaseRow, client: pg.Client, { identifying, tables }: AnonymizationTarget) {
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
