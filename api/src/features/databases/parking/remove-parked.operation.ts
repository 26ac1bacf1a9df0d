import { z } from 'zod';
import { isIntact } from '../../../db/cluster/cluster.ts';
import type { Trx } from '../../../db/platform.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { auditDatabase } from '../database-audit.ts';
import { completeDeletion, dropFrom } from '../database-deletion.ts';
import { refuseParkedVersion } from '../database-parking.ts';
import { findDatabaseById, setDatabaseState } from '../databases.repository.ts';
import { findParkedDatabase, type ParkedDatabase } from '../parked-databases.repository.ts';
import { getParked } from './parking.service.ts';

/** Drops a parked database with its role, for good. The point of no return is PostgreSQL's DROP DATABASE. */
export const removeParkedOperation = operationKind({
  name: 'remove-parked',
  participle: 'removed',
  input: z.object({ databaseId: z.string() }),
  steps: [{ name: 'Removing', cancellable: false }],
  async prepare({ platform }, { databaseId }) {
    const { parked } = await getParked(platform, databaseId);
    await refuseParkedVersion(platform, databaseId, parked.name);
    return { database: { id: databaseId, name: parked.name }, claims: [databaseId], sizeBytes: 0 };
  },
  async run(run, { databaseId }) {
    const { row, parked } = await getParked(run.connection, databaseId);
    await run.step(0);
    await dropFrom(run, { ...row, name: parked.name }, 'parked', (trx) => finish(run, trx, parked));
  },
  async complete(run, { databaseId }) {
    const parked = await findParkedDatabase(run.connection, databaseId);
    return parked !== undefined && completeDeletion(run, databaseId, (trx) => finish(run, trx, parked));
  },
  async undo({ connection, cluster }, { databaseId }) {
    const row = await findDatabaseById(connection, databaseId);
    if (row && (await isIntact(cluster, row))) await setDatabaseState(connection, row.id, 'deleting', 'parked');
  },
});

async function finish(run: Run, trx: Trx, { databaseId: id, name, tenant }: ParkedDatabase): Promise<void> {
  const message = `Successfully removed database ${name}.`;
  await run.succeed(trx, { message, result: { id, databaseName: name } });
  await auditDatabase(run, trx, 'databases.remove-parked', id, { name, ...(tenant && { tenantCode: tenant.code }) });
}
