import { createHmac } from 'node:crypto';
import type { Actor } from '../actor.ts';
import type { Platform, Trx } from '../db/platform.ts';
import {
  type AuditEntry,
  auditTrailList,
  getAuditHead,
  insertAuditEntry,
  listAuditEntriesAfter,
  lockAuditHead,
} from './audit.repository.ts';

/** What appending needs of the server's context. */
interface AuditTrail {
  keys: { audit: Uint8Array };
  now(): Date;
}

/** One entry of the trail. `changes` never holds a secret. */
export interface AuditEvent {
  actor: Actor;
  /** Entity and verb, such as tenants.create or auth.sign-in-failed. */
  action: string;
  entity: string;
  entityId: string;
  changes?: Record<string, unknown>;
}

const PAGE = 1000;
/** How many entries a record's trail shows. */
const MAX_TRAIL = 200;

/**
 * Appends one entry to the audit trail (DECISIONS §12). Appends wait for each other's transactions to end, so call this last in a
 * short transaction.
 */
export async function appendAudit(trail: AuditTrail, trx: Trx, event: AuditEvent): Promise<void> {
  const at = trail.now();
  const head = await lockAuditHead(trx);
  const entry = {
    id: String(BigInt(head.lastId) + 1n),
    at,
    actorId: event.actor.id,
    // Well-formed, as PostgreSQL stores half of a cut surrogate pair as another text than the one that is hashed.
    actorName: event.actor.name.slice(0, 256).toWellFormed(),
    action: event.action,
    entity: event.entity,
    entityId: event.entityId,
    address: event.actor.address,
    changes: JSON.stringify(event.changes ?? {}),
  };
  await insertAuditEntry(trx, { ...entry, hash: chainHash(trail.keys.audit, head.lastHash, entry) });
}

/** The newest entries about a record, newest first; `entity` as in entries: 'users', 'tenants'. */
export const listAuditTrail = auditTrailList(MAX_TRAIL);

/** The fields of a record that a write changed, as `{ field: [before, after] }`. */
export function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const changed = Object.keys(after).filter((field) => field in before && before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]]));
}

/** The changed fields of a record with versions, and the step from its version to the next, which {@link refuseStale} needs. */
export function changedVersion(
  before: Record<string, unknown> & { version: number },
  after: Record<string, unknown>,
): Record<string, unknown> {
  return { ...changedFields(before, after), version: [before.version, before.version + 1] };
}

/**
 * Reads the whole trail and compares it with the head, which may move on meanwhile.
 * @returns how many entries there are, and the first problem, if there is one
 */
export async function verifyAudit(platform: Platform, key: Uint8Array): Promise<{ entries: number; problem?: string }> {
  const head = await getAuditHead(platform);
  let previous = { id: '0', hash: Buffer.alloc(0) as Buffer };
  let entries = 0;
  for (;;) {
    const page = await listAuditEntriesAfter(platform, previous.id, PAGE);
    for (const entry of page) {
      const expectedId = String(BigInt(previous.id) + 1n);
      if (entry.id !== expectedId) return { entries, problem: `Entry ${expectedId} is missing.` };
      if (!entry.hash.equals(chainHash(key, previous.hash, entry))) {
        return { entries, problem: `Entry ${entry.id} was altered, or the secret is another one.` };
      }
      previous = entry;
      entries += 1;
      if (entry.id === head.lastId && !entry.hash.equals(head.lastHash)) return { entries, problem: HEAD_ALTERED };
    }
    if (page.length < PAGE) break;
  }
  if (BigInt(previous.id) < BigInt(head.lastId))
    return { entries, problem: `Entries after ${previous.id} are missing.` };
  const { lastId } = await getAuditHead(platform);
  return BigInt(lastId) < BigInt(previous.id) ? { entries, problem: HEAD_ALTERED } : { entries };
}

const HEAD_ALTERED = 'The note of which entry is the newest was altered.';

function chainHash(key: Uint8Array, previousHash: Buffer, entry: Omit<AuditEntry, 'hash'>): Buffer {
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
