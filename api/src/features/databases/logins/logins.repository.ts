import { LOGIN_OVERLAP_MINUTES, type LoginAccess } from '@apotheca/contract/credentials';
import { type Selectable, sql } from 'kysely';
import { hasCome } from '../../../db/due-moments.ts';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';
import type { DatabaseRow } from '../databases.repository.ts';

export type LoginRow = Selectable<PlatformTables['databaseLogins']>;

/** The limits of a database's logins; null: those of the server. */
export interface OwnLimits {
  connectionLimit: number | null;
  statementTimeoutSeconds: number | null;
}

/** A database's logins: current ones first, then by when they end. */
export function listLogins(platform: Platform, databaseId: string): Promise<LoginRow[]> {
  return platform
    .selectFrom('databaseLogins')
    .selectAll()
    .where('databaseId', '=', databaseId)
    .orderBy('validUntil', (end) => end.desc().nullsFirst())
    .orderBy('access', 'desc')
    .execute();
}

/** The login that programs get now. */
export function findCurrentLogin(
  platform: Platform,
  databaseId: string,
  access: LoginAccess,
): Promise<LoginRow | undefined> {
  return platform
    .selectFrom('databaseLogins')
    .selectAll()
    .where('databaseId', '=', databaseId)
    .where('access', '=', access)
    .where('validUntil', 'is', null)
    .executeTakeFirst();
}

/** The databases with logins whose verifier is not noted yet. */
export function listDatabasesWithoutVerifiers(platform: Platform): Promise<{ id: string; serverId: string }[]> {
  return platform
    .selectFrom('databaseLogins as l')
    .innerJoin('databases as d', 'd.id', 'l.databaseId')
    .select(['d.id', 'd.serverId'])
    .distinct()
    .where('l.scramVerifier', 'is', null)
    .execute();
}

/** The registered ones of some logins, each with the limit of its database. */
export async function findLogins(
  platform: Platform,
  roleNames: readonly string[],
): Promise<(Pick<LoginRow, 'roleName' | 'databaseId' | 'validUntil'> & Pick<OwnLimits, 'statementTimeoutSeconds'>)[]> {
  if (roleNames.length === 0) return [];
  return platform
    .selectFrom('databaseLogins as l')
    .innerJoin('databases as d', 'd.id', 'l.databaseId')
    .select(['l.roleName', 'l.databaseId', 'l.validUntil', 'd.statementTimeoutSeconds'])
    .where('l.roleName', 'in', roleNames)
    .execute();
}

/** The databases of a server, each with its own role. */
export function listOwnRoles(platform: Platform, serverId: string): Promise<{ id: string; roleName: string }[]> {
  return platform.selectFrom('databases').select(['id', 'roleName']).where('serverId', '=', serverId).execute();
}

/** Notes by what PostgreSQL verifies the password of a login. */
export async function setVerifier(platform: Platform, roleName: string, scramVerifier: string): Promise<void> {
  await platform.updateTable('databaseLogins').set({ scramVerifier }).where('roleName', '=', roleName).execute();
}

export async function insertLogin(trx: Trx, row: LoginRow): Promise<void> {
  await trx.insertInto('databaseLogins').values(row).execute();
}

/** Notes when a login ends. */
export async function setLoginEnd(trx: Trx, id: string, validUntil: Date): Promise<void> {
  await trx.updateTable('databaseLogins').set({ validUntil }).where('id', '=', id).execute();
}

/** SQL: whether a login has ended. One whose end was set by a clock that was ahead has: it would be valid for as long as that was ahead. */
const hasEnded = (column: string, now: Date) =>
  hasCome(column, now, sql`make_interval(mins => ${LOGIN_OVERLAP_MINUTES.max})`);

/** Deletes a login that has ended. @returns whether it was there */
export async function deleteEndedLogin(trx: Trx, id: string, now: Date): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('databaseLogins')
    .where('id', '=', id)
    .where(hasEnded('validUntil', now))
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The logins that have ended, with the server of their database. @param id of the only one that is wanted */
export function listEndedLogins(platform: Platform, now: Date, id?: string) {
  return platform
    .selectFrom('databaseLogins as l')
    .innerJoin('databases as d', 'd.id', 'l.databaseId')
    .select(['l.id', 'l.roleName', 'l.access', 'l.databaseId', 'd.serverId'])
    .where(hasEnded('l.validUntil', now))
    .$if(id !== undefined, (query) => query.where('l.id', '=', String(id)))
    .orderBy('l.validUntil')
    .execute();
}

export function getOwnLimits(platform: Platform, id: string): Promise<OwnLimits & Pick<DatabaseRow, 'access'>> {
  return platform
    .selectFrom('databases')
    .select(['connectionLimit', 'statementTimeoutSeconds', 'access'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function setOwnLimits(trx: Trx, id: string, limits: OwnLimits): Promise<void> {
  await trx.updateTable('databases').set(limits).where('id', '=', id).execute();
}

/** Whether an API key has been given the password of a login. */
export async function isReader(platform: Platform, loginId: string, keyPublicId: string): Promise<boolean> {
  const row = await platform
    .selectFrom('databaseLoginReaders')
    .select('loginId')
    .where('loginId', '=', loginId)
    .where('keyPublicId', '=', keyPublicId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that an API key is given the password of a login. @returns whether it was not noted yet */
export async function insertReader(trx: Trx, loginId: string, keyPublicId: string): Promise<boolean> {
  const noted = await trx
    .insertInto('databaseLoginReaders')
    .values({ loginId, keyPublicId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('loginId')
    .executeTakeFirst();
  return noted !== undefined;
}
