import type { BackupFrequency } from '@apotheca/contract/backup-schedules';
import type { BackupProof } from '@apotheca/contract/backups';
import type { ColumnType, Generated } from 'kysely';
import type { DefaultedTimestamp, Timestamp } from './column-types.ts';

/** Backups of databases and of the installation, and what is archived of the cluster. */
export interface BackupTables {
  backups: Backups;
  backupCopies: BackupCopies;
  installationCopies: InstallationCopies;
  backupSchedules: BackupSchedules;
  backupScheduleRuns: BackupScheduleRuns;
  walArchive: WalArchive;
  installationMarks: InstallationMarks;
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

interface InstallationMarks {
  name: string;
  madeAt: DefaultedTimestamp;
}
