import type { AlertMode } from '@apotheca/contract/alerts';
import type { RefreshFrequency } from '@apotheca/contract/anonymized-clones';
import type { BackupFrequency } from '@apotheca/contract/backup-schedules';
import type { BackupProof } from '@apotheca/contract/backups';
import type { LoginAccess } from '@apotheca/contract/credentials';
import type { DatabaseServerState, DatabaseServerTls } from '@apotheca/contract/databaseservers';
import type { Hint } from '@apotheca/contract/hints';
import type { ImportOutcome, PlannedImportRow } from '@apotheca/contract/imports';
import type { OperationKindName, OperationState } from '@apotheca/contract/operations';
import type { Language, List, ListLayout } from '@apotheca/contract/preferences';
import type { DatabaseAccess, ExpiryStep } from '@apotheca/contract/tenant-access';
import type { TENANT_LIMITS } from '@apotheca/contract/tenants';
import type { ViewList } from '@apotheca/contract/views';
import type { DeliveryState, WebhookKind } from '@apotheca/contract/webhooks';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { Actor } from '../actor.ts';

type Timestamp = ColumnType<Date, Date, Date>;
type OptionalTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type DefaultedTimestamp = ColumnType<Date, Date | undefined, Date>;

interface Roles {
  id: Generated<string>;
  name: string;
  version: Generated<number>;
  requiresSecondFactor: Generated<boolean>;
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
  /** Whether it is a service account, which never signs in. */
  isService: Generated<boolean>;
  /** Text of a bigint. */
  spSrxId: GeneratedAlways<string>;
  /** Moves with what the user signs in with, and with the role; triggers do that. */
  credentialsVersion: GeneratedAlways<number>;
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
  provedAt: Timestamp | null;
  revokedAt: Timestamp | null;
  revokedReason: string | null;
}

interface ApiKeys {
  id: Generated<string>;
  userId: string;
  name: string;
  publicId: string;
  secretHash: Buffer;
  previousHash: Buffer | null;
  previousUntil: Timestamp | null;
  scopes: string[];
  addresses: string[];
  createdAt: Timestamp;
  createdBy: string | null;
  expiresAt: Timestamp;
  lastUsedAt: Timestamp | null;
  lastUsedAddress: Generated<string>;
  refusedAt: Timestamp | null;
  revokedAt: Timestamp | null;
}

interface IdempotencyKeys {
  caller: string;
  key: string;
  request: Buffer;
  attempt: string;
  heldUntil: Timestamp;
  madeId: string | null;
  operationId: string | null;
  answer: Buffer | null;
  createdAt: Timestamp;
}

interface UserIdentities {
  issuer: string;
  subject: string;
  userId: string;
  createdAt: Timestamp;
}

interface ProviderSessions {
  sessionId: string;
  issuer: string;
  subject: string;
  sid: string | null;
  /** Encrypted. */
  refreshToken: Buffer | null;
  /** Encrypted. */
  idToken: Buffer;
  checkedAt: Timestamp;
  askingSince: Timestamp | null;
}

interface UsedProviderTokens {
  digest: Buffer;
  expiresAt: Timestamp;
}

interface SignInAttempts {
  subject: string;
  attempts: number;
  blockedUntil: Timestamp;
  updatedAt: Timestamp;
  /** Up to when the audit trail has been told of the delay. */
  toldUntil: Date | null;
}

interface Mails {
  id: string;
  sealed: Buffer;
  validUntil: Timestamp;
  dueAt: Timestamp;
  attempts: Generated<number>;
  /** Who must still be allowed to read it; null: it is sent in any case. */
  readerId: string | null;
  /** The permissions that the reader needs. */
  permissions: Generated<string[]>;
}

interface Webhooks {
  id: Generated<string>;
  name: string;
  kind: WebhookKind;
  /** Encrypted. */
  sealed: Buffer;
  previousUntil: Timestamp | null;
  eventTypes: string[];
  isActive: Generated<boolean>;
  inactiveReason: Generated<string>;
  /** Text of a bigint. */
  entryCursor: string;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface WebhookDeliveries {
  id: Generated<string>;
  webhookId: string;
  /** Text of a bigint. */
  entryId: string;
  eventId: string;
  eventType: string;
  entity: string;
  entityId: string;
  body: string;
  occurredAt: Timestamp;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  firstTriedAt: Timestamp | null;
  lastTriedAt: Timestamp | null;
  dueAt: Timestamp;
  claimedUntil: Timestamp | null;
  lastStatus: number | null;
  lastAnswer: Generated<string>;
  endedAt: Timestamp | null;
}

interface Alerts {
  userId: string;
  eventTypes: string[];
  mode: AlertMode;
  hour: number;
  timeZone: string;
  /** Text of a bigint. */
  entryCursor: string;
  dueAt: Timestamp;
}

interface ListLayouts {
  userId: string;
  list: List;
  layout: JSONColumnType<ListLayout>;
  updatedAt: Timestamp;
}

interface ChosenLanguages {
  userId: string;
  language: Language;
  updatedAt: Timestamp;
}

interface DismissedHints {
  userId: string;
  hint: Hint;
  dismissedAt: Timestamp;
}

interface PasswordLinks {
  userId: string;
  tokenHash: Buffer;
  expiresAt: Timestamp;
}

interface TotpFactors {
  userId: string;
  /** Encrypted. */
  secret: Buffer;
  /** Text of a bigint. */
  lastStep: ColumnType<string, number, number>;
  createdAt: Timestamp;
}

interface RecoveryCodes {
  userId: string;
  codeHash: Buffer;
  isUsed: Generated<boolean>;
}

interface Passkeys {
  id: Generated<string>;
  userId: string;
  name: string;
  /** In base64url. */
  credentialId: string;
  publicKey: Buffer;
  transports: string[];
  /** Text of a bigint. */
  counter: ColumnType<string, number, number>;
  challengedAt: DefaultedTimestamp;
  createdAt: Timestamp;
  lastUsedAt: Date | null;
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
  /** YYYY-MM-DD; null: the end was not put off. */
  postponedTo: Generated<string | null>;
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

interface ExpiryNotices {
  tenantId: string;
  /** YYYY-MM-DD */
  endsOn: string;
  step: ExpiryStep;
}

interface ParkedDatabases {
  databaseId: string;
  name: string;
  replacedBy: string | null;
  /** A row of `tenants`, by the names of its columns. */
  tenant: ColumnType<Record<string, unknown> | null, string | null, string | null>;
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
  /** What stands behind the archive (archive-manifest.ts). */
  manifest: ColumnType<unknown, string | null | undefined, string | null>;
  createdBy: string | null;
  createdAt: Timestamp;
  /** How its last proof ended, as contract/backups `backupProof`; null: it was never proved. */
  proof: ColumnType<BackupProof | null, string | null | undefined, string | null>;
  proofBegunAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Whether a backup was queued in place of this one, whose proof failed. */
  isRenewed: Generated<boolean>;
  /** The moment at which a schedule wanted it; null: made by hand or uploaded. */
  dueAt: ColumnType<Date | null, Date | null | undefined, never>;
}

/** What a database took on disk when it was first measured on a day. */
interface DatabaseSizes {
  databaseId: string;
  day: string;
  /** A bigint, which the driver gives as text. */
  sizeBytes: string;
}

interface BackupSchedules {
  /** null: the default of all tenants' databases. */
  databaseId: string | null;
  frequency: BackupFrequency | 'default';
  hour: number;
  /** 1 is Monday. */
  weekday: number;
  keepHourly: number;
  keepDaily: number;
  keepWeekly: number;
  keepMonthly: number;
  version: Generated<number>;
}

interface BackupScheduleRuns {
  databaseId: string;
  rule: string;
  dueAt: Timestamp;
  retryAt: Timestamp | null;
  failures: Generated<number>;
  operationId: string | null;
  lastResult: 'succeeded' | 'failed' | 'cancelled' | null;
  lastMessage: Generated<string>;
  lastEndedAt: Timestamp | null;
  isLate: Generated<boolean>;
}

/** A copy of a backup's archive in a store. */
interface BackupCopies {
  backupId: string;
  store: string;
  state: 'waiting' | 'copying' | 'copied' | 'failed' | 'deleting';
  isEncrypted: boolean;
  /** Text of a bigint. */
  sizeBytes: string;
  sha256: string;
  pieces: Buffer;
  attempts: number;
  lastError: string;
  dueAt: Timestamp;
  run: string | null;
  checkedAt: Date | null;
}

/** The newest backup of the installation itself in a store. */
interface InstallationCopies {
  store: string;
  state: 'waiting' | 'copying' | 'copied' | 'failed';
  object: string;
  /** Text of a bigint. */
  sizeBytes: string;
  copiedAt: Date | null;
  mark: string;
  writing: string;
  attempts: number;
  lastError: string;
  dueAt: Timestamp;
  run: string | null;
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
  publishAt: OptionalTimestamp;
  publishUntil: OptionalTimestamp;
  version: Generated<number>;
  /** Text of a bigint. */
  creationNumber: GeneratedAlways<string>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface NamedContent extends Content {
  name: string;
  code: string;
  overview: string;
  overviewText: GeneratedAlways<string>;
}

interface Batches {
  id: Generated<string>;
  kind: OperationKindName;
  asked: JSONColumnType<object | null>;
  createdBy: string;
  operationId: ColumnType<string | null, never, string>;
  scopes: ColumnType<string[] | null, never, readonly string[] | null>;
  createdAt: Timestamp;
}

interface BatchRows {
  batchId: string;
  line: number;
  cells: JSONColumnType<Record<string, string>>;
  record: string;
  outcome: ImportOutcome;
  version: number | null;
  changes: JSONColumnType<PlannedImportRow['changes']>;
  reasons: JSONColumnType<PlannedImportRow['reasons']>;
  state: Generated<'waiting' | 'begun' | 'done' | 'failed'>;
  operationId: ColumnType<string | null, never, string | null>;
}

/** What there was at the end of a day. */
interface GrowthDays {
  /** YYYY-MM-DD in UTC. */
  day: string;
  tenants: number;
  users: number;
  /** A bigint, which the driver gives as text. */
  sizeBytes: string;
}

/** A finding of the dashboard that is left out for a while. */
interface FindingSnoozes {
  kind: string;
  /** An id of whatever the kind is about. */
  recordId: string;
  /** The last day, YYYY-MM-DD in UTC. */
  until: string;
  reason: string;
  createdBy: string | null;
  createdAt: Timestamp;
}

interface SavedViews {
  id: Generated<string>;
  list: ViewList;
  name: string;
  query: string;
  ownerId: string;
  roleId: string | null;
  createdAt: Timestamp;
}

interface Faqs extends NamedContent {
  module: string | null;
}

interface FaqImages {
  hash: string;
  bytes: Buffer;
  width: number;
  height: number;
  createdBy: string | null;
  createdAt: Timestamp;
  unusedSince: OptionalTimestamp;
}

interface FaqSections extends NamedContent {
  faqId: string;
  icon: string;
}

interface FaqQuestions extends Content {
  sectionId: string;
  question: string;
  answer: string;
  answerText: GeneratedAlways<string>;
}

interface FaqRevisions {
  faqId: string | null;
  sectionId: string | null;
  questionId: string | null;
  version: number;
  verb: string;
  fields: string[];
  content: unknown;
  actorName: string;
  at: Timestamp;
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

/** One row. */
interface WalArchive {
  folder: string;
  /** Start of the first backup of the cluster since which no WAL is missing. */
  unbrokenSince: Timestamp | null;
  earliestMoment: Timestamp | null;
  newestBackupAt: Timestamp | null;
  /** Of the last attempt at a backup; null after a success. */
  failedAt: Timestamp | null;
  failure: string;
}

interface AuditHead {
  lastId: string;
  lastHash: Buffer;
}

/** One row: the newest verification of the trail, and the one under way. */
interface AuditVerification {
  requestedAt: Timestamp | null;
  checked: string;
  startedAt: Timestamp | null;
  endedAt: Timestamp | null;
  entries: string;
  problem: string;
}

/** One row where entries were removed because of their age. */
interface AuditCheckpoint {
  lastId: string;
  lastHash: Buffer;
  signature: Buffer;
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
  apiKeys: ApiKeys;
  idempotencyKeys: IdempotencyKeys;
  signInAttempts: SignInAttempts;
  mails: Mails;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
  alerts: Alerts;
  listLayouts: ListLayouts;
  chosenLanguages: ChosenLanguages;
  dismissedHints: DismissedHints;
  passwordLinks: PasswordLinks;
  totpFactors: TotpFactors;
  recoveryCodes: RecoveryCodes;
  passkeys: Passkeys;
  userIdentities: UserIdentities;
  providerSessions: ProviderSessions;
  usedProviderTokens: UsedProviderTokens;
  tenantStatuses: Named;
  emrs: Named;
  timezones: Timezones;
  tenants: Tenants;
  databases: Databases;
  databaseServers: DatabaseServers;
  databaseServerHealth: DatabaseServerHealth;
  databaseSizes: DatabaseSizes;
  databaseLogins: DatabaseLogins;
  databaseLoginReaders: DatabaseLoginReaders;
  expiryNotices: ExpiryNotices;
  parkedDatabases: ParkedDatabases;
  anonymizedClones: AnonymizedClones;
  operations: Operations;
  operationClaims: OperationClaims;
  adoptionSources: AdoptionSources;
  backups: Backups;
  backupCopies: BackupCopies;
  installationCopies: InstallationCopies;
  backupSchedules: BackupSchedules;
  backupScheduleRuns: BackupScheduleRuns;
  batches: Batches;
  batchRows: BatchRows;
  savedViews: SavedViews;
  findingSnoozes: FindingSnoozes;
  growthDays: GrowthDays;
  faqs: Faqs;
  faqImages: FaqImages;
  faqSections: FaqSections;
  faqQuestions: FaqQuestions;
  faqRevisions: FaqRevisions;
  auditEntries: AuditEntries;
  auditHead: AuditHead;
  auditVerification: AuditVerification;
  auditCheckpoint: AuditCheckpoint;
  walArchive: WalArchive;
  installationMarks: InstallationMarks;
}
