import type { OperationKindName, OperationState } from '@apotheca/contract/operations';
import {
  CamelCasePlugin,
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type JSONColumnType,
  Kysely,
  PostgresDialect,
} from 'kysely';
import pg from 'pg';

type Timestamp = ColumnType<Date, Date, Date>;
type DefaultedTimestamp = ColumnType<Date, Date | undefined, Date>;

interface Roles {
  id: Generated<string>;
  name: string;
  createdAt: DefaultedTimestamp;
}

interface Permissions {
  id: Generated<string>;
  module: string;
  name: string;
  identifier: string;
  sortOrder: Generated<number>;
  isActive: Generated<boolean>;
  isMenu: Generated<boolean>;
  /** Of menus only, which always have one. */
  route: string | null;
  icon: string | null;
  parentPermissionId: string | null;
  isBuiltIn: Generated<boolean>;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: DefaultedTimestamp;
  updatedAt: DefaultedTimestamp;
}

interface RolePermissions {
  roleId: string;
  permissionId: string;
}

interface Users {
  id: Generated<string>;
  userName: Generated<string>;
  email: Generated<string>;
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  middleInitial: Generated<string>;
  title: Generated<string>;
  deaNumber: Generated<string>;
  phone: Generated<string>;
  notes: Generated<string>;
  roleId: string;
  clinicalRoleId: string | null;
  isActive: Generated<boolean>;
  /** Text of a bigint. */
  spSrxId: GeneratedAlways<string>;
  version: Generated<number>;
  deletedAt: Date | null;
  createdBy: string | null;
  updatedBy: string | null;
  deletedBy: string | null;
  createdAt: DefaultedTimestamp;
  updatedAt: DefaultedTimestamp;
}

interface ClinicalRoles {
  id: string;
  roleDescription: string;
  sortOrder: number;
}

interface Sessions {
  id: string;
  userId: string;
  kind: 'console' | 'api';
  name: Generated<string>;
  refreshTokenHash: Buffer | null;
  accessTokenId: string;
  accessIssuedAt: Timestamp;
  previousAccessTokenId: string | null;
  address: string;
  userAgent: string;
  createdAt: Timestamp;
  lastUsedAt: Timestamp;
  lastSeenAt: Timestamp;
  expiresAt: Timestamp;
  revokedAt: Timestamp | null;
  revokedReason: string | null;
}

interface SignInAttempts {
  subject: string;
  attempts: number;
  blockedUntil: Timestamp;
  updatedAt: Timestamp;
}

interface Named {
  id: string;
  name: string;
  sortOrder: number;
}

interface Timezones {
  id: string;
  displayName: string;
  offsetMinutes: number;
}

interface Tenants {
  id: string;
  code: string;
  customerCode: string;
  name: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  addressLine1: string;
  addressLine2: string;
  addressLine3: string;
  city: string;
  state: string;
  zipCode: string;
  emrId: string;
  timezoneId: string;
  tenantStatusId: string;
  tenantVersion: string;
  tenantApiUrl: string;
  configuration: string;
  subdomain: string;
  logoUrl: string;
  colorScheme: string;
  subscriptionLevel: string;
  /** YYYY-MM-DD */
  subscriptionStartDate: string;
  /** YYYY-MM-DD */
  subscriptionEndDate: string;
  licenseCount: number;
  isActive: boolean;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface Databases {
  id: string;
  name: string;
  physicalName: string;
  roleName: string;
  rolePassword: Buffer;
  server: Generated<string>;
  tenantId: string | null;
  copiedFrom: string | null;
  state: 'creating' | 'ready' | 'deleting';
  createdAt: Timestamp;
  /** Text of a bigint. */
  sizeBytes: Generated<string | null>;
  measuredAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  schemaVersion: number;
}

interface Operations {
  id: string;
  kind: OperationKindName;
  databaseId: string;
  databaseName: string;
  input: JSONColumnType<object>;
  actorId: string | null;
  actorName: string;
  address: string;
  state: OperationState;
  steps: string[];
  step: number;
  percent: number;
  cancellable: boolean;
  cancelRequested: boolean;
  attempts: number;
  /** Text of a bigint. */
  sizeBytes: string;
  expectedMs: number | null;
  message: string;
  result: ColumnType<unknown, string | null, string | null>;
  error: ColumnType<StoredError | null, string | null, string | null>;
  createdAt: Timestamp;
  startedAt: Timestamp | null;
  heartbeatAt: Timestamp | null;
  finishedAt: Timestamp | null;
}

/** How an operation failed: the code of an AppError and its details. */
export interface StoredError {
  code: string;
  errors?: Record<string, string[]>;
  result?: unknown;
}

interface OperationClaims {
  databaseId: string;
  operationId: string;
}

interface Backups {
  id: string;
  databaseId: string | null;
  databaseName: string;
  origin: 'made' | 'uploaded';
  state: 'writing' | 'ready';
  /** Text of a bigint. */
  sizeBytes: Generated<string>;
  sha256: Generated<string>;
  schemaVersion: Generated<number>;
  /** Rows by table name. */
  rowCounts: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
  createdBy: string | null;
  createdAt: Timestamp;
}

interface Faqs {
  id: Generated<string>;
  name: string;
  code: string;
  overview: string;
  overviewText: GeneratedAlways<string>;
  sortOrder: number;
  isActive: boolean;
  published: boolean;
  version: Generated<number>;
  /** Text of a bigint. */
  creationNumber: GeneratedAlways<string>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface FaqSections extends Faqs {
  faqId: string;
  icon: string;
}

interface FaqQuestions {
  id: Generated<string>;
  sectionId: string;
  question: string;
  answer: string;
  answerText: GeneratedAlways<string>;
  sortOrder: number;
  isActive: boolean;
  published: boolean;
  version: Generated<number>;
  /** Text of a bigint. */
  creationNumber: GeneratedAlways<string>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface AuditEntries {
  id: string;
  at: Timestamp;
  actorId: string | null;
  actorName: string;
  action: string;
  entity: string;
  entityId: string;
  address: string;
  /** JSON text, kept letter by letter. */
  changes: string;
  hash: Buffer;
}

interface AuditHead {
  lastId: string;
  lastHash: Buffer;
}

interface InstallationMarks {
  name: string;
  madeAt: DefaultedTimestamp;
}

/** The tables of the control database, in the camelCase that Kysely's plugin maps to their snake_case columns. */
export interface PlatformTables {
  roles: Roles;
  permissions: Permissions;
  rolePermissions: RolePermissions;
  users: Users;
  clinicalRoles: ClinicalRoles;
  sessions: Sessions;
  signInAttempts: SignInAttempts;
  tenantStatuses: Named;
  emrs: Named;
  timezones: Timezones;
  tenants: Tenants;
  databases: Databases;
  operations: Operations;
  operationClaims: OperationClaims;
  backups: Backups;
  faqs: Faqs;
  faqSections: FaqSections;
  faqQuestions: FaqQuestions;
  auditEntries: AuditEntries;
  auditHead: AuditHead;
  installationMarks: InstallationMarks;
}

/** The control database: a pool, one connection of it, or a transaction on one. */
export type Platform = Kysely<PlatformTables>;

const DATE = 1082;
const BIGINT = 20;
// A calendar day stays the text it is: a Date would shift it by the server's time zone.
const types = new pg.TypeOverrides();
types.setTypeParser(DATE, (value) => value);
types.setTypeParser(BIGINT, (value) => value);

/** How a pool is reached and how large it is. */
export interface PlatformOptions {
  url: string;
  /** Most connections of this server process to the control database. */
  maxConnections?: number;
  /** Milliseconds after which a query that PostgreSQL does not answer fails; absent: never. */
  queryTimeout?: number;
}

/**
 * Opens the pool of the control database. No connection is made before the first query.
 * @returns the pool, and Kysely over it
 */
export function openPlatform({ url, maxConnections = 20, queryTimeout }: PlatformOptions): {
  pool: pg.Pool;
  platform: Platform;
} {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    application_name: 'apotheca',
    // Moments in JSON that PostgreSQL builds are in UTC, whatever the server's own zone is.
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: 10_000,
    query_timeout: queryTimeout,
  });
  // An idle connection that PostgreSQL closes is no fault of a request: the pool opens another one.
  pool.on('error', () => {});
  // One that is in use, between two queries, tells its next query; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const platform = new Kysely<PlatformTables>({
    dialect: new PostgresDialect({ pool }),
    // Keys inside JSON are data: names of tables, of fields.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { pool, platform };
}
