import type { PurgeResult } from '@apotheca/contract/purges';
import type pg from 'pg';
import { z } from 'zod';
import { countSessions } from '../../../db/cluster/cluster.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { rowsInWords, tablesInWords } from '../../../wording.ts';
import { auditDatabase } from '../database-audit.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { getDatabaseById, measureDatabase, preparationFor } from '../databases.service.ts';
import { totalRows } from '../tenant-database/counts.repository.ts';
import { changeTenant, completeChange, refuseOldSchema } from '../tenant-database/tenant-change.ts';
import {
  copyTable,
  deleteRows,
  type Emptied,
  type Emptying,
  lockForPurge,
  makeReferences,
  moveAway,
  restartIdentities,
  truncateTables,
} from './purge.repository.ts';
import { completePlan, describeRest, planPurgeOf } from './purge.service.ts';
import { chooseWays, type Partition, type TableFigures } from './purge-plan.ts';
import { countTarget, findPurgeTarget, isTiny, planTarget, type TargetPlan } from './purge-target.ts';

const EMPTYING = 0;
const FINISHING = 1;

/** Empties tables of a tenant's database and keeps what they held for putting it back. */
export const purgeOperation = operationKind({
  name: 'purge',
  participle: 'purged',
  permissions: ['databases.purge'],
  input: z.object({ databaseId: z.string(), tables: z.array(z.string()), plan: z.string().optional() }),
  steps: [
    { name: 'Emptying tables', cancellable: true },
    { name: 'Finishing', cancellable: false },
  ],
  async prepare(context, { databaseId, tables, plan }) {
    const row = await getDatabaseById(context.platform, databaseId);
    refuseOldSchema(row);
    if (plan !== undefined) refuseChangedPlan(plan, await planPurgeOf(context, row, tables));
    return preparationFor(row);
  },
  async run(run, { databaseId, tables, plan }) {
    const row = await getDatabaseById(run.connection, databaseId);
    await run.step(EMPTYING);
    const change = async (client: pg.Client) => {
      const begun = await begin(run, client, row, tables);
      const { targetPlan, emptying } = begun;
      if (plan !== undefined && plan !== targetPlan.digest) {
        // Without this session.
        const connections = (await countSessions(run.connection, row.physicalName)) - 1;
        refuseChangedPlan(plan, await completePlan(run.context, row, { ...targetPlan, connections }));
      }
      const emptied = begun.emptied ?? (await empty(run, client, begun));
      await restartIdentities(client, emptying.catalogue, emptied);
      return targetPlan.partition;
    };
    await changeTenant(run, row, FINISHING, change, (done) => finish(run, row, done));
  },
  complete: async (run, { databaseId }) => {
    const row = await findDatabaseById(run.connection, databaseId);
    return completeChange(run, row, FINISHING, (database, done: Partition) => finish(run, database, done));
  },
});

/** Tables that are locked, and what was found out about them. */
interface Begun {
  targetPlan: TargetPlan;
  emptying: Emptying;
  /** What is empty already: where every table is tiny, that is all, for to delete rows counts them as well. */
  emptied?: Emptied[];
}

/** Keeps everybody else from the tables and finds out what they hold. */
async function begin(run: Run, client: pg.Client, row: DatabaseRow, requested: readonly string[]): Promise<Begun> {
  const target = await findPurgeTarget(client, requested);
  const { valid, referring, catalogue } = target;
  if (valid.length > 0) await lockForPurge(client, valid, referring);
  const keeping = { operationId: run.operationId, catalogue };
  const emptied = isTiny(target) ? await deleteRows(client, keeping, valid, []) : undefined;
  const targetPlan = emptied ? planTarget(row, target, figuresOf(emptied)) : await countTarget(client, row, target);
  const rows = new Map(targetPlan.partition.tables.map((table) => [table.name, table.rows]));
  return { targetPlan, emptying: { ...keeping, rows }, emptied };
}

const figuresOf = (emptied: Emptied[]): TableFigures[] =>
  emptied.map(({ name, rows }) => ({ name, rows, bytes: 0, references: {} }));

/** Empties the tables, each in the way that suits its size. */
async function empty(run: Run, client: pg.Client, { targetPlan, emptying }: Begun): Promise<Emptied[]> {
  const tables = targetPlan.partition.tables.map(({ name }) => name);
  const ways = chooseWays(tables, targetPlan.figures, emptying.catalogue.foreignKeys);
  const emptied: Emptied[] = [];
  for (const name of ways.copied) {
    emptied.push(...(await copyTable(client, emptying, name)));
    run.progress(emptied.length / (ways.copied.size + 1));
  }
  const references = await moveAway(client, emptying, ways.moved);
  await truncateTables(client, ways.truncated);
  const small = tables.filter((name) => !ways.moved.has(name) && !ways.copied.has(name));
  const copied = [...ways.copied].filter((name) => !ways.truncated.has(name));
  emptied.push(...(await deleteRows(client, emptying, small, copied)));
  await makeReferences(client, references);
  return emptied;
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
      ? `Success! ${tablesInWords(tables.length)} of ${row.name} with ${rowsInWords(totalRows(tables))} ${tables.length === 1 ? 'was' : 'were'} emptied.`
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
