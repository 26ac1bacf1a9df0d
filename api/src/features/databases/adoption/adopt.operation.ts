import { type AdoptionReport, adoptDatabase } from '@apotheca/contract/adoptions';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { operationKind } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { counted, inWords, rowsInWords, tablesInWords } from '../../../wording.ts';
import { removeArchive } from '../backups/archive/archive-store.ts';
import { auditDatabase } from '../database-audit.ts';
import { dropAndUnregister } from '../database-dropping.ts';
import { refuseDuplicateName, refuseUnusableName } from '../database-names.ts';
import { findDatabaseById } from '../databases.repository.ts';
import { buildDatabase, getDatabaseById, registerDatabase } from '../databases.service.ts';
import { makeReady } from '../ready-database.ts';
import { adoptTables } from './adopted-tables.ts';
import { getPlan, getSource, noSource, sourceStore, withSource } from './adoption.service.ts';
import { planAdoption } from './adoption-plan.ts';
import { deleteSource, lockSource, type SourceRow } from './adoption-sources.repository.ts';
import { fullName, type OpenSource } from './source/foreign-source.ts';

/** How long the rows of tables that stay behind may be counted, in milliseconds. */
const COUNTING_TIME = 600_000;
const GIVEN_UP_BECAUSE =
  'The server was killed, or crashed, while it was reading this database: nothing was made, and it does not begin again by itself.';

/**
 * Makes a database of the rows of one from elsewhere. Its id is the operation's. Only data is read of the source: none of its SQL runs.
 */
export const adoptOperation = operationKind({
  name: 'adopt',
  participle: 'adopted',
  input: adoptDatabase.omit({ id: true }).extend({ sourceId: adoptDatabase.shape.id }),
  steps: [
    { name: 'Making the database', cancellable: true },
    { name: 'Loading and comparing', cancellable: true, givenUpBecause: GIVEN_UP_BECAUSE },
    { name: 'Making it available', cancellable: false },
  ],
  async prepare(context, { sourceId, databaseName, tables, plan }, { id }) {
    const { sizeBytes } = await getSource(context, sourceId);
    const current = await getPlan(context, { id: sourceId, tables });
    refuseChangedPlan(plan, current, 'What would be adopted');
    await refuseUnusableName(context, databaseName);
    const row = { id, name: databaseName, tenantId: null, copiedFrom: null };
    return {
      database: { id, name: databaseName },
      claims: [id],
      sizeBytes,
      register: async (trx) => {
        if (!(await lockSource(trx, sourceId))) throw noSource();
        const database = { ...row, schemaVersion: newestTenantSchemaVersion() };
        await registerDatabase(context, trx, database).catch(refuseDuplicateName);
      },
    };
  },
  async run(run, { sourceId, tables }) {
    const { context, connection, server, operationId } = run;
    const row = await getDatabaseById(connection, operationId);
    const source = await getSource({ platform: connection }, sourceId);
    await run.step(0);
    await buildDatabase(context, run, row, await server.template());
    await run.step(1);
    const plan = planAdoption(sourceId, source, tables);
    const read = source.tables.filter(({ id }) => !plan.extra.includes(id));
    const { reports, ...behind } = await withSource(context, { source, read }, run.signal, async (open) => ({
      hasLargeObjects: open.hasLargeObjects,
      reports: await adoptTables(run, row, { source, tables: plan.tables, read: open.read }),
      extra: await countExtra(source, plan.extra, open),
    }));
    await run.step(2);
    const sum = (of: 'loaded' | 'rejected') => reports.reduce((total, table) => total + table[of], 0);
    const result = {
      id: row.id,
      databaseName: row.name,
      rows: sum('loaded'),
      rejected: sum('rejected'),
      tables: reports,
      ...behind,
    };
    await makeReady(context, run, row, async (trx) => {
      await deleteSource(trx, sourceId);
      await run.succeed(trx, { message: describeAdoption(result), result });
      const { databaseName: name, ...changes } = result;
      await auditDatabase(run, trx, 'databases.adopt', row.id, { name, ...changes });
    });
    // When this fails, the upkeep does it later.
    await removeArchive(sourceStore(context), sourceId).catch(() => {});
  },
  async undo(run) {
    const row = await findDatabaseById(run.connection, run.operationId);
    if (row) await dropAndUnregister(run, row, async () => {});
  },
});

/** The tables that stay behind, with their rows: of an archive as the inspection counted them, where it had the time. */
async function countExtra(
  { tables, connection }: SourceRow,
  extra: readonly string[],
  { count }: OpenSource,
): Promise<AdoptionReport['extra']> {
  const behind = tables.filter(({ id }) => extra.includes(id));
  const known = new Map(connection ? [] : behind.map(({ id, rows }) => [id, rows]));
  const counts = await count(
    behind.filter(({ id }) => (known.get(id) ?? null) === null),
    COUNTING_TIME,
  );
  return behind.map((table) => ({ name: fullName(table), rows: known.get(table.id) ?? counts.get(table.id) ?? null }));
}

function describeAdoption({ databaseName, rows, rejected, extra, hasLargeObjects }: AdoptionReport): string {
  const refused = rejected === 0 ? 'none rejected' : `${counted(rejected, 'row')} rejected`;
  const left = [
    ...(extra.length > 0 ? [tablesInWords(extra.length)] : []),
    ...(hasLargeObjects ? ['large objects'] : []),
  ];
  const behind = left.length === 0 ? '' : `, ${inWords(left)} left behind`;
  return `Success! ${databaseName} has been adopted: ${rowsInWords(rows)} loaded, ${refused}${behind}.`;
}
