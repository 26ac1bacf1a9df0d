import type pg from 'pg';
import type { Platform } from './db/platform.ts';
import type { Keys } from './secrets.ts';

/** What services work with; made once at start and handed down. */
export interface Context {
  platform: Platform;
  /**
   * A pool of its own for what may take long: utility commands (CREATE DATABASE …) and the locks they run under. However many
   * wait here, calls still find a connection in `platform`.
   */
  utility: Platform;
  /** The pool under `platform`, for lists whose JSON text PostgreSQL builds. */
  pool: pg.Pool;
  keys: Keys;
  /** Connection string of the control database; never leaves the server. */
  databaseUrl: string;
  /** Physical name of the database that tenants' databases are copied from. */
  tenantTemplate: string;
  /** The clock; tests set it. */
  now(): Date;
}
