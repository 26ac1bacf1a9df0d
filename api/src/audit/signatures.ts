import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditHead } from '../db/audit-chain.ts';

/** An entry of the trail that was the newest at a moment, noted outside of the database and signed. */
export interface Anchor extends AuditHead {
  /** When it was noted, as ISO 8601. */
  on: string;
}

/** Up to where entries were removed because of their age. */
export interface Checkpoint extends AuditHead {
  signature: Buffer;
}

/** What a line with an anchor begins with. */
const ANCHOR = 'audit-anchor';

/** An anchor as a line: what, id, hash, moment, signature, with blanks between. */
export function formatAnchor(key: Uint8Array, { lastId, lastHash, on }: Anchor): string {
  const content = [ANCHOR, lastId, lastHash.toString('hex'), on].join(' ');
  return `${content} ${sign(key, 'anchor', content).toString('hex')}`;
}

/** The anchor of the newest entry in a text, such as a log. @returns undefined where there is none with this key's signature */
export function findAnchor(key: Uint8Array, text: string): Anchor | undefined {
  let newest: Anchor | undefined;
  for (const [, content = '', lastId = '', hash = '', on = '', signature = ''] of text.matchAll(LINE)) {
    if (newest && BigInt(newest.lastId) >= BigInt(lastId)) continue;
    if (!isSigned(key, 'anchor', content, Buffer.from(signature, 'hex'))) continue;
    newest = { lastId, lastHash: Buffer.from(hash, 'hex'), on };
  }
  return newest;
}

const LINE = new RegExp(`(${ANCHOR} (\\d+) ([0-9a-f]{64}) (\\S{24})) ([0-9a-f]{64})`, 'g');

export const signCheckpoint = (key: Uint8Array, head: AuditHead): Checkpoint => ({
  ...head,
  signature: sign(key, 'checkpoint', contentOf(head)),
});

export const isGenuine = (key: Uint8Array, checkpoint: Checkpoint): boolean =>
  isSigned(key, 'checkpoint', contentOf(checkpoint), checkpoint.signature);

/** A few bits that tell the trails of several installations apart, and nothing of the key. */
export const trailName = (key: Uint8Array): string => sign(key, 'name', '').toString('hex').slice(0, 12);

const contentOf = ({ lastId, lastHash }: AuditHead): string => `${lastId} ${lastHash.toString('hex')}`;

/** Signs with a key of its own for each purpose: no signature can stand for another one, nor for the hash of an entry. */
function sign(key: Uint8Array, purpose: 'anchor' | 'checkpoint' | 'name', content: string): Buffer {
  const own = createHmac('sha256', key).update(`apotheca audit ${purpose}`).digest();
  return createHmac('sha256', own).update(content).digest();
}

function isSigned(key: Uint8Array, purpose: 'anchor' | 'checkpoint', content: string, signature: Buffer): boolean {
  const expected = sign(key, purpose, content);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
