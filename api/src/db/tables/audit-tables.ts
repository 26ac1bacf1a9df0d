import type { Timestamp } from './column-types.ts';

/** The audit trail and what proves it. */
export interface AuditTables {
  auditEntries: AuditEntries;
  auditHead: AuditHead;
  auditVerification: AuditVerification;
  auditCheckpoint: AuditCheckpoint;
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
