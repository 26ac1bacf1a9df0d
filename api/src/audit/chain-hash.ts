import { createHmac } from 'node:crypto';
import type { AuditEntry } from './audit.repository.ts';

/** The hash of an entry, which covers that of the one before it. */
export function chainHash(key: Uint8Array, previousHash: Buffer, entry: Omit<AuditEntry, 'hash'>): Buffer {
  const text = JSON.stringify([
    entry.id,
    entry.at.toISOString(),
    entry.actorId,
    entry.actorName,
    entry.action,
    entry.entity,
    entry.entityId,
    entry.address,
    entry.changes,
  ]);
  return createHmac('sha256', key).update(previousHash).update(text).digest();
}
