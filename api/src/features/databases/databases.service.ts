import { randomBytes, randomUUID } from 'node:crypto';
import { RESERVED_DATABASE_NAMES } from '@apotheca/contract/database-name';
import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import type { Context } from '../../context.ts';
import {
  adoptDatabase,
  allowConnections,
  allowLogin,
  createDatabase,
  createDatabaseAndRole,
  databaseSize,
  dropDatabaseAndRole,
  leaveFlushing,
  listDatabasesWithRights,
  withClusterLock,
  withDatabaseLock,
} from '../../db/cluster/cluster.ts';
import { disown } from '../../db/cluster/disowning.ts';
import { physicalName } from '../../db/cluster/names.ts';
import { asCluster, atHome, type ClusterSession, isAtHome, type Sessions } from '../../db/cluster/session.ts';
import { giveRightsInCopy, giveTenantRights } from '../../db/cluster/tenant-rights.ts';
import { leaveTenantGroup, makeTenantRole, type TenantRole } from '../../db/cluster/tenant-role.ts';
import { type Cluster, HOME_SERVER, onClusterSession, sessionsWithin } from '../../db/clusters.ts';
import { violatedConstraint } from '../../db/errors/postgres-errors.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { decrypt, encrypt } from '../../secrets.ts';
import { placeDatabase } from '../databaseservers/placement.ts';
import {
  type DatabaseRow,
  deleteDatabase,
  findDatabaseById,
  findDatabaseByTenant,
  findReadyDatabaseByName,
  insertDatabase,
  listDatabaseNames,
  listDeletingNames,
  listReadyDatabases as listReady,
  setAccess,
  setDatabaseName,
  setSize,
} from './databases.repository.ts';
import { makeReady } from './ready-database.ts';
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
}

/**
 * Registers a database in state 'creating', with its server, its physical name and the password of its role.
 * @throws AppError reserved-name, conflict where its server is full or takes no tenants; violates `databases__name` when the name is taken
 */
export async function registerDatabase(context: Context, trx: Trx, database: NewDatabase): Promise<void> {
  refuseReserved(database.name);
  const identifier = physicalName(database.id, database.name);
  const { serverId: wanted, ...row } = database;
  const serverId = await placeDatabase(trx, {
    wanted,
    isTenants: row.tenantId !== null,
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

interface NewTenantDatabase {
  name: string;
  /** null: `finish` gives the database to a tenant that exists already, which undoing must not delete. */
  tenantId: string | null;
  /** The server that it is to live on; absent: the active one with the most room. */
  serverId?: string | undefined;
  /** Inserts the tenant, in the transaction that registers its database. */
  register(trx: Trx): Promise<void>;
  /** Appends the audit entry, in the transaction that makes the database ready. */
  finish(trx: Trx, databaseId: string): Promise<void>;
  /** Deletes the rows that `register` inserted. */
  unregister(trx: Trx): Promise<void>;
}

/**
 * Makes an empty database of the newest schema for a tenant, all or nothing. The registry's row is written first. A failure undoes
 * everything; after a crash, settling does (database-settling.ts).
 * @throws AppError reserved-name, already-exists; conflict, database-away of its server
 */
export async function createDatabaseOfTenant(context: Context, database: NewTenantDatabase): Promise<void> {
  const id = randomUUID();
  // Locked before the row is visible, so settleDatabases leaves a creation alone that is still running.
  await context.utility
    .connection()
    .execute((connection) =>
      withDatabaseLock(atHome(connection), id, async () => {
        const row = await registerOfTenant(context, connection, id, database);
        const make = (sessions: Sessions) => makeDatabaseOfTenant(context, sessions, row, database);
        await onServerOfRow(context, connection, row, make, () => unregister(connection, id, database.unregister));
      }),
    )
    .catch(refuseDuplicateName);
}

/** Writes the rows of a tenant and its database; on the control database's own server, its role is made with them. */
function registerOfTenant(
  context: Context,
  connection: Platform,
  id: string,
  { name, tenantId, serverId, register }: NewTenantDatabase,
): Promise<DatabaseRow> {
  return connection.transaction().execute(async (trx) => {
    await register(trx);
    const schemaVersion = newestTenantSchemaVersion();
    await registerDatabase(context, trx, { id, name, tenantId, copiedFrom: null, schemaVersion, serverId });
    const row = await getDatabaseById(trx, id);
    if (row.serverId === HOME_SERVER) {
      // CREATE DATABASE comes next, and waits for the disk. That of another server would not wait for this one's.
      await leaveFlushing(trx);
      await makeTenantRole(asCluster(trx), loginRoleOf(context, row));
    }
    return row;
  });
}

async function makeDatabaseOfTenant(
  context: Context,
  sessions: Sessions,
  row: DatabaseRow,
  { finish, unregister }: NewTenantDatabase,
): Promise<void> {
  const { cluster } = sessions;
  try {
    const template = await (await context.clusters.of(row.serverId)).template();
    if (!isAtHome(sessions)) await makeTenantRole(cluster, loginRoleOf(context, row));
    await createDatabase(cluster, { ...row, template });
    await context.tenants.with(row, (client) => giveRightsInCopy(client, row.roleName, template), { unlimited: true });
    await makeReady(context, sessions, row, (trx) => finish(trx, row.id));
  } catch (error) {
    await dropAndUnregister(sessions, row, unregister);
    throw error;
  }
}

/**
 * Runs `work` with a session on the server of a new database, whose lock it takes there too.
 * @param undo what is done where there is no such session: nothing has been made yet
 */
async function onServerOfRow(
  context: Context,
  connection: Platform,
  row: DatabaseRow,
  work: (sessions: Sessions) => Promise<void>,
  undo: () => Promise<void>,
): Promise<void> {
  if (row.serverId === HOME_SERVER) return work(atHome(connection));
  let hasBegun = false;
  const begin = async (cluster: ClusterSession) => {
    hasBegun = true;
    await withClusterLock(cluster, row.id, () => work({ connection, cluster }));
  };
  try {
    await onClusterSession(await context.clusters.of(row.serverId), begin);
  } catch (error) {
    if (!hasBegun) await undo();
    throw error;
  }
}

/** Drops what a database's role owns in other databases: PostgreSQL would refuse to drop the role. */
export async function dropPossessions(
  context: Context,
  { connection, cluster }: Sessions,
  { serverId, physicalName, roleName }: Pick<DatabaseRow, 'serverId' | 'physicalName' | 'roleName'>,
): Promise<void> {
  const waiting = await listDeletingNames(connection, serverId);
  for (const name of await listDatabasesWithRights(cluster, roleName)) {
    if (name === physicalName || waiting.includes(name)) continue;
    const place = { serverId, physicalName: name };
    await context.tenants.with(place, (client) => disown(client, roleName, physicalName), { unlimited: true });
  }
}

/** Drops a database with its role. Databases that it replaced, and that still wait to be dropped, go with it. */
export async function dropWithRole({ connection, cluster }: Sessions, row: DatabaseRow): Promise<void> {
  await dropDatabaseAndRole(cluster, row, await listDeletingNames(connection, row.serverId));
}

/** Drops a database with its role, then deletes its row and the rows that belong to it. Each step may have been done before. */
export async function dropAndUnregister(
  sessions: Sessions,
  row: DatabaseRow,
  deleteOthers: (trx: Trx) => Promise<void>,
): Promise<void> {
  await dropWithRole(sessions, row);
  await unregister(sessions.connection, row.id, deleteOthers);
}

async function unregister(connection: Platform, id: string, deleteOthers: (trx: Trx) => Promise<void>): Promise<void> {
  await connection.transaction().execute(async (trx) => {
    await deleteDatabase(trx, id);
    await deleteOthers(trx);
  });
}

/** Allows connections to a database and logins of its role again, unless it is closed to its programs. */
export async function reopenDatabase(
  cluster: ClusterSession,
  { physicalName, roleName, access }: Pick<DatabaseRow, 'physicalName' | 'roleName' | 'access'>,
): Promise<void> {
  await allowConnections(cluster, physicalName, true);
  await allowLogin(cluster, roleName, access !== 'closed');
}

/** Measures a database for the list. */
export async function measureDatabase(context: Context, connection: Platform, row: DatabaseRow): Promise<void> {
  const { cluster } = await sessionsWithin(context, row.serverId, connection);
  const sizeBytes = await databaseSize(cluster, row.physicalName);
  await setSize(connection, row.id, { sizeBytes, measuredAt: context.now() });
}

/** Changes the name of a tenant's database. @returns the old name. @throws AppError not-found, reserved-name */
export async function renameDatabaseOfTenant(trx: Trx, tenantId: string, name: string): Promise<string> {
  const row = await findDatabaseByTenant(trx, tenantId);
  if (!row) throw new AppError('not-found');
  await renameDatabase(trx, row, name);
  return row.name;
}

/** Changes a database's name. Its physical name, role and sessions stay. @throws AppError reserved-name */
export async function renameDatabase(trx: Trx, row: DatabaseRow, name: string): Promise<void> {
  refuseReserved(name);
  if (row.name !== name) await setDatabaseName(trx, row.id, name);
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
  if (!row || row.state === 'parked') throw new AppError('not-found', { message: 'This database is gone.' });
  return row;
}

/** Refuses a name that is reserved or taken. @throws AppError reserved-name, already-exists */
export async function refuseUnusableName(context: Context, name: string): Promise<void> {
  refuseReserved(name);
  if (await findReadyDatabaseByName(context.platform, name)) throw databaseNameTaken();
}

/**
 * The names of all databases, for callers that choose many.
 * @returns takes a name for an owner: a tenant's id, or what the caller calls one that is not there yet
 */
export async function openDatabaseNames(context: Context): Promise<(name: string, owner: string) => void> {
  const names = await listDatabaseNames(context.platform);
  const owners = new Map(names.map(({ name, tenantId }) => [name.toUpperCase(), tenantId]));
  return (name, owner) => {
    refuseReserved(name);
    const key = name.toUpperCase();
    if (owners.has(key) && owners.get(key) !== owner) throw databaseNameTaken();
    owners.set(key, owner);
  };
}

/** The connection string of a database's own role. It has the password, so it must never leave the server. */
export async function connectionStringOf(context: Context, row: DatabaseRow): Promise<string> {
  const url = new URL((await context.clusters.of(row.serverId)).url);
  url.username = row.roleName;
  url.password = decrypt(context.keys.databases, row.rolePassword);
  url.pathname = `/${row.physicalName}`;
  return url.href;
}

function refuseReserved(name: string): void {
  if (!RESERVED_DATABASE_NAMES.includes(name.toUpperCase())) return;
  const message = `The name '${name}' is reserved.`;
  throw fieldError('reserved-name', 'databaseName', message);
}

/** Turns a violated `databases__name` into a refusal that names the field. */
export function refuseDuplicateName(error: unknown): never {
  if (violatedConstraint(error)?.constraint === 'databases__name') throw databaseNameTaken();
  throw error;
}

/** The refusal of a name that another database has. */
export function databaseNameTaken(): AppError {
  const message = 'A database with this name exists already.';
  return fieldError('already-exists', 'databaseName', message);
}

function noDatabase(name: string): AppError {
  return new AppError('not-found', { message: `There is no database '${name}'.` });
}
