import { labelOfTable } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';
import { z } from 'zod';
import { isReported } from '../../../db/errors/postgres-errors.ts';
import { AppError } from '../../../errors.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { inWords, rowsInWords, tablesInWords } from '../../../wording.ts';
import { auditDatabase } from '../database-audit.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { getDatabaseById, measureDatabase, preparationFor } from '../databases.service.ts';
import { type ForeignKey, readTenantCatalogue, type TenantCatalogue } from '../tenant-database/catalogue.repository.ts';
import { totalRows } from '../tenant-database/counts.repository.ts';
import { changeTenant, completeChange, refuseOldSchema } from '../tenant-database/tenant-change.ts';
import { withoutTriggers } from '../tenant-database/triggers.repository.ts';
import { KEPT_DAYS, type KeptTable, listKeptTablesOf, markPutBack } from './kept-rows.repository.ts';
import { advanceIdentity, insertKeptRows, lockForPutBack } from './put-back.repository.ts';

const INSERTING = 0;
const FINISHING = 1;

/** What was put back, by table. */
type PutBack = { name: string; rows: number }[];

/** Puts rows of a purge back into the chosen tables, all or nothing (DECISIONS §9). */
export const putBackOperation = operationKind({
  name: 'put-back',
  participle: 'put back',
  input: z.object({ databaseId: z.string(), operationId: z.string(), tables: z.array(z.string()) }),
  steps: [
    { name: 'Putting rows back', cancellable: true },
    { name: 'Finishing', cancellable: false },
  ],
  async prepare(context, { databaseId, operationId, tables }) {
    const row = await getDatabaseById(context.platform, databaseId);
    refuseOldSchema(row);
    await context.tenants.with(row, (client) => findKept(client, { row, operationId, tables }));
    return preparationFor(row);
  },
  async run(run, { databaseId, operationId, tables }) {
    const { connection } = run;
    const row = await getDatabaseById(connection, databaseId);
    await run.step(INSERTING);
    const change = async (client: pg.Client) =>
      putBack(run, client, operationId, await findKept(client, { row, operationId, tables }));
    await changeTenant(run, row, FINISHING, change, (done) => finish(run, row, operationId, done));
  },
  complete: async (run, { databaseId, operationId }) => {
    const row = await findDatabaseById(run.connection, databaseId);
    return completeChange(run, row, FINISHING, (database, done: PutBack) => finish(run, database, operationId, done));
  },
});

async function finish(run: Run, row: DatabaseRow, purge: string, done: PutBack): Promise<void> {
  await run.connection.transaction().execute(async (trx) => {
    const rows = totalRows(done);
    const message = `Success! ${rowsInWords(rows)} of ${tablesInWords(done.length)} ${rows === 1 ? 'was' : 'were'} put back into ${row.name}.`;
    await run.succeed(trx, { message, result: { tables: done } });
    await measureDatabase(run.context, trx, row);
    await auditDatabase(run, trx, 'databases.put-back', row.id, {
      databaseName: row.name,
      purge,
      tables: Object.fromEntries(done.map((table) => [table.name, table.rows])),
    });
  });
}

interface Request {
  row: DatabaseRow;
  /** The purge. */
  operationId: string;
  tables: readonly string[];
}

/** The kept rows of the chosen tables. @throws AppError not-found when there are none any more; conflict when they were put back */
async function findKept(client: pg.Client, { row, operationId, tables }: Request): Promise<KeptTable[]> {
  const kept = await listKeptTablesOf(client, operationId);
  if (kept.length === 0) {
    throw new AppError('not-found', {
      message: `There is no such deletion of rows from ${row.name}, or what it removed is gone: it is older than ${KEPT_DAYS} days, or the database has been anonymized since.`,
    });
  }
  const chosen = kept.filter(({ name }) => tables.includes(name));
  const unknown = tables.filter((name) => !kept.some((table) => table.name === name));
  if (unknown.length > 0) {
    throw new AppError('not-found', { message: `This deletion did not empty ${inWords(unknown)}.` });
  }
  const putBackBefore = chosen.filter(({ isPutBack }) => isPutBack).map(({ name }) => name);
  if (putBackBefore.length > 0) {
    throw new AppError('conflict', {
      message: `${inWords(putBackBefore.map(labelOfTable))} ${putBackBefore.length === 1 ? 'has' : 'have'} been put back already.`,
    });
  }
  return chosen;
}

async function putBack(run: Run, client: pg.Client, purge: string, kept: readonly KeptTable[]): Promise<PutBack> {
  const catalogue = await readTenantCatalogue(client);
  const present = kept.map((table) => ({ table, shape: shapeOf(catalogue, table.name) }));
  const names = kept.map(({ name }) => name);
  await lockForPutBack(client, names);
  const done: PutBack = [];
  // Rows come back to the letter, and what triggers did when they were written is not done again.
  await withoutTriggers(client, names, async () => {
    for (const { table, shape } of sortByReferences(present, catalogue.foreignKeys)) {
      const rows = await insertKeptRows(client, table, shape);
      if (rows !== table.rows) {
        const label = labelOfTable(table.name);
        throw notPutBack(`${label} takes only ${rows} of the ${table.rows} kept rows: put back the other tables only.`);
      }
      await advanceIdentity(client, table, shape);
      done.push({ name: table.name, rows });
      run.progress(done.length / kept.length);
    }
  }).catch((error: unknown) => {
    throw explainConflict(error, catalogue.foreignKeys) ?? error;
  });
  await markPutBack(client, purge, kept);
  return done;
}

function shapeOf({ tables }: TenantCatalogue, name: string) {
  const shape = tables.get(name);
  if (shape) return shape;
  throw new AppError('conflict', {
    message: `There is no table ${labelOfTable(name)} any more: put back the others without it.`,
  });
}

/** Sorts tables so that each comes before those that refer to it. In a circle of references the order is arbitrary. */
function sortByReferences<Entry extends { table: { name: string } }>(
  entries: readonly Entry[],
  foreignKeys: readonly ForeignKey[],
): Entry[] {
  const ordered: Entry[] = [];
  const visited = new Set<Entry>();
  const visit = (entry: Entry) => {
    if (visited.has(entry)) return;
    visited.add(entry);
    const { name } = entry.table;
    const parents = foreignKeys.filter(({ from }) => from === name).map(({ to }) => to);
    for (const parent of entries) if (parents.includes(parent.table.name)) visit(parent);
    ordered.push(entry);
  };
  for (const entry of entries) visit(entry);
  return ordered;
}

const notPutBack = (words: string): AppError => new AppError('conflict', { message: `Nothing was put back. ${words}` });

/** Explains a constraint that kept rows violate (SQLSTATE class 23), without values of the rows. */
function explainConflict(error: unknown, foreignKeys: readonly ForeignKey[]): AppError | undefined {
  if (!isReported(error) || !error.code?.startsWith('23')) return undefined;
  const { table, constraint, column } = error;
  const parent = foreignKeys.find(({ name, from }) => name === constraint && from === table)?.to;
  return notPutBack(wordsOf(error.code, labelOfTable(table ?? ''), constraint ?? column, labelOfTable(parent ?? '')));
}

function wordsOf(code: string, table: string, what = '', parent: string): string {
  switch (code) {
    case '23505':
      return `${table} has new rows with the keys of kept ones (${what}): remove those, or empty ${table} first, or put back the other tables only.`;
    case '23503':
      return `Rows of ${table} refer to rows of ${parent} that are missing: put back ${parent} as well, or leave out ${table}.`;
    default:
      return `${table} no longer takes the kept rows (${what}): put back the other tables only.`;
  }
}
