import type pg from 'pg';
import type { PostgresTools } from './db/client-programs/postgres-tools.ts';
import type { OperationQueue } from './db/operation-queue.ts';
import type { Platform } from './db/platform.ts';
import type { TenantConnections } from './db/tenant-connection.ts';
import type { Keys } from './secrets.ts';

/** What services work with. Made once at the start, then passed on as an argument. */
export interface Context {
  platform: Platform;
  /**
   * A separate pool for utility commands (CREATE DATABASE …) and their locks, which may take long. So calls still find a connection
   * in `platform` when this pool is full.
   */
  utility: Platform;
  /** The pool under `platform`, for lists whose JSON text PostgreSQL builds. */
  pool: pg.Pool;
  /** Connections to tenants' databases, a few at a time. */
  tenants: TenantConnections;
  /** Most connections that the role of a tenant's database may have (CONNECTION LIMIT). */
  tenantConnections: number;
  /** The queue of durable operations. */
  queue: OperationQueue;
  /** Every kind of durable operation, by name, with the words for what it does to a database. */
  kinds: ReadonlyMap<string, { participle: string }>;
  /** Folder of the archives of backups. */
  backupDir: string;
  /** Data folder of the embedded PostgreSQL; absent where DATABASE_URL names another server. */
  clusterDir?: string;
  /** pg_dump and pg_restore. @throws AppError tools-missing */
  findTools(): Promise<PostgresTools>;
  keys: Keys;
  /** Connection string of the control database; never leaves the server. */
  databaseUrl: string;
  /** Physical name of the database that tenants' databases are copied from. */
  tenantTemplate: string;
  /** The clock; tests set it. */
  now(): Date;
}
