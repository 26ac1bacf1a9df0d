import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import { type Insertable, sql } from 'kysely';
import { isOnAwayServer } from '../../db/away-servers.ts';
import { hasBeenSince } from '../../db/due-moments.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';
import { FIRST_VERSION } from './tenant-database/tenant-change.ts';

export interface DatabaseRow {
  id: string;
  name: string;
  /** The database server that it lives on. */
  serverId: string;
  physicalName: string;
  roleName: string;
  rolePassword: Buffer;
  tenantId: string | null;
  copiedFrom: string | null;
  state: 'creating' | 'ready' | 'deleting' | 'parked';
  schemaVersion: number;
  /** What its programs may do, as PostgreSQL was last told. */
  access: DatabaseAccess;
  /** As last measured. */
  sizeBytes: number;
}

const databases = (platform: Platform) =>
  platform
    .selectFrom('databases')
    .select([
      'id',
      'name',
      'serverId',
      'physicalName',
      'roleName',
      'rolePassword',
      'tenantId',
      'copiedFrom',
      'state',
      'schemaVersion',
      'access',
    ])
    // A double is exact for every size that a database can have.
    .select(sql<number>`coalesce(size_bytes, 0)::float8`.as('sizeBytes'));

/** Whether no operation works on a row of `databases`: one with a claim is settled by its operation. */
export const isUnclaimed = sql<boolean>`not exists (select from operation_claims c where c.database_id = databases.id)`;

export async function insertDatabase(trx: Trx, row: Insertable<PlatformTables['databases']>): Promise<void> {
  await trx.insertInto('databases').values(row).execute();
}

export function findDatabaseById(platform: Platform, id: string): Promise<DatabaseRow | undefined> {
  return databases(platform).where('id', '=', id).executeTakeFirst();
}

/** The ready database of a name, whatever its case. */
export function findReadyDatabaseByName(platform: Platform, name: string): Promise<DatabaseRow | undefined> {
  return databases(platform).where('name', '=', name).where('state', '=', 'ready').executeTakeFirst();
}

/** A tenant's database, whatever its state. */
export function findDatabaseByTenant(platform: Platform, tenantId: string): Promise<DatabaseRow | undefined> {
  return databases(platform).where('tenantId', '=', tenantId).executeTakeFirst();
}

/** All databases that can be worked with. */
export function listReadyDatabases(platform: Platform): Promise<DatabaseRow[]> {
  return databases(platform).where('state', '=', 'ready').execute();
}

/** All names that databases have, whatever their state. */
export function listDatabaseNames(platform: Platform): Promise<Pick<DatabaseRow, 'name' | 'tenantId'>[]> {
  return platform.selectFrom('databases').select(['name', 'tenantId']).execute();
}

/** The databases that a crash may have left half-made or half-deleted, outside operations. */
export function listUnsettledDatabases(platform: Platform): Promise<DatabaseRow[]> {
  return databases(platform)
    .where('state', 'in', ['creating', 'deleting'])
    .where(isUnclaimed)
    .orderBy('createdAt')
    .execute();
}

/** Locks the row of a database until the transaction ends. Waits for whoever is changing it. */
export function lockDatabaseRow(trx: Trx, id: string): Promise<DatabaseRow | undefined> {
  return databases(trx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Keeps the row of a database as it is until the transaction ends, once whoever is changing it has ended. */
export function holdDatabaseRow(trx: Trx, id: string): Promise<DatabaseRow | undefined> {
  return databases(trx).where('id', '=', id).forShare().executeTakeFirst();
}

/** Keeps operations from a ready database until the transaction ends. @returns false where one works on it, or it is not there */
export async function lockUnclaimed(trx: Trx, id: string): Promise<boolean> {
  const locking = trx.selectFrom('databases').select('id').where('id', '=', id).where('state', '=', 'ready');
  if (!(await locking.forUpdate().executeTakeFirst())) return false;
  // In a statement of its own: it sees the claims of those for which the lock was waited.
  return (await locking.where(isUnclaimed).executeTakeFirst()) !== undefined;
}

/** The ready databases of a server that no operation works on. */
export function listUnclaimedDatabases(platform: Platform, serverId: string): Promise<DatabaseRow[]> {
  return databases(platform)
    .where('state', '=', 'ready')
    .where('serverId', '=', serverId)
    .where(isUnclaimed)
    .orderBy('name')
    .execute();
}

/** Physical names of the databases of a server that wait to be dropped. */
export async function listDeletingNames(platform: Platform, serverId: string): Promise<string[]> {
  const rows = await platform
    .selectFrom('databases')
    .select('physicalName')
    .where('state', '=', 'deleting')
    .where('serverId', '=', serverId)
    .execute();
  return rows.map(({ physicalName }) => physicalName);
}

/** The limits of connections that are not the server's setting, by the role of the login. */
export async function listOwnConnectionLimits(
  platform: Platform,
  serverId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await platform
    .selectFrom('databaseLogins as l')
    .innerJoin('databases as d', 'd.id', 'l.databaseId')
    .select(['l.roleName', 'd.connectionLimit'])
    .where('d.serverId', '=', serverId)
    .where('d.connectionLimit', 'is not', null)
    .execute();
  return new Map(rows.map(({ roleName, connectionLimit }) => [roleName, Number(connectionLimit)]));
}

/** Whether a database is a clone that was anonymized before anybody could connect to it. */
export async function isAnonymizedClone(platform: Platform, id: string): Promise<boolean> {
  const row = await platform
    .selectFrom('anonymizedClones')
    .select('databaseId')
    .where('databaseId', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes a database's state if it is still the expected one. @returns whether it was */
export async function setDatabaseState(
  platform: Platform,
  id: string,
  from: DatabaseRow['state'],
  to: DatabaseRow['state'],
): Promise<boolean> {
  const changed = await platform
    .updateTable('databases')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Increments a tenant's version, because a tenant's edit includes its database's name. @returns the new version */
export async function incrementTenantVersion(trx: Trx, tenantId: string): Promise<number> {
  const { version } = await trx
    .updateTable('tenants')
    .set({ version: sql`version + 1` })
    .where('id', '=', tenantId)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

export async function setDatabaseName(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('databases').set({ name }).where('id', '=', id).execute();
}

export async function deleteDatabase(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('databases').where('id', '=', id).execute();
}

/** Notes what the programs of a database may do. */
export async function setAccess(trx: Trx, id: string, access: DatabaseAccess): Promise<void> {
  await trx.updateTable('databases').set({ access }).where('id', '=', id).execute();
}

/** Notes on which server a database lives. */
export async function setServer(trx: Trx, id: string, serverId: string): Promise<void> {
  await trx.updateTable('databases').set({ serverId }).where('id', '=', id).execute();
}

export async function setSchemaVersion(trx: Trx, id: string, schemaVersion: number): Promise<void> {
  await trx.updateTable('databases').set({ schemaVersion }).where('id', '=', id).execute();
}

/**
 * Ids of the databases with an older schema that are to be upgraded now. Left out are claimed ones, those whose server is away, and those
 * with an upgrade since `since` that has failed, unless it found the database in use and began before `busySince`. One that has succeeded
 * was made by an older server, which is replaced: it knows of no newer version.
 */
export async function listOutdatedDatabases(
  platform: Platform,
  version: number,
  { since, busySince, now }: { since: Date; busySince: Date; now: Date },
): Promise<string[]> {
  const rows = await platform
    .selectFrom('databases')
    .select('id')
    .where('state', '=', 'ready')
    .where('schemaVersion', '<', version)
    .where(isUnclaimed)
    .where(sql<boolean>`not ${isOnAwayServer('databases.id')}`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operations')
            .select('operations.id')
            .whereRef('operations.databaseId', '=', 'databases.id')
            .where('kind', '=', 'upgrade')
            .where('state', '<>', 'succeeded')
            .where(hasBeenSince('operations.created_at', since, now))
            .where(
              sql<boolean>`(operations.error ->> 'code' is distinct from 'busy' or operations.created_at > ${busySince})`,
            ),
        ),
      ),
    )
    .orderBy('name')
    .execute();
  return rows.map(({ id }) => id);
}

const HOUR = 3_600_000;
/** In how many parts databases are swept, an hour each. It has no divisor in common with the hours of a day. */
const SWEPT_PARTS = 23;

/**
 * The ready databases to look into for kept rows now: those of which an operation tells that they were purged, or that they are copies and
 * have the kept rows of their source. Operations are forgotten, and a database that was registered again never had any. So each hour has its
 * part of all the others, another one than that hour had the day before: not every server runs at night.
 */
export function listToSweep(platform: Platform, now: Date): Promise<DatabaseRow[]> {
  return databases(platform)
    .where('state', '=', 'ready')
    .where('schemaVersion', '>=', FIRST_VERSION)
    .where(isUnclaimed)
    .where(
      sql<boolean>`(
        abs(hashtext(databases.id::text)::bigint) % ${SWEPT_PARTS} = ${Math.floor(now.getTime() / HOUR) % SWEPT_PARTS}
        or exists (
          select from operations o
          where o.database_id = databases.id and o.state = 'succeeded'
            and o.kind in ('purge', 'clone', 'duplicate-tenant')
        )
      )`,
    )
    .orderBy('name')
    .execute();
}
