import type pg from 'pg';
import { z } from 'zod';
import { giveTenantRights } from '../../db/cluster/tenant-rights.ts';
import { leaveTenantGroup } from '../../db/cluster/tenant-role.ts';
import { LOCK_TIMEOUT } from '../../db/connections/session-settings.ts';
import { processIdOf } from '../../db/connections/watch.ts';
import { isLockTimeout } from '../../db/errors/postgres-errors.ts';
import { migrateTenantSchema } from '../../db/migrate.ts';
import { AppError } from '../../errors.ts';
import { cancellable } from '../../operations/cancellable.ts';
import { operationKind } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { type DatabaseRow, setSchemaVersion } from './databases.repository.ts';
import { getDatabaseById, preparationFor, rightsFor } from './databases.service.ts';

/** Upgrades a database to the newest schema, one transaction for each version. After a failure it stays on its last version. */
export const upgradeOperation = operationKind({
  name: 'upgrade',
  participle: 'upgraded',
  input: z.object({ databaseId: z.string() }),
  steps: [{ name: 'Upgrading the schema', cancellable: true }],
  async prepare(context, { databaseId }) {
    const row = await getDatabaseById(context.platform, databaseId);
    if (row.state !== 'ready') throw new AppError('not-found');
    return { ...preparationFor(row), sizeBytes: 0 };
  },
  async run(run, { databaseId }) {
    const { context, connection, cluster } = run;
    const row = await getDatabaseById(connection, databaseId);
    await run.step(0);
    const limits = { lockTimeout: LOCK_TIMEOUT, signal: run.signal };
    const migrate = (client: pg.Client) =>
      cancellable(run, processIdOf(client), async () => {
        const version = await migrateTenantSchema(client, limits);
        await giveTenantRights(client, row.roleName, rightsFor(row.access));
        return version;
      });
    const version = await context.tenants.with(row, migrate, { unlimited: true }).catch((error: unknown) => {
      throw isLockTimeout(error) ? inUseError(row) : error;
    });
    await leaveTenantGroup(cluster, row.roleName);
    await connection.transaction().execute(async (trx) => {
      await setSchemaVersion(trx, row.id, version);
      const message = `${row.name} has version ${version} of the schema.`;
      await run.succeed(trx, { message, result: { id: row.id, schemaVersion: version } });
      // A server of an older version finds nothing to do for a newer one that has asked.
      if (version === row.schemaVersion) return;
      await auditDatabase(run, trx, 'databases.upgrade', row.id, { schemaVersion: [row.schemaVersion, version] });
    });
  },
});

const inUseError = ({ name }: DatabaseRow): AppError =>
  new AppError('busy', {
    message: `${name} is in use by another session: its schema stays on its old version. The server tries again in a few minutes.`,
  });
