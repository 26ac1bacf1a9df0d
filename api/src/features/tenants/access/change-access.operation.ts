import { type DatabaseAccess, standingOf } from '@apotheca/contract/tenant-access';
import { z } from 'zod';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { allowLogin } from '../../../db/cluster/database-sessions.ts';
import { drainRoles, listLoginRoles } from '../../../db/cluster/login-roles.ts';
import { AppError } from '../../../errors.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { utcDay } from '../../../wording.ts';
import { getDatabaseById, grantRights, noteAccess, preparationFor } from '../../databases/databases.service.ts';
import { type AccessRow, findAccess, lockAccess } from './tenant-access.repository.ts';

type DatabaseRow = Awaited<ReturnType<typeof getDatabaseById>>;

/** How long what a program does may go on when its database is closed, in milliseconds. */
const GRACE = 10_000;

/** What people are told of a database. */
export const TOLD: Record<DatabaseAccess, string> = {
  open: 'is open to its programs',
  'read-only': 'can only be read by its programs',
  closed: 'is closed to its programs',
};

/**
 * Tells PostgreSQL what the programs of a tenant may do now, by the tenant's record: they log in and write, they only read, or nobody
 * logs in and their sessions are ended. Everything stays as it is for the way back.
 */
export const changeAccessOperation = operationKind({
  name: 'change-access',
  participle: 'opened or closed to its programs',
  input: z.object({ databaseId: z.string() }),
  steps: [
    { name: 'Changing rights', cancellable: false },
    { name: 'Ending sessions', cancellable: false },
  ],
  async prepare({ platform }, { databaseId }) {
    const row = await getDatabaseById(platform, databaseId);
    if (row.state !== 'ready') throw new AppError('not-found');
    return { ...preparationFor(row), sizeBytes: 0 };
  },
  async run(run, { databaseId }) {
    const { context, connection } = run;
    const row = await getDatabaseById(connection, databaseId);
    let wanted = accessFor(context, await findAccess(connection, databaseId));
    let access: DatabaseAccess;
    do {
      access = wanted;
      await run.step(0);
      await apply(run, row, access);
      await run.step(1);
      if (access === 'closed') await drain(run, row);
      wanted = await finish(run, row, access);
    } while (wanted !== access);
  },
  async undo(run, { databaseId }) {
    const row = await getDatabaseById(run.connection, databaseId);
    if (row.state === 'ready') await apply(run, row, row.access);
  },
});

/** What the programs of a database may do now, by the record of its tenant. One without a tenant is open. */
const accessFor = (context: Context, tenant: AccessRow | undefined): DatabaseAccess =>
  tenant ? standingOf(tenant, utcDay(context.now()), context.suspension).access : 'open';

/**
 * Ends the operation, unless the tenant's record has changed meanwhile: whoever changed it finds the database as it was noted before, and starts
 * no operation of their own. From its lock on they wait, and find what is noted here.
 * @returns what the programs may do now; something else than `access`: the operation has not ended
 */
function finish(run: Run, row: DatabaseRow, access: DatabaseAccess): Promise<DatabaseAccess> {
  const { context, connection, actor } = run;
  return connection.transaction().execute(async (trx) => {
    const tenant = await lockAccess(trx, row.id);
    const wanted = accessFor(context, tenant);
    if (wanted !== access) return wanted;
    await noteAccess(trx, row.id, access);
    await run.succeed(trx, { message: `${row.name} ${TOLD[access]}.`, result: { id: row.id, access } });
    if (access === row.access) return access;
    const record = tenant
      ? { entity: 'tenants', entityId: tenant.tenantId }
      : { entity: 'databases', entityId: row.id };
    const changes = { databaseName: row.name, access: [row.access, access] };
    await appendAudit(context, trx, { actor, action: `${record.entity}.change-access`, ...record, changes });
    return access;
  });
}

/** Rights come before logins are allowed; logins are blocked before anything else. */
async function apply({ context, cluster }: Run, row: DatabaseRow, access: DatabaseAccess): Promise<void> {
  if (access === 'closed') return allowLogin(cluster, row.roleName, false);
  await grantRights(context, { ...row, access });
  await allowLogin(cluster, row.roleName, true);
}

async function drain({ cluster }: Run, { roleName }: DatabaseRow): Promise<void> {
  await drainRoles(cluster, [roleName, ...(await listLoginRoles(cluster, roleName))], GRACE);
}
