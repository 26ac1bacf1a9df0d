import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './timestamps.ts';

export interface Databases {
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

export interface Backups {
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
