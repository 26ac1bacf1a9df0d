import type { PurgeResult } from '@apotheca/contract/tenant-data';
import type pg from 'pg';
import { z } from 'zod';
import { countSessions } from '../../db/cluster.ts';
import { operationKind, type Run } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { refuseChangedPlan } from './database-erasure.ts';
import type { DatabaseRow } from './databases.repository.ts';
import { getDatabaseById, measureDatabase } from './databases.service.ts';
import { dropExpiredPurges } from './kept-rows.repository.ts';
import {
  copyTable,
  deleteRows,
  type Emptying,
  keepRows,
  lockForPurge,
  makeReferences,
  moveAway,
  restartIdentities,
  smallOf,
  truncateTables,
} from './purge.repository.ts';
import { completePlan, describeRest, planPurgeOf, rowsOf } from './purge.service.ts';
import { aimAt, isTiny, judge, lookAt, type PurgeLook } from './purge-look.ts';
import { chooseWays, DELETED_ONLY, type Partition, type TableFigures } from './purge-plan.ts';
import { changeTenant, refuseOldSchema } from './tenant-change.ts';
import { rowsInWords, tablesInWords } from './wording.ts';

const EMPTYING = 0;
const FINISHING = 1;

/** Empties tables of a tenant's database and keeps what they held for putting it back. */
export const purgeOperation = operationKind({
  name: 'purge',
  permission: 'databases.purge',
  input: z.object({ databaseId: z.string(), tables: z.array(z.string()), plan: z.string().optional() }),
  steps: [
    { name: 'Emptying tables', cancellable: true },
    { name: 'Finishing', cancellable: false },
  ],
  async prepare(context, { databaseId, tables, plan }) {
    const row = await getDatabaseById(context.platform, databaseId);
    refuseOldSchema(row);
    if (plan !== undefined) refuseChangedPlan(plan, await planPurgeOf(context, row, tables));
    return { database: { id: row.id, name: row.name }, claims: [row.id], sizeBytes: row.sizeBytes };
  },
  async run(run, { databaseId, tables, plan }) {
    const row = await getDatabaseById(run.connection, databaseId);
    await run.step(EMPTYING);
    const change = async (client: pg.Client) => {
      const { look, emptying, isKept } = await begin(run, client, row, tables);
      if (plan !== undefined && plan !== look.digest) {
        // But for this one.
        const connections = (await countSessions(run.connection, row.physicalName)) - 1;
        refuseChangedPlan(plan, await completePlan(run.context, row, { ...look, connections }));
      }
      await empty(run, client, emptying, isKept);
      return look.partition;
    };
    await changeTenant(run, row, FINISHING, change, (done) => finish(run, row, done));
  },
});

interface Begun {
  look: PurgeLook;
  emptying: Emptying;
  /** Whether all rows are kept already: where every table is tiny, that counts them as well. */
  isKept: boolean;
}

/** Keeps everybody else from the tables and finds out what they hold. */
async function begin(run: Run, client: pg.Client, row: DatabaseRow, requested: readonly string[]): Promise<Begun> {
  const { operationId } = run;
  const purgedAt = run.context.now();
  const target = await aimAt(client, requested);
  const { valid, referring, catalogue } = target;
  if (valid.length > 0) await lockForPurge(client, valid, referring);
  await dropExpiredPurges(client, purgedAt);
  const keeping = { operationId, purgedAt, catalogue };
  const isKept = isTiny(target);
  const look = isKept
    ? judge(row, target, figuresOf(await keepRows(client, keeping, valid)))
    : await lookAt(client, row, target);
  const tables = look.partition.tables.map(({ name }) => name);
  const rows = new Map(look.partition.tables.map((table) => [table.name, table.rows]));
  const ways = isKept ? DELETED_ONLY : chooseWays(tables, look.figures, catalogue.foreignKeys);
  return { look, emptying: { ...keeping, tables, rows, ways }, isKept };
}

const figuresOf = (kept: { name: string; rows: number }[]): TableFigures[] =>
  kept.map((table) => ({ ...table, bytes: 0, references: {} }));

async function empty(run: Run, client: pg.Client, emptying: Emptying, isKept: boolean): Promise<void> {
  const { ways } = emptying;
  let copied = 0;
  for (const name of ways.copied) {
    await copyTable(client, emptying, name);
    copied += 1;
    run.progress(copied / (ways.copied.size + 1));
  }
  const references = await moveAway(client, emptying);
  await truncateTables(client, emptying);
  if (!isKept) await keepRows(client, emptying, smallOf(emptying));
  await deleteRows(client, emptying);
  await makeReferences(client, references);
  await restartIdentities(client, emptying);
}

async function finish(run: Run, row: DatabaseRow, done: Partition): Promise<void> {
  const { context, connection, operationId } = run;
  const { tables, invalidTables, tablesNotDeleted } = done;
  const result: PurgeResult = {
    deletedTables: tables.map(({ name }) => name),
    invalidTables,
    tablesNotDeleted: tablesNotDeleted.map(({ name }) => name),
    operationId,
  };
  const emptied =
    tables.length > 0
      ? `Success! ${tablesInWords(tables.length)} of ${row.name} with ${rowsInWords(rowsOf(done))} ${tables.length === 1 ? 'was' : 'were'} emptied.`
      : `Nothing of ${row.name} was emptied.`;
  await connection.transaction().execute(async (trx) => {
    await run.succeed(trx, { message: emptied + describeRest(done), result });
    await measureDatabase(context, trx, row);
    await auditDatabase(run, trx, 'databases.purge', row.id, {
      databaseName: row.name,
      tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    });
  });
}
