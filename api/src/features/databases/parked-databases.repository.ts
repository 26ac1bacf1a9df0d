import { sql } from 'kysely';
import { isOnAwayServer } from '../../db/away-servers.ts';
import { hasBeenSince } from '../../db/due-moments.ts';
import { type TrackedList, utcMoment } from '../../db/json-list.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import type { DatabaseRow } from './databases.repository.ts';

/** How a database was before it was parked, and what became of its place. */
export interface ParkedDatabase {
  databaseId: string;
  name: string;
  /** Id of the database that took its place; null: it was deleted. */
  replacedBy: string | null;
  /** The row of the tenant that was deleted with it, by the names of its columns. */
  tenant: Record<string, unknown> | null;
  /** What was announced of that tenant, as rows of `expiry_notices`. */
  expiryNotices: unknown[] | null;
  keptUntil: Date;
}

interface NewParkedDatabase extends Omit<ParkedDatabase, 'name' | 'tenant' | 'expiryNotices'> {
  /** The tenant that is deleted with it. */
  tenantId: string | null;
  parkedAt: Date;
}

/** The parked databases and those that are being removed, newest first, in the shape of contract/parked-databases `parkedDatabase`. */
export const parkedDatabasesList: TrackedList<unknown> = {
  tables: ['parked_databases', 'databases', 'database_servers', 'tenants', 'operation_claims'],
  select: () => ({
    name: 'parked-databases',
    rows: `
      select p.database_id as id, p.name as "databaseName", coalesce(p.tenant ->> 'code', t.code) as "tenantCode",
        case when p.replaced_by is not null then 'replaced' when p.tenant is not null then 'tenant-deleted'
          else 'deleted' end as reason,
        case when successor.server_id <> d.server_id then s.name end as "goesBackTo",
        d.size_bytes as "sizeBytes", ${utcMoment('p.parked_at')} as "parkedOnUtc",
        ${utcMoment('p.kept_until')} as "keptUntilUtc",
        case when o.id is not null then json_build_object('id', o.id, 'kind', o.kind) end as operation
      from parked_databases p
      join databases d on d.id = p.database_id
      join database_servers s on s.id = d.server_id
      left join databases successor on successor.id = p.replaced_by
      left join tenants t on t.id = successor.tenant_id
      left join operation_claims c on c.database_id = d.id
      left join operations o on o.id = c.operation_id
      order by p.parked_at desc, p.database_id`,
  }),
};

export function findParkedDatabase(platform: Platform, id: string): Promise<ParkedDatabase | undefined> {
  return platform
    .selectFrom('parkedDatabases')
    .select(['databaseId', 'name', 'replacedBy', 'tenant', 'expiryNotices', 'keptUntil'])
    .where('databaseId', '=', id)
    .executeTakeFirst();
}

/**
 * Takes a database out of every list, under the name that it or what takes its place has by now, with a copy of its tenant's row and of what was
 * announced of it. Its name and its tenant are free afterwards.
 */
export async function insertParkedDatabase(
  trx: Trx,
  { databaseId, replacedBy, tenantId, parkedAt, keptUntil }: NewParkedDatabase,
): Promise<void> {
  // A statement of its own: the copy is of what another transaction has committed while this one waited for it.
  await sql`select from tenants where id = ${tenantId} for update`.execute(trx);
  await sql`
    insert into parked_databases (database_id, name, replaced_by, tenant, expiry_notices, parked_at, kept_until)
    values (${databaseId}, (select name from databases where id = ${replacedBy ?? databaseId}), ${replacedBy},
      (select to_jsonb(t) from tenants t where id = ${tenantId}),
      (select jsonb_agg(to_jsonb(n)) from expiry_notices n where tenant_id = ${tenantId}), ${parkedAt}, ${keptUntil})`.execute(
    trx,
  );
  await trx
    .updateTable('databases')
    .set({ state: 'parked', name: databaseId, tenantId: null })
    .where('id', '=', databaseId)
    .execute();
}

/** Notes that a parked database now holds the rows of the one that it took turns with, since now, under the name that this has by now. */
export async function parkAnew(
  trx: Trx,
  id: string,
  { parkedAt, keptUntil }: { parkedAt: Date; keptUntil: Date },
): Promise<void> {
  await sql`
    update parked_databases set name = (select name from databases where id = replaced_by),
      parked_at = ${parkedAt}, kept_until = ${keptUntil}
    where database_id = ${id}`.execute(trx);
}

/**
 * Makes a parked database ready under its name, with its tenant.
 * @throws a violation of `databases__name` or `tenants__code` when somebody else has them now
 */
export async function returnParkedDatabase(
  trx: Trx,
  { databaseId, name, tenant, expiryNotices }: ParkedDatabase,
): Promise<void> {
  if (tenant) await insertTenantAgain(trx, tenant);
  if (expiryNotices) {
    await sql`
      insert into expiry_notices
      select * from jsonb_populate_recordset(null::expiry_notices, ${JSON.stringify(expiryNotices)}::jsonb)`.execute(
      trx,
    );
  }
  await trx
    .updateTable('databases')
    .set({ state: 'ready', name, ...(tenant && { tenantId: String(tenant.id) }) })
    .where('id', '=', databaseId)
    .execute();
  await trx.deleteFrom('parkedDatabases').where('databaseId', '=', databaseId).execute();
}

/** Columns that were added to the table meanwhile get their defaults. Users who are gone by now are not named. */
async function insertTenantAgain(trx: Trx, tenant: Record<string, unknown>): Promise<void> {
  const columns = sql.join(Object.keys(tenant).map((column) => sql.ref(column)));
  await sql`
    insert into tenants (${columns})
    select ${columns} from jsonb_populate_record(null::tenants, ${JSON.stringify(tenant)}::jsonb || (
      select jsonb_object_agg(stamp, (select id from users where id::text = value))
      from jsonb_each_text(${JSON.stringify(tenant)}::jsonb) as stamps (stamp, value)
      where stamp in ('created_by', 'updated_by')
    ))`.execute(trx);
}

/** When the newest of the parked databases that a database replaced was parked; undefined where there is none. */
export async function findParkedVersion(platform: Platform, id: string): Promise<Date | undefined> {
  const row = await platform
    .selectFrom('parkedDatabases')
    .select('parkedAt')
    .where('replacedBy', '=', id)
    .orderBy('parkedAt', 'desc')
    .executeTakeFirst();
  return row?.parkedAt;
}

/**
 * Ids of the parked databases that are no longer kept, oldest first. Left out are those that replaced one that is still parked, which
 * goes first, those whose server is away, and those with an operation since `since`.
 * @param trusted the moment by a clock that is trusted (decision 038)
 */
export async function listExpiredDatabases(
  platform: Platform,
  trusted: Date,
  { since, now }: { since: Date; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.database_id as id from parked_databases p
    where p.kept_until <= ${trusted}
      and not exists (select from parked_databases v where v.replaced_by = p.database_id)
      and not exists (select from operation_claims c where c.database_id = p.database_id)
      and not ${isOnAwayServer('p.database_id')}
      and not exists (
        select from operations o
        where o.database_id = p.database_id and o.kind = 'remove-parked' and ${hasBeenSince('o.created_at', since, now)}
      )
    order by p.parked_at`.execute(platform);
  return rows.map(({ id }) => id);
}

/** Exchanges what the registry says of the rows of two databases: their size and schema version. */
export async function exchangeContents(trx: Trx, one: DatabaseRow, two: DatabaseRow): Promise<void> {
  const sides: [DatabaseRow, DatabaseRow][] = [
    [one, two],
    [two, one],
  ];
  for (const [{ id }, { schemaVersion, sizeBytes }] of sides) {
    await trx
      .updateTable('databases')
      .set({ schemaVersion, sizeBytes: String(sizeBytes) })
      .where('id', '=', id)
      .execute();
  }
}
