import type { DatabaseServerState, DatabaseServerTls } from '@apotheca/contract/databaseservers';
import { type Insertable, sql, type Updateable } from 'kysely';
import { HOME_SERVER } from '../../db/clusters.ts';
import { isReported } from '../../db/errors/postgres-errors.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

/** A database server as it is stored. */
export interface ServerRow {
  id: string;
  name: string;
  /** null: of the home server. */
  host: string | null;
  port: number | null;
  region: string;
  capacity: number | null;
  state: DatabaseServerState;
  tls: DatabaseServerTls;
  caCertificate: string;
  userName: string;
  password: Buffer | null;
  systemIdentifier: string | null;
  version: number;
}

const COLUMNS = [
  'id',
  'name',
  'host',
  'port',
  'region',
  'capacity',
  'state',
  'tls',
  'caCertificate',
  'userName',
  'password',
  'systemIdentifier',
  'version',
] as const;

/** All servers, the home one first. */
export function listServers(platform: Platform): Promise<ServerRow[]> {
  return platform
    .selectFrom('databaseServers')
    .select(COLUMNS)
    .orderBy(sql`id <> ${HOME_SERVER}`)
    .orderBy('name')
    .execute();
}

export function findServer(platform: Platform, id: string): Promise<ServerRow | undefined> {
  return platform.selectFrom('databaseServers').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** Locks a server until the transaction ends: nothing is placed on it meanwhile. */
export function lockServer(trx: Trx, id: string): Promise<ServerRow | undefined> {
  return trx.selectFrom('databaseServers').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function insertServer(trx: Trx, row: Insertable<PlatformTables['databaseServers']>): Promise<string> {
  const { id } = await trx.insertInto('databaseServers').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Changes a server and increments its version. */
export async function updateServer(
  trx: Trx,
  id: string,
  changes: Updateable<PlatformTables['databaseServers']>,
): Promise<void> {
  await trx
    .updateTable('databaseServers')
    .set({ ...changes, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function deleteServer(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('databaseServers').where('id', '=', id).execute();
}

/** What placing needs to know of a server. */
export interface ServerPlace {
  id: string;
  name: string;
  state: DatabaseServerState;
  capacity: number | null;
  isAway: boolean;
}

/** All servers as places. Their rows cannot be changed until the transaction ends. */
export function listPlaces(trx: Trx): Promise<ServerPlace[]> {
  return trx
    .selectFrom('databaseServers as s')
    .select(['s.id', 's.name', 's.state', 's.capacity'])
    .select(
      sql<boolean>`exists (select from database_server_health h where h.server_id = s.id and h.away_since is not null)`.as(
        'isAway',
      ),
    )
    .orderBy(sql`s.id <> ${HOME_SERVER}`)
    .orderBy('s.name')
    .forShare()
    .execute();
}

/** Lets one transaction after the other place tenants. */
export async function lockPlacing(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('placing-tenants', 0))`.execute(trx);
}

/**
 * Whether a database `d` takes the place of a tenant on its server: one that is being made, or moved there, does, a parked one does not. Only
 * a move makes a copy on another server than that of its source.
 */
const TAKES_PLACE = sql`(d.state <> 'parked' and (d.tenant_id is not null or exists (
  select from databases s
  where s.id = d.copied_from and s.server_id <> d.server_id and s.tenant_id is not null and d.state = 'creating'
)))`;

/** How many databases of tenants live on a server, those on the way there among them. */
export async function countTenantsOf(platform: Platform, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from databases d where d.server_id = ${id} and ${TAKES_PLACE}`.execute(platform);
  return rows[0]?.count ?? 0;
}

/** Where the databases go that are on the way to another server, by their ids. */
export async function listMoving(platform: Platform): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; serverId: string }>`
    select s.id, d.server_id as "serverId" from databases d
    join databases s on s.id = d.copied_from and s.server_id <> d.server_id
    where d.state = 'creating'`.execute(platform);
  return new Map(rows.map(({ id, serverId }) => [id, serverId]));
}

/** How many databases of each server there are: of tenants, those on the way there among them, and all, with clones and parked ones. */
export async function countDatabases(
  platform: Platform,
): Promise<ReadonlyMap<string, { tenants: number; databases: number }>> {
  const { rows } = await sql<{ id: string; tenants: number; databases: number }>`
    select d.server_id as id, (count(*) filter (where ${TAKES_PLACE}))::int as tenants, count(*)::int as databases
    from databases d group by d.server_id`.execute(platform);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** The names in PostgreSQL of all databases on a server, also of those that are parked. */
export async function listPhysicalNames(platform: Platform, serverId: string): Promise<string[]> {
  const rows = await platform.selectFrom('databases').select('physicalName').where('serverId', '=', serverId).execute();
  return rows.map(({ physicalName }) => physicalName);
}

/** By which PostgreSQL tells the home server's cluster from others; null where it may not be asked. */
export async function findHomeIdentifier(platform: Platform): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select system_identifier::text as id from pg_control_system()`
    .execute(platform)
    .catch((error: unknown) => {
      if (isReported(error)) return { rows: [] };
      throw error;
    });
  return rows[0]?.id ?? null;
}
