import { z } from 'zod';
import { migrateTenantSchema, newestTenantSchemaVersion } from '../../db/migrate.ts';
import { AppError } from '../../errors.ts';
import { operationKind } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { setSchemaVersion } from './databases.repository.ts';
import { getDatabaseById } from './databases.service.ts';

/** Brings a database to the newest version of the tenants' schema, one transaction a version: a failed one stays on its old version. */
export const upgradeOperation = operationKind({
  name: 'upgrade',
  permission: 'databases.write',
  input: z.object({ databaseId: z.string() }),
  steps: [{ name: 'Upgrading the schema', cancellable: false }],
  async prepare(context, { databaseId }) {
    const row = await getDatabaseById(context.platform, databaseId);
    if (row.state !== 'ready') throw new AppError('not-found');
    return { database: { id: row.id, name: row.name }, claims: [row.id], sizeBytes: 0 };
  },
  async run(run, { databaseId }) {
    const { context, connection } = run;
    const row = await getDatabaseById(connection, databaseId);
    const version = newestTenantSchemaVersion();
    await run.step(0);
    await context.tenants.with(row.physicalName, (client) => migrateTenantSchema(client), { unlimited: true });
    await connection.transaction().execute(async (trx) => {
      await setSchemaVersion(trx, row.id, version);
      const message = `${row.name} has version ${version} of the schema.`;
      await run.succeed(trx, { message, result: { id: row.id, schemaVersion: version } });
      await auditDatabase(run, trx, 'databases.upgrade', row.id, { schemaVersion: [row.schemaVersion, version] });
    });
  },
});
