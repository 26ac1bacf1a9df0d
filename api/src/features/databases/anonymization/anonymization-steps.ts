import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import type pg from 'pg';
import { isDatabaseAway, isReported } from '../../../db/errors/postgres-errors.ts';
import { AppError } from '../../../errors.ts';
import {
  collectOldValues,
  countOldValues,
  countOldValuesLeft,
  createFunctions,
  dropKeptRows,
  makeUpParts,
  makeUpValues,
  renewStatistics,
  replaceValues,
  rewriteTable,
} from './anonymization.repository.ts';
import type { AnonymizationTarget } from './anonymization-target.ts';

/** How often new parts are made up before too few are left: enough for values of which two thirds of all possible ones are taken. */
const ATTEMPTS = 40;

/** Makes up the new values, each unlike every old one. @throws AppError conflict when there are too few */
export async function makeUp(client: pg.Client, { identifying }: AnonymizationTarget): Promise<void> {
  await createFunctions(client);
  await collectOldValues(
    client,
    identifying.filter(({ treatment }) => treatment === 'value'),
  );
  let attempt = 0;
  while ((await makeUpParts(client, attempt)) > 0) {
    attempt += 1;
    if (attempt === ATTEMPTS) {
      throw new AppError('conflict', {
        message: 'Nothing was changed: too few values are left that are unlike all old ones.',
      });
    }
  }
  await makeUpValues(client);
}

/** Replaces the values and drops what purges kept. @param progress is told the fraction that is done */
export async function replaceAll(
  client: pg.Client,
  { identifying, tables }: AnonymizationTarget,
  progress: (fraction: number) => void,
): Promise<Pick<AnonymizationReport, 'columns' | 'rows'>> {
  const report: Pick<AnonymizationReport, 'columns' | 'rows'> = { columns: [], rows: 0 };
  for (const [index, table] of tables.entries()) {
    progress(index / tables.length);
    const columns = identifying.filter((column) => column.table === table);
    const changed = await replaceValues(client, table, columns);
    await renewStatistics(client, table, columns);
    report.rows += changed.rows;
    report.columns.push(
      ...columns.map(({ column, kind }, place) => ({ table, column, kind, rows: changed.byColumn[place] ?? 0 })),
    );
  }
  await dropKeptRows(client);
  return report;
}

/** Looks for the old values. @throws AppError conflict naming the columns that still hold one */
export async function scan(
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
      message: `Nothing was changed: old values would be left in ${leaks.join(', ')}.`,
    });
  }
  return { values: await countOldValues(client), columns: searched.length, found: 0 };
}

/** A table whose file still holds old rows, with PostgreSQL's reason. */
export interface Uncleared {
  table: string;
  reason: string;
}

/**
 * Clears the old rows out of the tables' files. It comes after the commit, so what cannot be cleared fails nothing: PostgreSQL's own
 * cleaning frees it.
 * @returns the tables that could not be cleared
 * @throws when PostgreSQL is away, so that all of it is done anew
 */
export async function clearFiles(
  client: pg.Client,
  tables: readonly string[],
  progress: (fraction: number) => void,
): Promise<Uncleared[]> {
  const uncleared: Uncleared[] = [];
  for (const [index, table] of [...tables, null].entries()) {
    progress(index / (tables.length + 1));
    await rewriteTable(client, table).catch((error: unknown) => {
      if (!isReported(error) || isDatabaseAway(error)) throw error;
      uncleared.push({ table: table ?? 'earlier purges', reason: error.message });
    });
  }
  return uncleared;
}
