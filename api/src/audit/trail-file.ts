import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditHead } from '../db/audit-chain.ts';
import type { AuditEntry } from './audit.repository.ts';
import { type Anchor, type Checkpoint, findAnchor, formatAnchor } from './signatures.ts';
import { type TrailVerification, verifyTrail } from './verification.ts';

/** What a file of a whole trail begins with. */
const BEGINNING = 'apotheca-audit-trail';
/** How many lines are in memory at once. */
const PAGE = 1_000;

/**
 * A whole trail as lines of JSON: a first one that says what it is and up to where older entries were removed, one for each entry, oldest
 * first, and a last one with the signed head.
 */
export async function* trailLines(
  key: Uint8Array,
  { checkpoint, pages }: { checkpoint: Checkpoint | undefined; pages: AsyncIterable<readonly AuditEntry[]> },
  now: Date,
): AsyncGenerator<string> {
  let newest: AuditHead = checkpoint ?? { lastId: '0', lastHash: Buffer.alloc(32) };
  const removed = checkpoint && {
    lastId: checkpoint.lastId,
    lastHash: checkpoint.lastHash.toString('hex'),
    signature: checkpoint.signature.toString('hex'),
  };
  yield `${JSON.stringify({ file: BEGINNING, version: 1, removed: removed ?? null })}\n`;
  for await (const page of pages) {
    yield page.map((entry) => `${JSON.stringify({ ...entry, hash: entry.hash.toString('hex') })}\n`).join('');
    const last = page.at(-1);
    if (last) newest = { lastId: last.id, lastHash: last.hash };
  }
  yield `${JSON.stringify({ head: formatAnchor(key, { ...newest, on: now.toISOString() }) })}\n`;
}

/**
 * Verifies a file of a whole trail. It needs the key, but neither server nor database.
 * @param anchor an anchor that the trail is compared with too
 * @returns as verifyTrail; a file that is none is a problem
 */
export async function verifyTrailFile(key: Uint8Array, path: string, anchor?: Anchor): Promise<TrailVerification> {
  const head = await readHead(key, path);
  const refused = (problem: string) => ({ entries: 0, problem, newest: { lastId: '0', lastHash: Buffer.alloc(0) } });
  if (typeof head === 'string') return refused(head);
  const { checkpoint, signed } = head;
  try {
    const trail = { checkpoint, head: signed, pages: entriesOf(path), headNow: async () => signed };
    return await verifyTrail(key, trail, anchor);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) {
      return refused(`The file has a line that is no entry: ${error.message}`);
    }
    throw error;
  }
}

const linesOf = (path: string) =>
  createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });

/** The anchor of the newest entry in a file such as a log, of any length. @returns undefined where there is none with this key's signature */
export async function findAnchorInFile(key: Uint8Array, path: string): Promise<Anchor | undefined> {
  let newest: Anchor | undefined;
  for await (const line of linesOf(path)) {
    const found = findAnchor(key, line);
    if (found && (!newest || BigInt(found.lastId) > BigInt(newest.lastId))) newest = found;
  }
  return newest;
}

/** What the first and the last line say, or what is wrong with them. */
async function readHead(
  key: Uint8Array,
  path: string,
): Promise<{ checkpoint: Checkpoint | undefined; signed: Anchor } | string> {
  let first: string | undefined;
  let last = '';
  for await (const line of linesOf(path)) {
    first ??= line;
    if (line !== '') last = line;
  }
  const beginning = asRecord(first);
  if (beginning.file !== BEGINNING || beginning.version !== 1) return 'This is no file of a whole audit trail.';
  if (typeof asRecord(last).head !== 'string') return 'The end of the file is missing.';
  const signed = findAnchor(key, last);
  if (!signed) return 'The signed head at the end of the file was altered, or the secret is another one.';
  return { checkpoint: checkpointOf(beginning.removed), signed };
}

function checkpointOf(removed: unknown): Checkpoint | undefined {
  if (removed === null) return undefined;
  const { lastId, lastHash, signature } = removed as Record<string, unknown>;
  return {
    lastId: String(lastId),
    lastHash: Buffer.from(String(lastHash), 'hex'),
    signature: Buffer.from(String(signature), 'hex'),
  };
}

async function* entriesOf(path: string): AsyncGenerator<AuditEntry[]> {
  let page: AuditEntry[] = [];
  for await (const line of linesOf(path)) {
    const entry = JSON.parse(line === '' ? '{}' : line);
    if (entry.id === undefined) continue;
    page.push({ ...entry, at: new Date(entry.at), hash: Buffer.from(entry.hash, 'hex') });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

function asRecord(line: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
