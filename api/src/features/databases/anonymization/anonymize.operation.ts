import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import type pg from 'pg';
import { z } from 'zod';
import { countSessions } from '../../../db/cluster/database-sessions.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { inWords, rowsInWords } from '../../../wording.ts';
import { auditDatabase } from '../database-audit.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { getDatabaseById, measureDatabase, preparationFor } from '../databases.service.ts';
import { changeTenant, completeChange } from '../tenant-database/tenant-change.ts';
import { lockForReplacing } from './anonymization.repository.ts';
import { addRegistryFacts, planAnonymization } from './anonymization.service.ts';
import { clearFiles, findOldValues, makeNewValues, replaceAll, type UnclearedFile } from './anonymization-steps.ts';
import { countTarget, readTarget } from './anonymization-target.ts';

const READING = 0;
const REPLACING = 1;
const SCANNING = 2;
const FINISHING = 3;

/** Replaces the values of a database that identify people (DECISIONS §9). */
export const anonymizeOperation = operationKind({
  name: 'anonymize',
  participle: 'anonymized',
  input: z.object({ databaseId: z.string(), plan: z.string().optional() }),
  steps: [
    { name: 'Looking at the columns', cancellable: true },
    { name: 'Replacing', cancellable: true },
    { name: 'Looking for old values', cancellable: true },
    { name: 'Finishing', cancellable: false },
  ],
  async prepare(context, { databaseId, plan }) {
    const row = await getDatabaseById(context.platform, databaseId);
    refuseChangedPlan(plan, await planAnonymization(context, row));
    return preparationFor(row);
  },
  async run(run, { databaseId, plan }) {
    const row = await getDatabaseById(run.connection, databaseId);
    await run.step(READING);
    // Counted first, because this run opens a session.
    const connections = await countSessions(run.cluster, row.physicalName);
    const report = await changeTenant(run, row, FINISHING, (client) =>
      changeRows(run, client, row, { plan, connections }),
    );
    await finish(run, row, report);
  },
  complete: async (run, { databaseId }) => {
    const row = await findDatabaseById(run.connection, databaseId);
    return completeChange(run, row, FINISHING, (database, report: AnonymizationReport) =>
      finish(run, database, report),
    );
  },
});

/** All changes, up to the commit. When it fails, nothing has changed. */
async function changeRows(
  run: Run,
  client: pg.Client,
  row: DatabaseRow,
  { plan, connections }: { plan: string | undefined; connections: number },
): Promise<AnonymizationReport> {
  const target = await readTarget(client);
  await lockForReplacing(client, target.tables);
  const state = await countTarget(row, client, target);
  if (plan !== undefined && plan !== state.digest) {
    refuseChangedPlan(plan, await addRegistryFacts(run.context, row, { ...state, connections }));
  }
  await makeNewValues(client, target);
  const progress = (fraction: number) => run.progress(fraction);
  await run.step(REPLACING);
  const changed = await replaceAll(client, target, progress);
  await run.step(SCANNING);
  return { databaseName: row.name, ...changed, scan: await findOldValues(client, target, progress) };
}

async function finish(run: Run, row: DatabaseRow, report: AnonymizationReport): Promise<void> {
  const { context, connection } = run;
  const tables = [...new Set(report.columns.map(({ table }) => table))];
  const uncleared = await context.tenants.with(
    row,
    (client) => clearFiles(client, tables, (fraction) => run.progress(fraction)),
    { unlimited: true },
  );
  await measureDatabase(context, connection, row);
  await connection.transaction().execute(async (trx) => {
    await run.succeed(trx, {
      message: `Success! ${row.name} has been anonymized: ${rowsInWords(report.rows)} changed, no old value found.${describeUncleared(uncleared)}`,
      result: report,
    });
    await auditDatabase(run, trx, 'databases.anonymize', row.id, {
      name: row.name,
      columns: report.columns.length,
      rows: report.rows,
      valuesLookedFor: report.scan.values,
      valuesFound: report.scan.found,
    });
  });
}

function describeUncleared([first, ...others]: UnclearedFile[]): string {
  if (!first) return '';
  const tables = inWords([first, ...others].map(({ table }) => table));
  return ` Old rows are left in the files of ${tables} until PostgreSQL uses their room again: ${first.reason}.`;
}
