import { randomBytes, randomUUID } from 'node:crypto';
import { RESERVED_DATABASE_NAMES } from '@apotheca/contract/database-name';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import {
  allowConnections,
  createDatabaseAndRole,
  dropDatabaseAndRole,
  ifDatabaseUnlocked,
  withDatabaseLock,
  withoutSessions,
} from '../../db/cluster.ts';
import { physicalName } from '../../db/names.ts';
import type { Platform, PlatformTables } from '../../db/platform.ts';
import { violatedConstraint } from '../../db/postgres-errors.ts';
import { AppError } from '../../errors.ts';
import { decrypt, encrypt } from '../../secrets.ts';
import {
  type DatabaseRow,
  deleteDatabase,
  findDatabaseById,
  findDatabaseByTenant,
  findReadyDatabaseByName,
  insertDatabase,
  listClosedDatabases,
  listUnsettledDatabases,
  setDatabaseName,
  setDatabaseState,
} from './databases.repository.ts';

type Trx = Transaction<PlatformTables>;

interface NewDatabase {
  name: string;
  /** null: no tenant owns it. */
  tenantId: string | null;
  /** The database whose rows come along; absent: an empty one of the newest schema. */
  source?: DatabaseRow;
  /** Writes the rows that belong to the database (its tenant), in the transaction that registers it. */
  register(trx: Trx): Promise<void>;
  /** Runs in the transaction that makes the database ready: the audit entry. */
  announce(trx: Trx, databaseId: string): Promise<void>;
  /** Removes the rows that `register` wrote. */
  unregister(trx: Trx): Promise<void>;
}

/**
 * Makes a database and everything that belongs to it, all or nothing. The registry's row comes first, in state 'creating';
 * a failure undoes what was made, and a crash is undone at the next start by {@link settleDatabases}.
 * @returns the database's id
 * @throws AppError reserved-name, already-exists
 */
export async function createDatabase(context: Context, database: NewDatabase): Promise<string> {
  refuseReserved(database.name);
  const id = randomUUID();
  const identifier = physicalName(id, database.name);
  const password = randomBytes(24).toString('base64url');
  const row = {
    id,
    name: database.name,
    physicalName: identifier,
    roleName: identifier,
    rolePassword: encrypt(context.keys.databases, password),
    tenantId: database.tenantId,
    copiedFrom: database.source?.id ?? null,
    createdAt: context.now(),
  };
  // Locked before the row can be seen: nobody takes a creation under way for one that a crash left.
  await onOneConnection(context, (connection) =>
    withDatabaseLock(connection, id, async () => {
      await connection.transaction().execute(async (trx) => {
        await database.register(trx);
        await insertDatabase(trx, { ...row, state: 'creating' });
      });
      try {
        await copyInto(
          connection,
          { physicalName: identifier, roleName: identifier, password },
          context,
          database.source,
        );
        await connection.transaction().execute(async (trx) => {
          await setDatabaseState(trx, id, 'creating', 'ready');
          await database.announce(trx, id);
        });
      } catch (error) {
        await removeDatabase(connection, { ...row, state: 'creating' }, database.unregister);
        throw error;
      }
    }),
  ).catch(refuseDuplicateName);
  return id;
}

async function copyInto(
  connection: Platform,
  target: { physicalName: string; roleName: string; password: string },
  context: Context,
  source: DatabaseRow | undefined,
): Promise<void> {
  if (!source) return createDatabaseAndRole(connection, { ...target, template: context.tenantTemplate });
  await withDatabaseLock(connection, source.id, async () => {
    const current = await findDatabaseById(connection, source.id);
    if (current?.state !== 'ready')
      throw new AppError('not-found', { message: `There is no database '${source.name}'.` });
    await withoutSessions(connection, source.physicalName, () =>
      createDatabaseAndRole(connection, { ...target, template: source.physicalName }),
    );
  });
}

/** Drops a database with its role, then removes its row and the rows that belong to it. Every step may have been done before. */
async function removeDatabase(
  connection: Platform,
  row: DatabaseRow,
  unregister: (trx: Trx) => Promise<void>,
): Promise<void> {
  await dropDatabaseAndRole(connection, row);
  await connection.transaction().execute(async (trx) => {
    await deleteDatabase(trx, row.id);
    await unregister(trx);
  });
}

/** Erases a tenant's database as {@link eraseDatabase} does. @throws AppError not-found */
export async function eraseDatabaseOfTenant(
  context: Context,
  tenantId: string,
  unregister: (trx: Trx) => Promise<void>,
): Promise<void> {
  const row = await findDatabaseByTenant(context.platform, tenantId);
  if (row?.state !== 'ready') throw new AppError('not-found', { message: 'There is no such tenant.' });
  await eraseDatabase(context, row, unregister);
}

/**
 * Erases a database, its role and the rows that belong to it, for good. From the first moment it is in state 'deleting': a
 * crash is finished at the next start.
 * @param unregister removes the rows that belong to it and appends the audit entry
 * @throws AppError not-found when somebody else erases it already
 */
export async function eraseDatabase(
  context: Context,
  row: DatabaseRow,
  unregister: (trx: Trx) => Promise<void>,
): Promise<void> {
  await onOneConnection(context, (connection) =>
    withDatabaseLock(connection, row.id, async () => {
      const claimed = await setDatabaseState(connection, row.id, 'ready', 'deleting');
      if (!claimed) throw new AppError('not-found', { message: `There is no database '${row.name}'.` });
      await removeDatabase(connection, row, unregister);
    }),
  );
}

/** Who owns the rows that belong to a database; told by {@link settleDatabases} what to remove. */
export interface DatabaseOwner {
  /** Removes the rows of an owner whose creation is undone or whose erasure is finished, and appends the audit entry. */
  remove(trx: Trx, tenantId: string, reason: 'creation-undone' | 'erasure-finished'): Promise<void>;
}

/**
 * Makes good what a crash left: undoes creations, finishes erasures, lets sessions back into databases that were being
 * copied. Databases that another server process is working on are locked and left to it, unless `wait` is set.
 * @param wait at start: a killed server's CREATE DATABASE may still run and hold the lock until it ends
 * @throws AggregateError when some could not be settled; the others are
 */
export async function settleDatabases(
  context: Context,
  owner: DatabaseOwner,
  { wait }: { wait: boolean },
): Promise<void> {
  const locked = wait ? withDatabaseLock : ifDatabaseUnlocked;
  const unsettled = (await listUnsettledDatabases(context.platform)).map(({ id }) => ({
    id,
    repair: async (connection: Platform) => {
      const row = await findDatabaseById(connection, id);
      if (row && row.state !== 'ready') await settle(connection, row, owner);
    },
  }));
  const closed = (await listClosedDatabases(context.platform)).map(({ id, physicalName: name }) => ({
    id,
    repair: (connection: Platform) => allowConnections(connection, name, true),
  }));
  const failures: unknown[] = [];
  for (const { id, repair } of [...unsettled, ...closed]) {
    const attempt = onOneConnection(context, (connection) => locked(connection, id, () => repair(connection)));
    await attempt.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} databases could not be settled`);
}

async function settle(connection: Platform, row: DatabaseRow, owner: DatabaseOwner): Promise<void> {
  const reason = row.state === 'creating' ? 'creation-undone' : 'erasure-finished';
  await removeDatabase(connection, row, async (trx) => {
    if (row.tenantId) await owner.remove(trx, row.tenantId, reason);
  });
}

/** Gives a tenant's database another shown name. @returns the name that it had. @throws AppError not-found, reserved-name */
export async function renameDatabaseOfTenant(trx: Trx, tenantId: string, name: string): Promise<string> {
  const row = await findDatabaseByTenant(trx, tenantId);
  if (!row) throw new AppError('not-found');
  await renameDatabase(trx, row, name);
  return row.name;
}

/** Gives a database another shown name; its physical name, its role and its sessions stay. @throws AppError reserved-name */
export async function renameDatabase(trx: Trx, row: DatabaseRow, name: string): Promise<void> {
  refuseReserved(name);
  if (row.name !== name) await setDatabaseName(trx, row.id, name);
}

/** A ready database by its shown name. @throws AppError not-found */
export async function getDatabaseByName(context: Context, name: string): Promise<DatabaseRow> {
  const row = await findReadyDatabaseByName(context.platform, name);
  if (!row) throw new AppError('not-found', { message: `There is no database '${name}'.` });
  return row;
}

/** The connection string of a database for its own role, with its password: it never leaves the server. */
export function connectionStringOf(context: Context, row: DatabaseRow): string {
  const url = new URL(context.databaseUrl);
  url.username = row.roleName;
  url.password = decrypt(context.keys.databases, row.rolePassword);
  url.pathname = `/${row.physicalName}`;
  return url.href;
}

/** Utility commands, locks and the registry's rows go over one connection, so that no work waits for a second one of the pool. */
function onOneConnection<T>(context: Context, work: (connection: Platform) => Promise<T>): Promise<T> {
  return context.utility.connection().execute(work);
}

function refuseReserved(name: string): void {
  if (!RESERVED_DATABASE_NAMES.includes(name.toUpperCase())) return;
  const message = `The name '${name}' is reserved.`;
  throw new AppError('reserved-name', { message, errors: { databaseName: [message] } });
}

function refuseDuplicateName(error: unknown): never {
  if (violatedConstraint(error)?.constraint === 'databases__name') throw databaseNameTaken();
  throw error;
}

/** The refusal of a shown name that another database has. */
export function databaseNameTaken(): AppError {
  const message = 'A database with this name exists already.';
  return new AppError('already-exists', { message, errors: { databaseName: [message] } });
}
