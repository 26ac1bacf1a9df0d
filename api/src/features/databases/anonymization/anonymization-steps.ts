import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import type pg from 'pg';
import { neededBy, untilOldRowsUnneeded } from '../../../db/cluster/old-row-versions.ts';
import { isDatabaseAway, isReported, messageOf } from '../../../db/errors/postgres-errors.ts';
import { AppError } from '../../../errors.ts';
import { withoutTriggers } from '../tenant-database/triggers.repository.ts';
import {
  assembleNewValues,
  collectOldValues,
  countOldValues,
  countOldValuesLeft,
  createFunctions,
  dropKeptRows,
  filesOf,
  makeNewParts,
  renewStatistics,
  replaceValues,
  rewriteTable,
} from './anonymization.repository.ts';
import type { AnonymizationTarget } from './anonymization-target.ts';

/** How often new parts are tried. It is enough when two thirds of all possible values are old ones. */
const ATTEMPTS = 40;

/** Makes a new value for each old one, different from all old ones. @throws AppError conflict when too few are possible */
export async function makeNewValues(client: pg.Client, { identifying }: AnonymizationTarget): Promise<void> {
  await createFunctions(client);
  await collectOldValues(
    client,
    identifying.filter(({ treatment }) => treatment === 'value'),
  );
  let attempt = 0;
  while ((await makeNewParts(client, attempt)) > 0) {
    attempt += 1;
    if (attempt === ATTEMPTS) {
      throw new AppError('conflict', {
        message:
          'Nothing was changed: a column already uses nearly all values that could replace its old ones. Ask whoever runs the server.',
      });
    }
  }
  await assembleNewValues(client);
}

/** Replaces the values, and drops the kept rows of purges. No trigger or rule sees an old value meanwhile. */
export async function replaceAll(
  client: pg.Client,
  { identifying, tables }: AnonymizationTarget,
  progress: (fraction: number) => void,
): Promise<Pick<AnonymizationReport, 'columns' | 'rows'>> {
  const report: Pick<AnonymizationReport, 'columns' | 'rows'> = { columns: [], rows: 0 };
  await withoutTriggers(client, tables, async () => {
    for (const [index, table] of tables.entries()) {
      progress(index / tables.length);
      const columns = identifying.filter((column) => column.table === table);
      const changed = await replaceValues(client, table, columns);
      report.rows += changed.rows;
      report.columns.push(
        ...columns.map(({ column, kind }, place) => ({ table, column, kind, rows: changed.byColumn[place] ?? 0 })),
      );
    }
    // Not before: the statistics of a table have samples of its partitions, too.
    for (const table of tables) {
      await renewStatistics(
        client,
        table,
        identifying.filter((column) => column.table === table),
      );
    }
  });
  await dropKeptRows(client);
  return report;
}

/** Searches all columns for old values. @throws AppError conflict naming the columns that still have one */
export async function findOldValues(
  client: pg.Client,
  { all, identifying }: AnonymizationTarget,
  progress: (fraction: number) => void,
): Promise<AnonymizationReport['scan']> {
  const rules = new Map(
    identifying
      .filter(({ treatment }) => treatment === 'value')
      .map(({ table, column, rule }) => [`${table}.${column}`, rule]),
  );
  const searched = all
    .map(({ table, column, type }) => ({ table, column, type, rule: rules.get(`${table}.${column}`) ?? null }))
    .filter(({ type, rule }) => rule !== null || type === 'text' || type === 'character varying');
  const tables = [...new Set(searched.map(({ table }) => table))];
  const leaks: string[] = [];
  for (const [index, table] of tables.entries()) {
    progress(index / tables.length);
    const columns = searched.filter((column) => column.table === table);
    const found = await countOldValuesLeft(client, table, columns);
    for (const [place, { column }] of columns.entries()) if (found[place]) leaks.push(`${table}.${column}`);
  }
  if (leaks.length > 0) {
    throw new AppError('conflict', {
      message:
        `Nothing was changed: old values would be left in ${leaks.join(', ')}. ` +
        'Have whoever runs the server look at these columns: they need a rule, or other contents.',
    });
  }
  return { values: await countOldValues(client), columns: searched.length, found: 0 };
}

/** A table whose file still has old rows, with PostgreSQL's reason. */
export interface UnclearedFile {
  table: string;
  reason: string;
}

/**
 * Removes old rows from the tables' files, once PostgreSQL does not need them any more. As the change is committed by now, a table that
 * cannot be rewritten is no failure: PostgreSQL overwrites its old rows later.
 * @param limit how long PostgreSQL may still need them, in milliseconds
 * @returns the tables that could not be rewritten
 * @throws when PostgreSQL is away, so that the operation does it again
 */
export async function clearFiles(
  client: pg.Client,
  tables: readonly string[],
  progress: (fraction: number) => void,
  limit?: number,
): Promise<UnclearedFile[]> {
  const uncleared: UnclearedFile[] = [];
  const files = filesOf(tables);
  const holders = await untilOldRowsUnneeded(client, limit);
  if (holders.length > 0) return files.map(([table]) => ({ table, reason: neededBy(holders) }));
  for (const [index, [words, table]] of files.entries()) {
    progress(index / files.length);
    await rewriteTable(client, table).catch((error: unknown) => {
      if (!isReported(error) || isDatabaseAway(error)) throw error;
      uncleared.push({ table: words, reason: messageOf(error) });
    });
  }
  return uncleared;
}
