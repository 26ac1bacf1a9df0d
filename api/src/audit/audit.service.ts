import { setTimeout } from 'node:timers/promises';
import { RECORD_ENTRIES } from '@apotheca/contract/audit';
import type { Actor } from '../actor.ts';
import type { AuditHead, NextEntry } from '../db/audit-chain.ts';
import { isDatabaseAway } from '../db/errors/postgres-errors.ts';
import { apartFromAttempts, noteMade } from '../db/keyed-calls.ts';
import type { Platform, Trx } from '../db/platform.ts';
import {
  type AuditEntry,
  auditTrailList,
  findCheckpoint,
  getAuditHead,
  insertAuditEntries,
  insertAuditEntry,
  listAuditEntriesAfter,
  lockAuditHead,
} from './audit.repository.ts';
import { auditSearchList, searchPage } from './audit-search.repository.ts';
import { chainHash } from './chain-hash.ts';
import type { Anchor } from './signatures.ts';
import { type KeptTrail, type TrailVerification, verifyTrail } from './verification.ts';

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

/** How many of the newest entries tell under which key a trail was written: one that was tampered with tells nothing. */
const TELLING = 10;

/** How long an append waits for the one before it, in milliseconds: PostgreSQL may be away. */
const LONGEST_TURN = 500;

/** What this process knows of each trail, by the trail's key. */
const trails = new WeakMap<Uint8Array, KnownTrail>();

interface KnownTrail {
  /** The newest entry that was sent: mostly the newest of all. Its transaction may not have been committed. */
  head?: AuditHead;
  /** Ends with the last append that is a transaction of its own. */
  turn?: Promise<void>;
}

function knownTrail({ keys }: AuditTrail): KnownTrail {
  const known = trails.get(keys.audit) ?? {};
  trails.set(keys.audit, known);
  return known;
}

/**
 * Appends one entry to the audit trail (DECISIONS §12). Appends wait for each other's transactions to end, so call this last in a
 * short transaction. What a call with an idempotency key makes is noted with that here, as nothing is made without an entry.
 */
export async function appendAudit(trail: AuditTrail, trx: Trx, event: AuditEvent): Promise<void> {
  await noteMade(trx, { madeId: event.entityId });
  await insertAuditEntry(trx, nextEntry(trail, await lockAuditHead(trx), event));
}

/**
 * Appends an entry of what counts elsewhere, as in a tenant's database, then does that: a change that nobody can look up is worse
 * than an entry of one that failed. Where it is refused, an entry whose action ends with -failed says so; where PostgreSQL does not answer,
 * nobody knows whether the change counts. What a repeated call would do again is not noted with its key.
 * @param commit makes what the entry is about count
 * @throws what `commit` does
 */
export async function auditBeforehand(
  context: AuditTrail & { platform: Platform },
  event: AuditEvent,
  commit: () => Promise<unknown>,
): Promise<void> {
  const append = (entry: AuditEvent) =>
    apartFromAttempts(() => context.platform.transaction().execute((trx) => appendAudit(context, trx, entry)));
  await append(event);
  try {
    await commit();
  } catch (error) {
    // Whoever asked for the change is told in any case.
    if (!isDatabaseAway(error)) await append({ ...event, action: `${event.action}-failed` }).catch(() => undefined);
    throw error;
  }
}

/** Appends entries as {@link appendAudit} does one, with as many statements however many they are. */
export async function appendAudits(trail: AuditTrail, trx: Trx, events: readonly AuditEvent[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  await noteMade(trx, { madeId: first.entityId });
  let head = await lockAuditHead(trx);
  const entries = events.map((event) => {
    const { entry } = nextEntry(trail, head, event);
    head = { lastId: entry.id, lastHash: entry.hash };
    return entry;
  });
  await insertAuditEntries(trx, entries);
}

/**
 * Appends one entry by a statement that is a transaction of its own and may do more. It is sent with the newest entry that this process
 * knows of: where that is another one, it does nothing, and is sent again in a transaction that has locked the head. These appends
 * take turns, as two at once would know of the same entry.
 * @param append sends the statement; absent: one that appends and no more. @returns whether it appended
 * @param lock takes the locks that come before that of the head; absent: none. @returns whether the statement can do something
 * @returns whether the statement did what it does
 */
export async function appendAuditBy(
  trail: AuditTrail,
  platform: Platform,
  event: AuditEvent,
  append: (platform: Platform, next: NextEntry) => Promise<boolean> = insertAuditEntry,
  lock: (trx: Trx) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const known = knownTrail(trail);
  const turn = Promise.withResolvers<void>();
  const earlier = known.turn;
  known.turn = turn.promise;
  if (earlier) await Promise.race([earlier, setTimeout(LONGEST_TURN, undefined, { ref: false })]);
  try {
    if (known.head && (await append(platform, nextEntry(trail, known.head, event)))) return true;
    return await platform
      .transaction()
      .execute(async (trx) => (await lock(trx)) && append(trx, nextEntry(trail, await lockAuditHead(trx), event)));
  } finally {
    turn.resolve();
    if (known.turn === turn.promise) known.turn = undefined;
  }
}

/** The entry of an event after another one. It counts as the newest from now on. */
function nextEntry(trail: AuditTrail, head: AuditHead, event: AuditEvent): NextEntry {
  const { audit: key } = trail.keys;
  const unsigned = {
    id: String(BigInt(head.lastId) + 1n),
    at: trail.now(),
    actorId: event.actor.id,
    // Well-formed, as PostgreSQL stores half of a cut surrogate pair as another text than the one that is hashed.
    actorName: event.actor.name.slice(0, 256).toWellFormed(),
    action: event.action,
    entity: event.entity,
    entityId: event.entityId,
    address: event.actor.address,
    changes: JSON.stringify(event.changes ?? {}),
  };
  const entry = { ...unsigned, hash: chainHash(key, head.lastHash, unsigned) };
  knownTrail(trail).head = { lastId: entry.id, lastHash: entry.hash };
  return { head, entry };
}

/** The newest entries about a record, newest first; `entity` as in entries: 'users', 'tenants'. */
export const listAuditTrail = auditTrailList(RECORD_ENTRIES);

/** The entries that a filter leaves, newest first. */
export const searchAudit = auditSearchList;

/** A page of them of any size. */
export const readSearchPage = searchPage;

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
export async function verifyAudit(
  platform: Platform,
  key: Uint8Array,
  anchor?: Anchor,
): Promise<{ entries: number; problem?: string }> {
  const { newest: _newest, ...found } = await verifyKeptTrail(platform, key, anchor);
  return found;
}

/** The same, and which entry is the last one that is right. @param anchor, onPage as for verifyTrail */
export async function verifyKeptTrail(
  platform: Platform,
  key: Uint8Array,
  anchor?: Anchor,
  onPage?: (entries: number) => Promise<void>,
): Promise<TrailVerification> {
  const trail = await openTrail(platform);
  const found = await verifyTrail(key, trail, anchor, onPage);
  // Entries that were removed because of their age meanwhile are not missing.
  const isAnew = found.problem && (await isShortened(platform, trail));
  return isAnew ? verifyKeptTrail(platform, key, anchor, onPage) : found;
}

/** Whether entries of a trail were removed because of their age since it was opened. */
export async function isShortened(platform: Platform, { checkpoint }: KeptTrail): Promise<boolean> {
  return (await findCheckpoint(platform))?.lastId !== checkpoint?.lastId;
}

/** Whether one of the newest entries was written under a key, or there are no entries. */
export async function isWrittenUnder(key: Uint8Array, platform: Platform): Promise<boolean> {
  const { lastId } = await getAuditHead(platform);
  // The oldest one of these is there for its hash, unless it follows a checkpoint or nothing.
  const before = String(BigInt(lastId) - BigInt(TELLING + 1));
  const entries = await listAuditEntriesAfter(platform, before, TELLING + 1);
  const first = (await findCheckpoint(platform))?.lastHash ?? Buffer.alloc(0);
  const isOwn = (entry: AuditEntry, at: number) =>
    entry.hash.equals(chainHash(key, entries[at - 1]?.hash ?? first, entry));
  return entries.length === 0 || entries.some(isOwn);
}

/** The trail as it is in the control database. */
export async function openTrail(platform: Platform): Promise<KeptTrail> {
  const checkpoint = await findCheckpoint(platform);
  const head = await getAuditHead(platform);
  const pages = pagesAfter(platform, checkpoint?.lastId ?? '0');
  return { checkpoint, head, pages, headNow: () => getAuditHead(platform) };
}

async function* pagesAfter(platform: Platform, id: string): AsyncGenerator<AuditEntry[]> {
  for (let last = id; ; ) {
    const page = await listAuditEntriesAfter(platform, last, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)?.id ?? last;
  }
}
