import type { Backup } from '@apotheca/contract/backups';
import type { Database } from '@apotheca/contract/databases';

/** What was chosen before the restore dialog was opened. */
export interface RestoreDialog {
  kind: 'restore';
  backup?: Backup;
  /** Name of the database whose backups come first, and which the backup replaces. */
  databaseName?: string;
}

/** Which dialog of the databases page is open, and for which row. */
export type DatabaseDialog =
  | { kind: 'none' | 'adopt' | 'backups' | 'schedules' | 'parked' | 'reconciliation' }
  | {
      kind:
        | 'view'
        | 'rename'
        | 'backup'
        | 'clone'
        | 'clone-anonymized'
        | 'refresh'
        | 'moment'
        | 'move'
        | 'history'
        | 'delete';
      database: Database;
    }
  | RestoreDialog;
