import { RESERVED_DATABASE_NAMES } from '@apotheca/contract/database-name';
import type { Context } from '../../context.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import {
  type DatabaseRow,
  findDatabaseByTenant,
  findReadyDatabaseByName,
  listDatabaseNames,
  setDatabaseName,
} from './databases.repository.ts';

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
  // Of the same names for PostgreSQL the same: older versions stored their accents as they came.
  const keyOf = (name: string) => name.toUpperCase().normalize('NFC');
  const owners = new Map(names.map(({ name, tenantId }) => [keyOf(name), tenantId]));
  return (name, owner) => {
    refuseReserved(name);
    const key = keyOf(name);
    if (owners.has(key) && owners.get(key) !== owner) throw databaseNameTaken();
    owners.set(key, owner);
  };
}

/** @throws AppError reserved-name */
export function refuseReserved(name: string): void {
  if (!RESERVED_DATABASE_NAMES.includes(name.toUpperCase())) return;
  const message = `The name '${name}' is reserved.`;
  throw fieldError('reserved-name', 'databaseName', message);
}

/** Turns a violated `databases__name` into a refusal that names the field. */
export const refuseDuplicateName = refuseBy({ databases__name: databaseNameTaken });

/** The refusal of a name that another database has. */
export function databaseNameTaken(): AppError {
  const message = 'A database with this name exists already.';
  return fieldError('already-exists', 'databaseName', message);
}
