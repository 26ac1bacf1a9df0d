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
  lockForPurge,
  makeReferences,
  moveAway,
  restartIdentities,
  truncateTables,
} from './purge.repository.ts';
import { completePlan, describeRest, planPurgeOf, rowsOf } from './purge.service.ts';
import { aimAt, lookAt, type PurgeLook } from './purge-look.ts';
import { chooseWays, type Partition } from './purge-plan.ts';
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
    // Counted before this run adds a session of its own.
    const connections = await countSessions(run.connection, row.physicalName);
    const done = await changeTenant(run, row, FINISHING, async (client) => {
      const target = await aimAt(client, tables);
      if (target.valid.length > 0) await lockForPurge(client, target.valid, target.referring);
      const look = await lookAt(client, row, target);
      if (plan !== undefined && plan !== look.digest) {
        refuseChangedPlan(plan, await completePlan(run.context, row, { ...look, connections }));
      }
      await empty(run, client, look, target.catalogue);
      return look.partition;
    });
    await finish(run, row, done);
  },
});

async function empty(run: Run, client: pg.Client, look: PurgeLook, catalogue: Emptying['catalogue']): Promise<void> {
  const { context, operationId } = run;
  const purgedAt = context.now();
  await dropExpiredPurges(client, purgedAt);
  const tables = look.partition.tables.map(({ name }) => name);
  const rows = new Map(look.partition.tables.map((table) => [table.name, table.rows]));
  const ways = chooseWays(tables, look.figures, catalogue.foreignKeys);
  const emptying: Emptying = { operationId, purgedAt, tables, rows, ways, catalogue };
  let copied = 0;
  for (const name of ways.copied) {
    await copyTable(client, emptying, name);
    copied += 1;
    run.progress(copied / (ways.copied.size + 1));
  }
  const references = await moveAway(client, emptying);
  await truncateTables(client, emptying);
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
    await auditDatabase(run, trx, 'databases.purge', row.id, {
      databaseName: row.name,
      tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    });
  });
  await measureDatabase(context, connection, row);
}
