import type { SuspensionRules } from '@apotheca/contract/tenant-access';
import type pg from 'pg';
import type { BackupStores } from './backup-stores.ts';
import type { Proofs, PublicFaqSettings } from './config.ts';
import type { PostgresTools } from './db/client-programs/postgres-tools.ts';
import type { Clusters } from './db/clusters.ts';
import type { WalArchive } from './db/embedded/wal-archive.ts';
import type { OperationQueue } from './db/operation-queue.ts';
import type { Platform } from './db/platform.ts';
import type { TenantConnections } from './db/tenant-connection.ts';
import type { MailSettings } from './mail-settings.ts';
import type { OidcProvider } from './oidc-providers.ts';
import type { Keys } from './secrets.ts';

/** What services work with. Made once at the start, then passed on as an argument. */
export interface Context {
  platform: Platform;
  /**
   * A separate pool for utility commands (CREATE DATABASE …) and their locks, which may take long. So calls still find a connection
   * in `platform` when this pool is full.
   */
  utility: Platform;
  /** The pool under `utility`. */
  utilityPool: pg.Pool;
  /** The pool under `platform`, for lists whose JSON text PostgreSQL builds. */
  pool: pg.Pool;
  /** The PostgreSQL servers that tenants' databases live on; the home one is that of the control database. */
  clusters: Clusters;
  /** Connections to tenants' databases, a few at a time on each server. */
  tenants: TenantConnections;
  /** Most connections that the role of a tenant's database may have (CONNECTION LIMIT). */
  tenantConnections: number;
  /** Where people reach the console, without a slash at the end; absent: unknown. */
  publicUrl?: string | undefined;
  /** Providers of OpenID Connect by which people sign in. */
  oidcProviders: readonly OidcProvider[];
  /** User name of the only account that may sign in with a password; absent: all may. */
  onlyLocalAccount?: string | undefined;
  /** How FAQs are shown to readers who are not signed in; absent: not at all. */
  publicFaq?: PublicFaqSettings | undefined;
  /** What closes the databases of tenants to their programs. */
  suspension: SuspensionRules;
  /** For how many days deleted and replaced databases are kept; 0: not at all. */
  parkDays: number;
  /** For how many days entries of the audit trail are kept; 0: for ever. */
  auditDays: number;
  /** How much of a day the server proves backups by itself, and how often each one. */
  proofs: Proofs;
  /** Hosts, addresses and ranges that webhooks may send to, though they are not on the public internet. */
  webhookHosts: readonly string[];
  /** Hosts, addresses and ranges whose databases may be adopted; none: only archives are. */
  adoptionHosts: readonly string[];
  /** Absent: no mails are sent. */
  mail?: MailSettings | undefined;
  /** The queue of durable operations. */
  queue: OperationQueue;
  /** Every kind of durable operation, by name, with the words for what it does to a database. */
  kinds: ReadonlyMap<string, { participle: string }>;
  /** Folder of the archives of backups. */
  backupDir: string;
  /** Where archives are copied. */
  stores: BackupStores;
  /** Data folder of the embedded PostgreSQL; absent where DATABASE_URL names another server. */
  clusterDir?: string;
  /** The archive of the embedded PostgreSQL's WAL; absent where there is no setting for it. */
  walArchive?: WalArchive | undefined;
  /** pg_dump and pg_restore for a server; absent: for the home one. @throws AppError tools-missing */
  findTools(serverId?: string): Promise<PostgresTools>;
  keys: Keys;
  /** How many characters a new password needs. */
  passwordMin: number;
  /** Connection string of the control database; never leaves the server. */
  databaseUrl: string;
  /** The clock; tests set it. */
  now(): Date;
  /** The clock for what removes for good what was kept until a date; undefined: none is trusted now, and nothing may be removed. */
  trustedNow(): Promise<Date | undefined>;
}
