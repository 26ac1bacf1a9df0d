import type { RefreshFrequency } from '@apotheca/contract/anonymized-clones';
import type { LoginAccess } from '@apotheca/contract/credentials';
import type { DatabaseServerState, DatabaseServerTls } from '@apotheca/contract/databaseservers';
import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** Databases, their servers, and who may reach them. */
export interface DatabaseTables {
  databases: Databases;
  databaseServers: DatabaseServers;
  databaseServerHealth: DatabaseServerHealth;
  databaseSizes: DatabaseSizes;
  databaseLogins: DatabaseLogins;
  databaseLoginReaders: DatabaseLoginReaders;
  parkedDatabases: ParkedDatabases;
  anonymizedClones: AnonymizedClones;
  adoptionSources: AdoptionSources;
}

interface Databases {
  id: string;
  name: string;
  physicalName: string;
  roleName: string;
  rolePassword: Buffer;
  serverId: Generated<string>;
  tenantId: string | null;
  copiedFrom: string | null;
  state: 'creating' | 'ready' | 'deleting' | 'parked';
  createdAt: Timestamp;
  /** Text of a bigint. */
  sizeBytes: Generated<string | null>;
  measuredAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  schemaVersion: number;
  /** null: the server's setting. */
  connectionLimit: Generated<number | null>;
  statementTimeoutSeconds: Generated<number | null>;
  /** What its programs may do, as PostgreSQL was last told. */
  access: Generated<DatabaseAccess>;
}

interface DatabaseServers {
  id: Generated<string>;
  name: string;
  /** null: of the home server, which DATABASE_URL names. */
  host: string | null;
  port: number | null;
  region: Generated<string>;
  /** null: any number of tenants. */
  capacity: number | null;
  state: Generated<DatabaseServerState>;
  tls: Generated<DatabaseServerTls>;
  caCertificate: Generated<string>;
  userName: Generated<string>;
  password: Buffer | null;
  systemIdentifier: string | null;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

interface DatabaseServerHealth {
  serverId: string;
  checkedAt: Timestamp;
  awaySince: ColumnType<Date | null, Date | null | undefined, Date | null>;
  problem: Generated<string>;
  sessions: number | null;
  maxSessions: number | null;
  standbys: number | null;
  lagSeconds: number | null;
}

/** What a database took on disk when it was first measured on a day. */
interface DatabaseSizes {
  databaseId: string;
  day: string;
  /** A bigint, which the driver gives as text. */
  sizeBytes: string;
}

interface DatabaseLogins {
  id: string;
  databaseId: string;
  access: LoginAccess;
  roleName: string;
  password: Buffer;
  createdAt: Timestamp;
  /** null: it is the current one. */
  validUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** What PostgreSQL verifies the password by; null: not noted yet. */
  scramVerifier: string | null;
}

interface DatabaseLoginReaders {
  loginId: string;
  keyPublicId: string;
}

interface ParkedDatabases {
  databaseId: string;
  name: string;
  replacedBy: string | null;
  /** A row of `tenants`, by the names of its columns. */
  tenant: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  /** Rows of `expiry_notices`. */
  expiryNotices: ColumnType<unknown[] | null, string | null, string | null>;
  parkedAt: Timestamp;
  keptUntil: Timestamp;
}

interface AnonymizedClones {
  databaseId: string;
  refreshedAt: Timestamp;
  frequency: Generated<RefreshFrequency>;
  hour: Generated<number>;
  weekday: Generated<number>;
  dueAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  version: Generated<number>;
}

interface AdoptionSources {
  id: string;
  inspection: JSONColumnType<object>;
  connection: Buffer | null;
  createdAt: Timestamp;
}
