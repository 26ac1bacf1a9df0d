import type { AuditHead } from '../db/audit-chain.ts';
import type { AuditEntry } from './audit.repository.ts';
import { chainHash } from './chain-hash.ts';
import { type Anchor, type Checkpoint, isGenuine } from './signatures.ts';

/** What is verified: entries, and what was noted of them. */
export interface KeptTrail {
  /** Up to where entries were removed because of their age; undefined: none were. */
  checkpoint: Checkpoint | undefined;
  /** The note of which entry is the newest, read before the entries. */
  head: AuditHead;
  /** All entries, oldest first, some at a time. */
  pages: AsyncIterable<readonly AuditEntry[]>;
  /** The note of which entry is the newest, read after the entries. */
  headNow(): Promise<AuditHead>;
}

/** How a verification ended. */
export interface TrailVerification {
  entries: number;
  /** The first thing that is wrong; absent: nothing. */
  problem?: string;
  /** The last entry that is right. */
  newest: AuditHead;
}

const HEAD_ALTERED = 'The note of which entry is the newest was altered.';
const CHECKPOINT_ALTERED = 'The note of which entries were removed because of their age was altered.';
const NOTHING: AuditHead = { lastId: '0', lastHash: Buffer.alloc(0) };

/**
 * Reads a whole trail and compares it with what was noted of it.
 * @param anchor the newest one that is known
 * @param onPage is told how many entries have been read
 */
export async function verifyTrail(
  key: Uint8Array,
  trail: KeptTrail,
  anchor?: Anchor,
  onPage?: (entries: number) => Promise<void>,
): Promise<TrailVerification> {
  const { checkpoint, head } = trail;
  let newest = checkpoint ?? NOTHING;
  let entries = 0;
  const broken = (problem: string): TrailVerification => ({ entries, problem, newest });
  if (checkpoint && !isGenuine(key, checkpoint)) return broken(CHECKPOINT_ALTERED);
  for await (const page of trail.pages) {
    for (const entry of page) {
      const expectedId = String(BigInt(newest.lastId) + 1n);
      if (entry.id !== expectedId) return broken(`Entry ${expectedId} is missing.`);
      if (!entry.hash.equals(chainHash(key, newest.lastHash, entry))) return broken(altered(entry.id));
      newest = { lastId: entry.id, lastHash: entry.hash };
      entries += 1;
      if (differs(head, newest)) return broken(HEAD_ALTERED);
      if (anchor && differs(anchor, newest)) return broken(otherHistory(anchor));
    }
    await onPage?.(entries);
  }
  if (BigInt(newest.lastId) < BigInt(head.lastId)) return broken(`Entries after ${newest.lastId} are missing.`);
  if (BigInt((await trail.headNow()).lastId) < BigInt(newest.lastId)) return broken(HEAD_ALTERED);
  if (anchor && BigInt(newest.lastId) < BigInt(anchor.lastId)) {
    return broken(`Entries ${BigInt(newest.lastId) + 1n} to ${anchor.lastId} are missing: ${toldBy(anchor)}.`);
  }
  return { entries, newest };
}

const altered = (id: string) => `Entry ${id} was altered, or the secret is another one.`;
const toldBy = ({ on }: Anchor) => `an anchor of ${on} knows of them`;
const otherHistory = ({ lastId, on }: Anchor) =>
  `Entry ${lastId} is another one than an anchor of ${on} knows: entries were replaced.`;

/** Whether a note is about this very entry, and says something else of it. */
const differs = (note: AuditHead, { lastId, lastHash }: AuditHead): boolean =>
  note.lastId === lastId && !note.lastHash.equals(lastHash);
