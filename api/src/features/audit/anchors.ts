import { type Anchor, findAnchor, formatAnchor, trailName } from '../../audit/signatures.ts';
import type { Context } from '../../context.ts';
import type { AuditHead } from '../../db/audit-chain.ts';
import { storeAt } from '../databases/backups/stores/store-at.ts';

/** How many anchors a store keeps. */
const KEPT = 30;

interface Surroundings {
  signal: AbortSignal;
  onError: (error: unknown) => void;
  onAnchor: (line: string) => void;
}

/** Notes which entry is the newest where nobody who writes to the database can change it: in the log and in each backup store. */
export async function keepAnchor(
  { keys, stores, now }: Context,
  newest: AuditHead,
  { signal, onError, onAnchor }: Surroundings,
): Promise<void> {
  const line = formatAnchor(keys.audit, { ...newest, on: now().toISOString() });
  onAnchor(line);
  const beginning = beginningOf(keys.audit);
  const content = Buffer.from(`${line}\n`);
  for (const place of stores.places) {
    try {
      const store = storeAt(place);
      const name = `${beginning}${newest.lastId.padStart(19, '0')}.txt`;
      await store.put({ name, content: chunksOf(content), sizeBytes: content.length, signal });
      const names = namesOf(await store.list(beginning, signal));
      for (const old of names.slice(KEPT)) await store.remove(old, signal);
    } catch (error) {
      onError(new Error(`The anchor of the audit trail cannot be kept in ${place.name}.`, { cause: error }));
    }
  }
}

/** The anchor of the newest entry in any store; undefined where none has one. What this server has not signed is none. */
export async function readNewestAnchor(
  { keys, stores }: Context,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<Anchor | undefined> {
  let newest: Anchor | undefined;
  for (const place of stores.places) {
    try {
      const store = storeAt(place);
      for (const name of namesOf(await store.list(beginningOf(keys.audit), signal))) {
        const anchor = findAnchor(keys.audit, await textOf(store.read(name, signal)));
        if (!anchor) continue;
        if (!newest || BigInt(newest.lastId) < BigInt(anchor.lastId)) newest = anchor;
        break;
      }
    } catch (error) {
      onError(new Error(`The anchors of the audit trail cannot be read from ${place.name}.`, { cause: error }));
    }
  }
  return newest;
}

/**
 * Removes the anchors of entries that a recovery could not bring back, from each store: the trail will never have them, so it would count as
 * broken for ever, and a real break could not be told from that.
 * @param from id of the first entry that was made after what is recovered
 * @returns how many entries the removed ones knew of: the newest one's id; undefined where there was none
 */
export async function removeAnchorsFrom(
  { keys, stores }: Context,
  from: string,
  { signal, onError }: Omit<Surroundings, 'onAnchor'>,
): Promise<string | undefined> {
  const beginning = beginningOf(keys.audit);
  let newest: string | undefined;
  for (const place of stores.places) {
    try {
      const store = storeAt(place);
      for (const name of namesOf(await store.list(beginning, signal))) {
        const id = /\d+/.exec(name.slice(beginning.length))?.[0] ?? '0';
        if (BigInt(id) < BigInt(from)) break;
        await store.remove(name, signal);
        if (newest === undefined || BigInt(id) > BigInt(newest)) newest = String(BigInt(id));
      }
    } catch (error) {
      onError(new Error(`The anchors of the audit trail cannot be removed from ${place.name}.`, { cause: error }));
    }
  }
  return newest;
}

/** Several installations may share a store. */
const beginningOf = (key: Uint8Array): string => `audit-anchor-${trailName(key)}-`;

/** Newest first. */
const namesOf = (objects: readonly { name: string }[]): string[] =>
  objects
    .map(({ name }) => name)
    .toSorted()
    .toReversed();

async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
