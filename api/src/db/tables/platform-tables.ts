import type { AccountTables } from './account-tables.ts';
import type { AuditTables } from './audit-tables.ts';
import type { BackupTables } from './backup-tables.ts';
import type { DatabaseTables } from './database-tables.ts';
import type { FaqTables } from './faq-tables.ts';
import type { MessageTables } from './message-tables.ts';
import type { OperationTables } from './operation-tables.ts';
import type { PreferenceTables } from './preference-tables.ts';
import type { TenantTables } from './tenant-tables.ts';

/** The tables of the control database in camelCase, which Kysely's plugin maps to snake_case. */
export interface PlatformTables
  extends AccountTables,
    MessageTables,
    PreferenceTables,
    TenantTables,
    DatabaseTables,
    BackupTables,
    OperationTables,
    FaqTables,
    AuditTables {}
