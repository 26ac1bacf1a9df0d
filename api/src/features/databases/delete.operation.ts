import { AppError } from '../../errors.ts';
import { auditDatabase } from './database-audit.ts';
import { deletionKind } from './database-deletion.ts';
import type { DatabaseRow } from './databases.repository.ts';

/** Deletes a clone with its role. */
export const deleteOperation = deletionKind({
  name: 'delete',
  participle: 'deleted',
  refuse: refuseDatabaseOfTenant,
  async finish(run, trx, { id, name }, parked) {
    await run.succeed(trx, { message: 'Successfully deleted database.', result: { id, databaseName: name } });
    await auditDatabase(run, trx, 'databases.delete', id, { name, ...parked });
  },
});

/** A tenant's database is deleted only with the tenant. @throws AppError conflict */
export function refuseDatabaseOfTenant(row: DatabaseRow): void {
  if (row.tenantId === null) return;
  throw new AppError('conflict', {
    message: `${row.name} is the database of a tenant: it is deleted with the tenant, on the Tenants screen.`,
  });
}
