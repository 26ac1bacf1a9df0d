import {
  type AnonymizedClone,
  anonymizedClone,
  type RefreshPlan,
  refreshPlan,
} from '@apotheca/contract/anonymized-clones';
import {
  type Backup,
  type BackupRestorePlan,
  backupRestorePlan,
  backup as backupSchema,
} from '@apotheca/contract/backups';
import {
  type Database,
  type DatabaseDetails,
  databaseDetails,
  database as databaseSchema,
} from '@apotheca/contract/databases';
import { type MovePlan, movePlan } from '@apotheca/contract/moves';
import { type DeletionPlan, deletionPlan } from '@apotheca/contract/plan';

let made = 0;

/** A tenant's database as the list gives it, checked against the contract. */
export function makeDatabase(fields: Partial<Database> = {}): Database {
  made += 1;
  return databaseSchema.parse({
    id: `00000000-0000-4000-9000-${String(made).padStart(12, '0')}`,
    databaseName: `TENANT${made}`,
    serverName: 'Home',
    tenantCode: `TENANT${made}`,
    customerCode: `Customer ${made}`,
    copiedFrom: null,
    refreshedOnUtc: null,
    createdOnUtc: '2026-02-03T12:00:00.000Z',
    sizeBytes: 12 * 1024 ** 2,
    schemaVersion: 9,
    isOutdated: false,
    access: 'open',
    newestBackupOnUtc: null,
    hasProvedBackup: false,
    operation: null,
    ...fields,
  });
}

/** A database that no tenant owns. */
export const makeClone = (fields: Partial<Database> = {}): Database =>
  makeDatabase({ tenantCode: null, customerCode: null, ...fields });

/** The details of one database. */
export const makeDetails = (fields: Partial<DatabaseDetails> = {}): DatabaseDetails =>
  databaseDetails.parse({
    ...makeDatabase(),
    physicalName: 'db_1_tenant',
    roleName: 'role_1',
    sizeBytes: 12 * 1024 ** 2,
    schemaVersion: 7,
    connections: 3,
    tables: [],
    unreadableTables: [],
    rejectedRows: 0,
    ...fields,
  });

/** The plan of deleting a database. */
export const makePlan = (fields: Partial<DeletionPlan> = {}): DeletionPlan =>
  deletionPlan.parse({
    databaseName: 'TRAINING',
    sizeBytes: 9 * 1024 ** 2,
    rows: 12_345,
    connections: 2,
    newestBackupOnUtc: null,
    digest: 'digest-1',
    ...fields,
  });

/** The plan of a move. */
export const makeMovePlan = (fields: Partial<MovePlan> = {}): MovePlan =>
  movePlan.parse({
    databaseName: 'TRAINING',
    databaseServerId: '00000000-0000-4000-8000-000000000002',
    fromServer: 'Home',
    toServer: 'South',
    sizeBytes: 9 * 1024 ** 2,
    connections: 2,
    way: 'replication',
    reasons: [],
    sequences: 37,
    digest: 'digest-1',
    ...fields,
  });

/** The plan of a refresh. */
export const makeRefreshPlan = (fields: Partial<RefreshPlan> = {}): RefreshPlan =>
  refreshPlan.parse({
    ...makePlan({ databaseName: 'STAGING' }),
    copiedFrom: 'LAKESIDE',
    refreshedOnUtc: '2026-03-04T09:30:00.000Z',
    ...fields,
  });

/** An archive as the list of backups gives it. */
export function makeBackup(fields: Partial<Backup> = {}): Backup {
  made += 1;
  return backupSchema.parse({
    id: `00000000-0000-4000-b000-${String(made).padStart(12, '0')}`,
    databaseName: 'CEDARVA',
    origin: 'made',
    sizeBytes: 3 * 1024 ** 2,
    sha256: '3f9ac1'.padEnd(64, 'e'),
    schemaVersion: 9,
    rows: 4321,
    createdBy: 'ada',
    createdOnUtc: '2026-03-04T09:30:00.000Z',
    ...fields,
  });
}

/** The plan of a restore; by default it replaces nothing. */
export const makeRestorePlan = (fields: Partial<BackupRestorePlan> = {}): BackupRestorePlan =>
  backupRestorePlan.parse({
    databaseName: 'CEDARVA',
    replaces: false,
    sizeBytes: 0,
    leftOut: [],
    rows: 0,
    connections: 0,
    newestBackupOnUtc: null,
    backupOnUtc: '2026-03-04T09:30:00.000Z',
    digest: 'digest-1',
    ...fields,
  });

/** An anonymized clone, which nobody has refreshed yet. */
export const makeAnonymizedClone = (fields: Partial<AnonymizedClone> = {}): AnonymizedClone =>
  anonymizedClone.parse({
    databaseName: 'STAGING',
    copiedFrom: 'LAKESIDE',
    refreshedOnUtc: '2026-03-04T09:30:00.000Z',
    schedule: { frequency: 'off', hour: 2, weekday: 7 },
    version: 1,
    timezoneId: 'America/Denver',
    nextRunOnUtc: null,
    lastRefresh: null,
    ...fields,
  });
