import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { NO_STORES } from '../backup-stores.ts';
import { mergeTableChanges } from '../db/json-list.ts';
import { openPlatform } from '../db/platform.ts';
import { operationKinds } from '../operation-kinds.ts';
import type { OperationsContext } from '../operations/operation-kind.ts';
import { deriveKeys } from '../secrets.ts';
import { createPlatformDatabase, type TestDatabase } from './databases.ts';

/** A tenant whose database exists in the registry only. */
export interface SimulatedTenant {
  databaseId: string;
  name: string;
  timeZone: string;
}

/** What a schedule says, by its columns. */
export interface SimulatedSchedule {
  frequency: 'hourly' | 'daily' | 'weekly';
  hour?: number;
  weekday?: number;
  keep?: [hourly: number, daily: number, weekly: number, monthly: number];
}

/** A scheduled backup that was queued, and that nobody makes. */
interface QueuedBackup {
  operationId: string;
  databaseId: string;
  dueAt: Date;
}

/**
 * A control database whose operations nobody runs, on a clock that the test sets: schedules, starts and retention are the real ones,
 * only the dump is replaced by writing down how it ended.
 */
export interface SimulatedInstallation {
  context: OperationsContext;
  pool: pg.Pool;
  clock: { now: Date };
  addTenants(timeZones: readonly string[]): Promise<SimulatedTenant[]>;
  setSchedule(tenant: SimulatedTenant, schedule: SimulatedSchedule): Promise<void>;
  /** Puts databases on another server. @returns notes whether it is away */
  placeElsewhere(tenants: readonly SimulatedTenant[]): Promise<(isAway: boolean) => Promise<void>>;
  /** The backups that are queued now. */
  queued(): Promise<QueuedBackup[]>;
  /** Ends a queued backup. */
  end(backup: QueuedBackup, result: 'succeeded' | 'failed' | 'cancelled'): Promise<void>;
  /** What every server does each minute, so that what follows changes does not grow. */
  mergeChanges(): Promise<void>;
  /** The moments of the scheduled backups of a database, newest first. */
  backupsOf(databaseId: string): Promise<string[]>;
}

export function useSimulatedInstallation(): SimulatedInstallation {
  const test = {} as SimulatedInstallation & { database: TestDatabase };
  beforeAll(async () => {
    const database = await createPlatformDatabase();
    const { pool, platform } = openPlatform({ url: database.url, maxConnections: 5 });
    const { platform: utility, pool: utilityPool } = openPlatform({
      url: database.url,
      maxConnections: 5,
      kind: 'operation',
    });
    const clock = { now: new Date('2026-03-01T00:00:00Z') };
    const context = {
      pool,
      platform,
      utility,
      utilityPool,
      clusters: { of: async () => ({ url: database.url }) },
      queue: { send: async () => {}, wake: () => {} },
      kinds: operationKinds,
      backupDir: await mkdtemp(join(tmpdir(), 'apotheca-backups-')),
      stores: NO_STORES,
      findTools: async () => ({ pgDump: 'pg_dump', pgRestore: 'pg_restore', loading: { flags: [] } }),
      keys: deriveKeys('a secret that only tests use, long enough'),
      now: () => clock.now,
    } as unknown as OperationsContext;
    Object.assign(test, { database, pool, clock, context, ...actionsOn(pool, clock) });
  });
  afterAll(async () => {
    await rm(test.context.backupDir, { recursive: true, force: true });
    await Promise.all([test.context.platform.destroy(), test.context.utility.destroy()]);
    await test.database.drop();
  });
  return test;
}

const actionsOn = (pool: pg.Pool, clock: { now: Date }) => ({
  async addTenants(timeZones: readonly string[]): Promise<SimulatedTenant[]> {
    const { rows } = await pool.query<SimulatedTenant>(ADD_TENANTS, [timeZones]);
    return rows;
  },
  async setSchedule({ databaseId }: SimulatedTenant, schedule: SimulatedSchedule): Promise<void> {
    const { frequency, hour = 2, weekday = 7, keep = [24, 7, 4, 12] } = schedule;
    await pool.query(
      `insert into backup_schedules (database_id, frequency, hour, weekday, keep_hourly, keep_daily, keep_weekly, keep_monthly)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (database_id) do update set frequency = $2, hour = $3, weekday = $4, keep_hourly = $5, keep_daily = $6,
         keep_weekly = $7, keep_monthly = $8`,
      [databaseId, frequency, hour, weekday, ...keep],
    );
  },
  async placeElsewhere(tenants: readonly SimulatedTenant[]) {
    const { rows } = await pool.query(PLACE_ELSEWHERE, [tenants.map(({ databaseId }) => databaseId)]);
    return async (isAway: boolean) => {
      await pool.query(NOTE_HEALTH, [rows[0].id, isAway]);
    };
  },
  async queued(): Promise<QueuedBackup[]> {
    const { rows } = await pool.query<QueuedBackup>(`
      select o.id as "operationId", o.database_id as "databaseId", (o.input ->> 'dueOnUtc')::timestamptz as "dueAt"
      from operations o where o.state = 'queued' order by o.created_at, o.id`);
    return rows;
  },
  async end({ operationId }: QueuedBackup, result: string): Promise<void> {
    await pool.query(END, [operationId, result, clock.now]);
  },
  mergeChanges: () => mergeTableChanges(pool),
  async backupsOf(databaseId: string): Promise<string[]> {
    const { rows } = await pool.query<{ dueAt: Date }>(
      `select due_at as "dueAt" from backups where database_id = $1 and due_at is not null and state = 'ready' order by due_at desc`,
      [databaseId],
    );
    return rows.map(({ dueAt }) => dueAt.toISOString());
  },
});

const ADD_TENANTS = `
  with given as (
    select zone, gen_random_uuid() as tenant_id, gen_random_uuid() as database_id,
      'CLINIC ' || (select count(*) from tenants) + place as name
    from unnest($1::text[]) with ordinality as g (zone, place)
  ), new_tenants as (
    insert into tenants
    select (json_populate_record(null::tenants, ((select jsonb_object_agg(attname, '') from pg_attribute
      where attrelid = 'tenants'::regclass and atttypid = 'text'::regtype) || jsonb_build_object(
      'id', g.tenant_id, 'code', g.name, 'emr_id', 'none', 'tenant_status_id', 'live', 'timezone_id', g.zone,
      'subscription_start_date', date '2026-01-31', 'subscription_end_date', date '2027-01-31', 'license_count', 0,
      'is_active', true, 'version', 1, 'created_at', now(), 'updated_at', now()))::json)).*
    from given g returning id
  ), new_databases as (
    insert into databases (id, name, physical_name, role_name, role_password, tenant_id, state, created_at, schema_version)
    select g.database_id, g.name, 'db_' || replace(g.database_id::text, '-', ''), 'db_' || replace(g.database_id::text, '-', ''),
      '', n.id, 'ready', now(), 1
    from given g join new_tenants n on n.id = g.tenant_id
  )
  select database_id as "databaseId", name, zone as "timeZone" from given`;

const PLACE_ELSEWHERE = `
  with server as (
    insert into database_servers (name, host, port, user_name, password)
    select name, name, 5432, 'postgres', '' from (select 'server-' || gen_random_uuid() as name) n
    returning id
  )
  update databases set server_id = server.id from server where databases.id = any ($1) returning server.id`;

const NOTE_HEALTH = `
  insert into database_server_health (server_id, checked_at, away_since) values ($1, now(), case when $2 then now() end)
  on conflict (server_id) do update set away_since = excluded.away_since`;

/** What the operation's own end does, without the archive. */
const END = `
  with ended as (
    update operations set state = $2, started_at = created_at, finished_at = $3, message = 'It has ' || $2 || '.'
    where id = $1 returning id
  ), claim as (
    delete from operation_claims using ended where operation_id = ended.id
  ), made as (
    update backups set state = 'ready' from ended where backups.id = ended.id and $2 = 'succeeded'
  )
  delete from backups using ended where backups.id = ended.id and $2 <> 'succeeded'`;
