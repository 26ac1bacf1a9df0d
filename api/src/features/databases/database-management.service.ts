import { createHash } from 'node:crypto';
import type { DatabaseDetails, DeletionPlan } from '@apotheca/contract/databases';
import type { SortDirection } from '@apotheca/contract/sorting';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type { Transaction } from 'kysely';
import { type Actor, appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { countSessions, databaseSize } from '../../db/cluster.ts';
import type { PlatformTables } from '../../db/platform.ts';
import { violatedConstraint } from '../../db/postgres-errors.ts';
import { withTenantDatabase } from '../../db/tenant-connection.ts';
import { AppError } from '../../errors.ts';
import { type DatabaseRow, getDatabaseSummary, listDatabasesJson } from './databases.repository.ts';
import {
  createDatabase,
  databaseNameTaken,
  eraseDatabase,
  getDatabaseByName,
  renameDatabase,
} from './databases.service.ts';
import { countTables, getSchemaVersion } from './tenant-database.repository.ts';

type Trx = Transaction<PlatformTables>;

interface Changed {
  id: string;
  databaseName: string;
}

/** All databases, as JSON text. */
export function listDatabases(context: Context, direction: SortDirection): Promise<string> {
  return listDatabasesJson(context.pool, direction);
}

/** Size, tables, connections and schema version of a database. @throws AppError not-found */
export async function getDatabaseDetails(context: Context, name: string): Promise<DatabaseDetails> {
  const row = await getDatabaseByName(context, name);
  const { physicalName, roleName } = row;
  // Counted before this look adds a session of its own.
  const connections = await countSessions(context.platform, physicalName);
  const inside = await withTenantDatabase(context.databaseUrl, physicalName, async (client) => ({
    schemaVersion: await getSchemaVersion(client),
    tables: await countTables(client, TENANT_TABLE_NAMES),
  }));
  const sizeBytes = await databaseSize(context.platform, physicalName);
  return {
    ...(await getDatabaseSummary(context.platform, row.id)),
    physicalName,
    roleName,
    sizeBytes,
    connections,
    ...inside,
  };
}

/**
 * What deleting a clone would destroy (DECISIONS §8). The digest covers the database and its row counts, not its sessions:
 * they come and go.
 * @throws AppError not-found; conflict for the database of a tenant
 */
export async function planDeletion(context: Context, name: string): Promise<DeletionPlan> {
  const row = await getDatabaseByName(context, name);
  refuseTenants(row);
  const { sizeBytes, connections, tables } = await getDatabaseDetails(context, name);
  const counts = tables.map((table) => [table.name, table.rows]);
  const digest = createHash('sha256')
    .update(JSON.stringify([row.id, counts]))
    .digest('base64url');
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { databaseName: row.name, sizeBytes, rows, connections, digest };
}

/** The text of the delete confirmation. */
export function describePlan({ databaseName, rows, connections }: DeletionPlan): string {
  const sessions =
    connections === 0 ? '' : ` ${connections} open ${connections === 1 ? 'session' : 'sessions'} will be ended.`;
  const count = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
  return `Deleting ${databaseName} permanently erases ${count} with the database and its role.${sessions}`;
}

/**
 * Deletes a clone with its role, for good.
 * @param plan digest of the plan that was confirmed; absent: whatever is there now
 * @throws AppError not-found; conflict when the plan has changed or a tenant owns the database
 */
export async function deleteDatabaseByName(
  context: Context,
  actor: Actor,
  name: string,
  plan?: string,
): Promise<Changed> {
  const row = await getDatabaseByName(context, name);
  refuseTenants(row);
  if (plan !== undefined && plan !== (await planDeletion(context, name)).digest) {
    throw new AppError('conflict', { message: `${row.name} has changed since it was looked at: please check again.` });
  }
  await eraseDatabase(context, row, (trx) =>
    audit(context, trx, actor, 'databases.delete', row.id, { name: row.name }),
  );
  return { id: row.id, databaseName: row.name };
}

/** Copies a database with every row to one that no tenant owns. @throws AppError not-found, already-exists, reserved-name */
export async function cloneDatabase(context: Context, actor: Actor, copyFrom: string, name: string): Promise<Changed> {
  const source = await getDatabaseByName(context, copyFrom);
  const id = await createDatabase(context, {
    name,
    tenantId: null,
    source,
    register: async () => {},
    unregister: async () => {},
    announce: (trx, databaseId) =>
      audit(context, trx, actor, 'databases.clone', databaseId, { name, copyFrom: source.name }),
  });
  return { id, databaseName: name };
}

/** Gives a database another shown name. @throws AppError not-found, already-exists, reserved-name */
export async function renameDatabaseByName(
  context: Context,
  actor: Actor,
  name: string,
  newName: string,
): Promise<Changed> {
  const row = await getDatabaseByName(context, name);
  await context.platform
    .transaction()
    .execute(async (trx) => {
      await renameDatabase(trx, row, newName);
      await audit(context, trx, actor, 'databases.rename', row.id, { name: [row.name, newName] });
    })
    .catch((error: unknown) => {
      throw violatedConstraint(error)?.constraint === 'databases__name' ? databaseNameTaken() : error;
    });
  return { id: row.id, databaseName: newName };
}

function refuseTenants(row: DatabaseRow): void {
  if (row.tenantId === null) return;
  throw new AppError('conflict', {
    message: `${row.name} is the database of a tenant: it is deleted with the tenant, on the Tenants screen.`,
  });
}

function audit(
  context: Context,
  trx: Trx,
  actor: Actor,
  action: string,
  entityId: string,
  changes: Record<string, unknown>,
) {
  return appendAudit(trx, context.keys.audit, { actor, action, entity: 'databases', entityId, changes }, context.now());
}
