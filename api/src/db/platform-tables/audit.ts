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
  /** JSON text, stored exactly as it was hashed. */
  changes: string;
  hash: Buffer;
}

export interface AuditHead {
  lastId: string;
  lastHash: Buffer;
}
