import { sql } from 'kysely';
import type { Place } from '../db/cluster/session.ts';
import { newestFirst } from '../db/due-moments.ts';
import type { Platform, Trx } from '../db/platform.ts';

/** @returns whether this is the first run that came so far */
export async function markSettled(trx: Trx, object: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into installation_marks (name) values (${`recovered ${object}`}) on conflict do nothing`.execute(trx);
  return numAffectedRows > 0n;
}

/** Ends the operations that were under way when the backup was made. @returns how many */
export async function endOperations(trx: Trx, { message, at }: { message: string; at: Date }): Promise<number> {
  await sql`delete from operation_claims`.execute(trx);
  const { numAffectedRows = 0n } = await sql`
    update operations set state = 'failed', cancellable = false, message = ${message}, error = '{"code": "internal"}', finished_at = ${at}
    where state in ('queued', 'running')`.execute(trx);
  return Number(numAffectedRows);
}

/** Removes parked databases from the registry, except those in whose place one is parked that stays. @returns their names */
export async function deleteParked(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with gone as (
      delete from parked_databases p where database_id = any(${ids}::uuid[]) and not exists (
        select from parked_databases where replaced_by = p.database_id and database_id <> all(${ids}::uuid[]))
      returning database_id, name
    ), removed as (delete from databases where id in (select database_id from gone))
    select name from gone order by name`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Whether operations wait or run. */
export async function hasOperations(platform: Platform): Promise<boolean> {
  const { rows } = await sql`select from operations where state in ('queued', 'running') limit 1`.execute(platform);
  return rows.length > 0;
}

/** What the control database says of the archive of a backup, and of its copy in a store. */
export interface KnownCopy {
  id: string;
  state: 'writing' | 'ready' | 'deleting';
  sha256: string;
  /** Whether it knows of a whole copy in this store, and which kind that is. */
  isStored: boolean;
  isEncrypted: boolean;
}

export async function listKnownCopies(platform: Platform, store: string): Promise<KnownCopy[]> {
  const { rows } = await sql<KnownCopy>`
    select b.id, b.state, b.sha256, coalesce(c.sha256 <> '', false) as "isStored",
      coalesce(c.is_encrypted, false) as "isEncrypted"
    from backups b left join backup_copies c on c.backup_id = b.id and c.store = ${store}`.execute(platform);
  return rows;
}

/** A copy that was read to its end. */
interface ReadCopy {
  backupId: string;
  store: string;
  isEncrypted: boolean;
  sizeBytes: number;
  sha256: string;
}

/** Notes a copy that the control database did not know of. */
export async function noteCopy(trx: Trx, copy: ReadCopy): Promise<void> {
  await sql`
    insert into backup_copies (backup_id, store, state, is_encrypted, size_bytes, sha256, checked_at, due_at)
    values (${copy.backupId}, ${copy.store}, 'copied', ${copy.isEncrypted}, ${copy.sizeBytes}, ${copy.sha256}, now(), now() + interval '7 days')
    on conflict (backup_id, store) do update set state = 'copied', is_encrypted = excluded.is_encrypted, size_bytes = excluded.size_bytes,
      sha256 = excluded.sha256, checked_at = now(), due_at = excluded.due_at, run = null, attempts = 0, last_error = ''`.execute(
    trx,
  );
}

/** A backup that the control database did not know of, or did not know to be ready. */
export interface FoundBackup {
  id: string;
  origin: 'made' | 'uploaded';
  physicalName: string;
  sizeBytes: number;
  sha256: string;
  schemaVersion: number;
  rowCounts: Record<string, number> | null;
  manifest: object | null;
  createdAt: Date;
}

/** Adds a backup to the list: as one of the database that its archive names, unless it is an upload, which belongs to none. */
export async function noteBackup(trx: Trx, backup: FoundBackup): Promise<void> {
  const { id, origin, physicalName, sizeBytes, sha256, schemaVersion, createdAt } = backup;
  const rowCounts = backup.rowCounts && JSON.stringify(backup.rowCounts);
  const manifest = backup.manifest && JSON.stringify(backup.manifest);
  await sql`
    insert into backups (id, database_id, database_name, origin, state, size_bytes, sha256, schema_version, row_counts, manifest, created_at)
    select ${id}, d.id, coalesce(d.name, ${physicalName}), ${origin}, 'ready', ${sizeBytes}, ${sha256}, ${schemaVersion},
      ${rowCounts}::jsonb, ${manifest}::jsonb, ${createdAt}
    from (values (1)) one left join databases d on d.physical_name = ${physicalName} and ${origin} = 'made'
    on conflict (id) do update set origin = excluded.origin, database_id = excluded.database_id, created_at = excluded.created_at,
      state = 'ready', size_bytes = excluded.size_bytes, sha256 = excluded.sha256,
      schema_version = excluded.schema_version, row_counts = excluded.row_counts, manifest = excluded.manifest`.execute(
    trx,
  );
}

/** Forgets copies that a store does not have. */
export async function deleteMissingCopies(
  platform: Platform,
  store: string,
  present: readonly string[],
): Promise<void> {
  await sql`
    delete from backup_copies
    where store = ${store} and state <> 'deleting' and backup_id <> all(${present}::uuid[])`.execute(platform);
}

/** Forgets backups of which nothing is left. @param present ids of archives on this machine @returns how many */
export async function deleteLostBackups(platform: Platform, present: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from backups b
    where state = 'ready' and id <> all(${present}::uuid[]) and not exists (select from backup_copies where backup_id = b.id)`.execute(
    platform,
  );
  return Number(numAffectedRows);
}

/** A database that the registry has. */
export interface RegisteredDatabase extends Place {
  id: string;
  name: string;
  serverName: string;
}

export async function listRegistered(platform: Platform, state: 'ready' | 'parked'): Promise<RegisteredDatabase[]> {
  const { rows } = await sql<RegisteredDatabase>`
    select d.id, d.name, d.physical_name as "physicalName", d.server_id as "serverId", v.name as "serverName"
    from databases d join database_servers v on v.id = d.server_id where d.state = ${state} order by d.name`.execute(
    platform,
  );
  return rows;
}

/** The parked databases that were deleted, not replaced, by the names that they had. */
export async function listDeletedAndParked(platform: Platform): Promise<RegisteredDatabase[]> {
  const { rows } = await sql<RegisteredDatabase>`
    select d.id, p.name, d.physical_name as "physicalName", d.server_id as "serverId", v.name as "serverName"
    from parked_databases p join databases d on d.id = p.database_id join database_servers v on v.id = d.server_id
    where p.replaced_by is null and d.state = 'parked' order by p.name`.execute(platform);
  return rows;
}

/** A backup that a database can be recovered from. */
export interface Candidate {
  id: string;
  createdAt: Date;
  sha256: string;
  copies: { store: string; isEncrypted: boolean }[];
}

/** The backups of a database, newest first. */
export async function listCandidates(platform: Platform, databaseId: string, now: Date): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select b.id, b.created_at as "createdAt", b.sha256,
      coalesce((
        select json_agg(json_build_object('store', c.store, 'isEncrypted', c.is_encrypted) order by c.store)
        from backup_copies c where c.backup_id = b.id and c.sha256 <> '' and c.state <> 'deleting'
      ), '[]') as copies
    from backups b where b.database_id = ${databaseId} and b.state = 'ready'
    order by ${newestFirst('b.created_at', now)}, b.id`.execute(platform);
  return rows;
}

/** The backup that a database was restored from last. @param since id of the entry of the audit trail that it was after: moments depend on clocks */
export async function findRestoredFrom(
  platform: Platform,
  databaseId: string,
  since: string,
): Promise<{ createdAt: Date } | undefined> {
  const { rows } = await sql<{ createdAt: Date }>`
    select b.created_at as "createdAt" from audit_entries e join backups b on b.id = (e.changes ->> 'backupId')::uuid
    where e.entity = 'databases' and e.entity_id = ${databaseId} and e.action = 'databases.restore' and e.id > ${since}
    order by e.id desc limit 1`.execute(platform);
  return rows[0];
}

/** Backups of databases that the control database does not know. @param since those before may be of databases that were deleted */
export async function listStrangers(platform: Platform, since: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct database_name as name from backups
    where database_id is null and origin = 'made' and created_at > ${since} order by 1`.execute(platform);
  return rows.map(({ name }) => name);
}

/** What the runs of a recovery have settled. */
interface Settled {
  /** Of the first entry of the audit trail: what was restored after it, this recovery has restored. */
  id: string;
  /** Names of the parked databases that are gone. */
  parked: string[];
  /** How many operations were ended. */
  operations: number;
}

/** What the runs of a recovery noted in the audit trail. @param object the backup of the installation that it is from */
export async function findSettled(platform: Platform, object: string): Promise<Settled> {
  const { rows } = await sql<Settled>`
    select id, changes -> 'parked' as parked, changes -> 'operations' as operations
    from audit_entries where action = 'installation.recover' and entity_id = ${object} order by id`.execute(platform);
  const [first] = rows;
  if (!first) throw new Error('The audit trail does not have the recovery.');
  return { ...first, parked: rows.flatMap(({ parked }) => parked) };
}

/** What may do something again that was taken away after the control database's backup, by how many there are. */
export interface Revived {
  apiKeys: number;
  people: number;
  services: number;
  logins: number;
  tenants: number;
  webhooks: number;
}

/** @param now keys and logins whose time is over are of no use to anybody */
export async function countRevived(platform: Platform, now: Date): Promise<Revived> {
  const { rows } = await sql<Revived>`
    select
      (select count(*) from api_keys where revoked_at is null and expires_at > ${now})::int as "apiKeys",
      (select count(*) from users where is_active and not is_service)::int as people,
      (select count(*) from users where is_active and is_service)::int as services,
      (select count(*) from database_logins where coalesce(valid_until > ${now}, true))::int as logins,
      (select count(*) from tenants where is_active)::int as tenants,
      (select count(*) from webhooks where is_active)::int as webhooks`.execute(platform);
  const [revived] = rows;
  if (!revived) throw new Error('What came back cannot be counted.');
  return revived;
}
