import type { OperationKindName, OperationState } from '@apotheca/contract/operations';
import type { TENANT_LIMITS } from '@apotheca/contract/tenants';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { Actor } from '../actor.ts';

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

/** With a column for each text that the contract limits. */
interface Tenants extends Record<Exclude<keyof typeof TENANT_LIMITS, 'databaseName'>, string> {
  id: string;
  timezoneId: string;
  tenantStatusId: string;
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

interface Backups {
  id: string;
  databaseId: string | null;
  databaseName: string;
  origin: 'made' | 'uploaded';
  state: 'writing' | 'ready' | 'deleting';
  /** Text of a bigint. */
  sizeBytes: Generated<string>;
  sha256: Generated<string>;
  schemaVersion: Generated<number>;
  /** Rows by table name. */
  rowCounts: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
  createdBy: string | null;
  createdAt: Timestamp;
}

export interface Operations {
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
  cancelledBy: ColumnType<Actor | null, string | null, string | null>;
  /** How many runs have begun, including the present one. */
  attempts: number;
  /** How many of them the server process survived. */
  outlived: Generated<number>;
  /** Text of a bigint. */
  sizeBytes: string;
  expectedMs: number | null;
  message: string;
  result: ColumnType<unknown, string | null, string | null>;
  error: ColumnType<StoredError | null, string | null, string | null>;
  createdAt: Timestamp;
  startedAt: Timestamp | null;
  resumeAt: Timestamp | null;
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

/** What FAQs, sections and questions have in common. */
interface Content {
  id: Generated<string>;
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

interface Faqs extends Content {
  name: string;
  code: string;
  overview: string;
  overviewText: GeneratedAlways<string>;
}

interface FaqSections extends Faqs {
  faqId: string;
  icon: string;
}

interface FaqQuestions extends Content {
  sectionId: string;
  question: string;
  answer: string;
  answerText: GeneratedAlways<string>;
}

export interface AuditEntries {
  id: string;
  at: Timestamp;
  actorId: string | null;
  actorName: string;
  action: string;
  entity: string;
  entityId: string;
  address: string;
  /** JSON text, stored exactly as it was hashed. */
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

/** The tables of the control database in camelCase, which Kysely's plugin maps to snake_case. */
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
