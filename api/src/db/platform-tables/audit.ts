import type { Timestamp } from './timestamps.ts';

export interface AuditEntries {
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

export interface AuditHead {
  lastId: string;
  lastHash: Buffer;
}
