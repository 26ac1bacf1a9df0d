import type { PurgeResult } from '@apotheca/contract/purges';
import type pg from 'pg';
import { z } from 'zod';
import { countSessions } from '../../../db/cluster/database-sessions.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { rowsInWords, tablesInWords } from '../../../wording.ts';
import { auditDatabase } from '../database-audit.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { getDatabaseById, measureDatabase, preparationFor } from '../databases.service.ts';
import { totalRows } from '../tenant-database/counts.repository.ts';
import { changeTenant, completeChange, refuseOldSchema } from '../tenant-database/tenant-change.ts';
import { withoutTriggers } from '../tenant-database/triggers.repository.ts';
import { listTiedTables } from './moving.repository.ts';
import {
  copyTable,
  createForeignKeys,
  deleteRows,
  type Emptied,
  type Emptying,
  lockForPurge,
  moveLargeTables,
  restartIdentities,
  truncateTables,
} from './purge.repository.ts';
import { addRegistryFacts, describeSkipped, planPurgeOf } from './purge.service.ts';
import { type CountedTable, chooseMethods, type Partition } from './purge-plan.ts';
import { countTarget, findPurgeTarget, isTiny, planTarget, type TargetPlan } from './purge-target.ts';

const EMPTYING = 0;
const FINISHING = 1;

/** Empties tables of a tenant's database. Their rows are kept and can be put back. */
export const purgeOperation = operationKind({
  name: 'purge',
  participle: 'cleared of transaction data',
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
      const locked = await lockAndCount(run, client, row, tables);
      const { targetPlan, emptying } = locked;
      if (plan !== undefined && plan !== targetPlan.digest) {
        // Without this operation's session.
        const connections = (await countSessions(run.cluster, row.physicalName)) - 1;
        refuseChangedPlan(plan, await addRegistryFacts(run.context, row, { ...targetPlan, connections }));
      }
      const emptied = locked.emptied ?? (await emptyTables(run, client, locked));
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

/** What is known of a request once its tables are locked. */
interface LockedTables {
  targetPlan: TargetPlan;
  emptying: Emptying;
  /** Set when all tables are tiny: these are emptied at once, because deleting rows counts them too. */
  emptied?: Emptied[];
}

/** Locks the requested tables and counts their rows. */
async function lockAndCount(
  run: Run,
  client: pg.Client,
  row: DatabaseRow,
  requested: readonly string[],
): Promise<LockedTables> {
  const target = await findPurgeTarget(client, requested);
  const { valid, referring, catalogue } = target;
  if (valid.length > 0) await lockForPurge(client, valid, referring);
  const keeping = { operationId: run.operationId, catalogue };
  const emptied = isTiny(target)
    ? await withoutTriggers(client, valid, () => deleteRows(client, keeping, valid, []))
    : undefined;
  const targetPlan = emptied ? planTarget(row, target, asCounted(emptied)) : await countTarget(client, row, target);
  const rows = new Map(targetPlan.partition.tables.map((table) => [table.name, table.rows]));
  return { targetPlan, emptying: { ...keeping, rows }, emptied };
}

const asCounted = (emptied: Emptied[]): CountedTable[] =>
  emptied.map(({ name, rows }) => ({ name, rows, bytes: 0, references: {} }));

/** Empties the tables, each by the method for its size. What triggers made of the rows stays, as putting back does not do it again. */
async function emptyTables(run: Run, client: pg.Client, { targetPlan, emptying }: LockedTables): Promise<Emptied[]> {
  const tables = targetPlan.partition.tables.map(({ name }) => name);
  const tied = await listTiedTables(client, tables);
  const methods = chooseMethods(tables, targetPlan.counted, emptying.catalogue.foreignKeys, tied);
  const emptied: Emptied[] = [];
  for (const name of methods.copied) {
    emptied.push(...(await copyTable(client, emptying, name)));
    run.progress(emptied.length / (methods.copied.size + 1));
  }
  const foreignKeys = await moveLargeTables(client, emptying, methods.moved);
  const small = tables.filter((name) => !methods.moved.has(name) && !methods.copied.has(name));
  const copied = [...methods.copied].filter((name) => !methods.truncated.has(name));
  const deleted = await withoutTriggers(client, tables, async () => {
    await truncateTables(client, methods.truncated);
    return deleteRows(client, emptying, small, copied);
  });
  emptied.push(...deleted);
  await createForeignKeys(client, foreignKeys);
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
    await run.succeed(trx, { message: emptied + describeSkipped(done), result });
    await measureDatabase(context, trx, row);
    await auditDatabase(run, trx, 'databases.purge', row.id, {
      databaseName: row.name,
      tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    });
  });
}
