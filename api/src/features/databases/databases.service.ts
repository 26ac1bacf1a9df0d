import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import type { Context } from '../../context.ts';
import { adoptDatabase, createDatabaseAndRole, databaseSize, listWronglyClosed } from '../../db/cluster/cluster.ts';
import { allowConnections, allowLogin } from '../../db/cluster/database-sessions.ts';
import { physicalName } from '../../db/cluster/names.ts';
import type { ClusterSession, Sessions } from '../../db/cluster/session.ts';
import { giveTenantRights } from '../../db/cluster/tenant-rights.ts';
import { leaveTenantGroup, type TenantRole } from '../../db/cluster/tenant-role.ts';
import { type Cluster, sessionsWithin } from '../../db/clusters.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { decrypt, encrypt } from '../../secrets.ts';
import { placeDatabase } from '../databaseservers/placement.ts';
import { dropWithRole } from './database-dropping.ts';
import { refuseReserved } from './database-names.ts';
import { setSize } from './database-sizes.repository.ts';
import {
  type DatabaseRow,
  findDatabaseById,
  findDatabaseByTenant,
  findReadyDatabaseByName,
  holdDatabaseRow,
  insertDatabase,
  listReadyDatabases as listReady,
  lockUnclaimed,
  setAccess,
} from './databases.repository.ts';
import { getSchemaVersion } from './tenant-database/counts.repository.ts';

/** What a new row of the registry says. Its database does not exist yet. */
export interface NewDatabase {
  id: string;
  name: string;
  /** null: no tenant owns it. */
  tenantId: string | null;
  /** The database that is copied; null: an empty one is made. */
  copiedFrom: string | null;
  schemaVersion: number;
  /** The server that it is to live on; absent: the active one with the most room. */
  serverId?: string | undefined;
  /** Whether it takes a tenant's place on its server; absent: where it has a tenant by now. */
  isTenants?: boolean;
}

/**
 * Registers a database in state 'creating', with its server, its physical name and the password of its role.
 * @throws AppError reserved-name, conflict where its server is full or takes no tenants; violates `databases__name` when the name is taken
 */
export async function registerDatabase(context: Context, trx: Trx, database: NewDatabase): Promise<void> {
  refuseReserved(database.name);
  const identifier = physicalName(database.id, database.name);
  const { serverId: wanted, isTenants = database.tenantId !== null, ...row } = database;
  const serverId = await placeDatabase(trx, {
    wanted,
    isTenants,
    isCopy: row.copiedFrom !== null,
  });
  await insertDatabase(trx, {
    ...row,
    serverId,
    physicalName: identifier,
    roleName: identifier,
    rolePassword: encrypt(context.keys.databases, newPassword()),
    state: 'creating',
    createdAt: context.now(),
  });
}

/**
 * Makes the database of a registry row in state 'creating', with its role. First it drops what an earlier attempt left.
 * @param template physical name of the database to copy, which must have no sessions
 */
export async function buildDatabase(
  context: Context,
  sessions: Sessions,
  row: DatabaseRow,
  template: string,
): Promise<void> {
  await dropWithRole(sessions, row);
  await createDatabaseAndRole(sessions.cluster, { ...row, ...loginRoleOf(context, row), template });
  await grantRights(context, row);
}

/** A password for a role: 192 random bits. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/** Grants a database's role its rights on the tables: those to read where it may only read. No other role keeps any. */
export async function grantRights(
  context: Context,
  { roleName, access, ...place }: Pick<DatabaseRow, 'serverId' | 'physicalName' | 'roleName' | 'access'>,
): Promise<void> {
  await context.tenants.with(place, (client) => giveTenantRights(client, roleName, rightsFor(access)), {
    unlimited: true,
  });
}

/** The rights of a database's role. Where it is closed they stay: nobody can log in. */
export const rightsFor = (access: DatabaseAccess): 'write' | 'read' => (access === 'read-only' ? 'read' : 'write');

/** The login role that a database is to have. */
export function loginRoleOf(context: Context, { roleName, rolePassword, access }: DatabaseRow): TenantRole {
  const password = decrypt(context.keys.databases, rolePassword);
  return { roleName, password, connectionLimit: context.tenantConnections, canLogin: access !== 'closed' };
}

/** Registers a database of this installation that is missing in the registry. It becomes a clone without a source. */
export async function adoptUnregisteredDatabase(
  context: Context,
  { id: serverId, utility }: Cluster,
  physicalName: string,
): Promise<void> {
  const id = randomUUID();
  const place = { serverId, physicalName };
  const password = newPassword();
  const role = { roleName: physicalName, password, connectionLimit: context.tenantConnections, canLogin: true };
  await adoptDatabase(utility, { physicalName, ...role });
  await grantRights(context, { ...place, roleName: physicalName, access: 'open' });
  await leaveTenantGroup(utility, physicalName);
  const schemaVersion = await context.tenants.with(place, getSchemaVersion);
  await context.platform.transaction().execute((trx) =>
    insertDatabase(trx, {
      id,
      name: `RECOVERED ${id.slice(0, 8).toUpperCase()}`,
      ...place,
      roleName: physicalName,
      rolePassword: encrypt(context.keys.databases, password),
      tenantId: null,
      copiedFrom: null,
      schemaVersion,
      state: 'ready',
      createdAt: context.now(),
    }),
  );
}

/** Allows connections to a database and logins of its role again, unless it is closed to its programs. */
export async function reopenDatabase(
  cluster: ClusterSession,
  { physicalName, roleName, access }: Pick<DatabaseRow, 'physicalName' | 'roleName' | 'access'>,
): Promise<void> {
  await allowConnections(cluster, physicalName, true);
  await allowLogin(cluster, roleName, access !== 'closed');
}

/**
 * The same by what the registry says of it now, unless an operation works on it: that may have closed it meanwhile, and what waited for an operation
 * that has just ended may have other access for it.
 * @returns false where an operation works on it, or it is not there
 */
export function reopenUnclaimed(context: Context, id: string): Promise<boolean> {
  return context.platform.transaction().execute(async (trx) => {
    if (!(await lockUnclaimed(trx, id))) return false;
    const row = await getDatabaseById(trx, id);
    const { cluster } = await sessionsWithin(context, row.serverId, trx);
    for (const closed of await listWronglyClosed(cluster, [row])) await reopenDatabase(cluster, closed);
    return true;
  });
}

/** Measures a database for the list. */
export async function measureDatabase(context: Context, connection: Platform, row: DatabaseRow): Promise<void> {
  const { cluster } = await sessionsWithin(context, row.serverId, connection);
  const sizeBytes = await databaseSize(cluster, row.physicalName);
  await setSize(connection, row.id, { sizeBytes, measuredAt: context.now() });
}

/** The ready database of a name. @throws AppError not-found */
export async function getDatabaseByName(context: Context, name: string): Promise<DatabaseRow> {
  const row = await findReadyDatabaseByName(context.platform, name);
  if (!row) throw noDatabase(name);
  return row;
}

/** The ready database of a tenant; undefined where there is none. */
export async function findDatabaseOfTenant(context: Context, tenantId: string): Promise<DatabaseRow | undefined> {
  const row = await findDatabaseByTenant(context.platform, tenantId);
  return row?.state === 'ready' ? row : undefined;
}

/** The ready database of a tenant. @throws AppError not-found */
export async function getDatabaseOfTenant(context: Context, tenantId: string): Promise<DatabaseRow> {
  const row = await findDatabaseOfTenant(context, tenantId);
  if (!row) throw new AppError('not-found', { message: 'There is no such tenant.' });
  return row;
}

/** All ready databases. */
export const listReadyDatabases = listReady;

/** Notes what the programs of a database may do, as PostgreSQL was told. */
export async function noteAccess(trx: Trx, id: string, access: DatabaseAccess): Promise<void> {
  await setAccess(trx, id, access);
}

/** What an operation on one database needs to be queued. */
export function preparationFor({ id, name, sizeBytes }: DatabaseRow) {
  return { database: { id, name }, claims: [id], sizeBytes };
}

/** A registered database that is not parked, whatever else its state. @throws AppError not-found */
export async function getDatabaseById(platform: Platform, id: string): Promise<DatabaseRow> {
  const row = await findDatabaseById(platform, id);
  if (!row || row.state === 'parked') throw gone();
  return row;
}

/**
 * Keeps a database where it is until the transaction ends that registers an operation on it: what was found out before counts there.
 * @param found the row by which the operation was prepared
 * @throws AppError not-found, conflict where it has left its server since
 */
export async function holdAsFound(trx: Trx, found: DatabaseRow): Promise<void> {
  const row = await holdDatabaseRow(trx, found.id);
  if (row?.state !== found.state) throw gone();
  if (row.serverId !== found.serverId) throw movedMeanwhile(row.name);
}

/** The refusal of what was meant for a database on the server that it has left. */
export const movedMeanwhile = (name: string): AppError =>
  new AppError('conflict', { message: `${name} has been moved meanwhile.` });

/** The connection string of a database's own role. It has the password, so it must never leave the server. */
export async function connectionStringOf(context: Context, row: DatabaseRow): Promise<string> {
  const url = new URL((await context.clusters.of(row.serverId)).url);
  url.username = row.roleName;
  url.password = decrypt(context.keys.databases, row.rolePassword);
  url.pathname = `/${row.physicalName}`;
  return url.href;
}

const gone = (): AppError => new AppError('not-found', { message: 'This database is gone.' });

function noDatabase(name: string): AppError {
  return new AppError('not-found', { message: `There is no database '${name}'.` });
}
