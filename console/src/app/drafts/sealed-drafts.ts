import { DRAFT_HOURS, type DraftKeys } from '@apotheca/contract/account';
import { getDraftKeys } from '../../api/account.ts';
import type { DraftParts } from '../../components/form/drafts.ts';
import { isRecord } from '../../lib/is-record.ts';
import { readItem, removeItem, writeItem } from '../../lib/local-storage.ts';
import { readSession } from '../../session/session-slice.ts';
import type { AppStore } from '../state/store.ts';

/** What somebody has typed on a screen and not saved. */
export interface Draft {
  id: string;
  screen: string;
  /** When it was kept, in milliseconds. */
  at: number;
  parts: DraftParts;
}

/** A draft as it lies in the browser's storage: of the text nothing can be read without a key of the server's. */
interface SealedDraft {
  user: string;
  at: number;
  /** Of the key. */
  hour: number;
  nonce: string;
  text: string;
}

/** A key that encrypts and decrypts, and cannot be read. */
export interface DraftKey {
  hour: number;
  key: CryptoKey;
}

const PREFIX = 'apotheca-draft-';
const DAY_MS = DRAFT_HOURS * 3_600_000;

/** Browsers encrypt on https and localhost only: elsewhere nothing is kept. */
export const canKeepDrafts = () => globalThis.crypto?.subtle !== undefined && 'locks' in navigator;

/** The lock that a tab holds while somebody types in it. */
export const lockOf = (id: string) => PREFIX + id;

/** The keys of a user, who is still to be signed in, the newest first. */
export async function loadKeys(dispatch: AppStore['dispatch'], user: string): Promise<DraftKey[]> {
  const keys = await askForKeys(dispatch, user);
  const make = (key: string) => crypto.subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return Promise.all(keys.map(async ({ hour, key }) => ({ hour, key: await make(key) })));
}

async function askForKeys(dispatch: AppStore['dispatch'], user: string): Promise<DraftKeys> {
  if (dispatch(readSession()).id !== user) throw new Error(`User ${user} is gone`);
  // Subscribed to until they are there: RTK Query aborts a call that has no subscriber when it drops the answer of the one before.
  const asked = dispatch(getDraftKeys.initiate(undefined, { forceRefetch: true }));
  const keys: DraftKeys | undefined = await asked.unwrap().finally(asked.unsubscribe);
  // Another user's session, and Retry of a page that broke, drop all that is being asked.
  return keys ?? askForKeys(dispatch, user);
}

/** What a draft is bound to beside its key. */
const bound = (user: string, id: string) => new TextEncoder().encode(`${user} ${id}`);

/** @returns the draft as it is stored */
export async function seal({ hour, key }: DraftKey, user: string, { id, ...draft }: Draft): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: bound(user, id) };
  const text = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(JSON.stringify(draft)));
  const sealed: SealedDraft = { user, at: draft.at, hour, nonce: textOf(nonce), text: textOf(new Uint8Array(text)) };
  return JSON.stringify(sealed);
}

export const store = (id: string, sealed: string) => writeItem(PREFIX + id, sealed);
export const remove = (id: string) => removeItem(PREFIX + id);
/** Tells this tab that a draft has changed: the browser tells the others only. */
export const tellChange = (id: string) => window.dispatchEvent(new StorageEvent('storage', { key: PREFIX + id }));
/** @returns puts it back, in every tab, unless another one has kept something newer in its place */
export function discard(id: string): () => void {
  const sealed = readItem(PREFIX + id);
  remove(id);
  return () => {
    if (sealed === null || readItem(PREFIX + id) !== null) return;
    store(id, sealed);
    tellChange(id);
  };
}
export const isDraft = (key: string | null) => key === null || key.startsWith(PREFIX);

/** The drafts of a user on a screen that no tab has open, the newest first. Those of everybody that are over go. */
export async function findDrafts(dispatch: AppStore['dispatch'], user: string, screen: string): Promise<Draft[]> {
  const stored = readStored().filter((draft) => draft.user === user);
  if (stored.length === 0) return [];
  const { held = [] } = await navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  const left = stored.filter(({ id }) => !open.has(lockOf(id)));
  const keys = left.length === 0 ? [] : await loadKeys(dispatch, user);
  const drafts = await Promise.all(left.map((draft) => unseal(keys, draft)));
  return drafts.flatMap((draft) => (draft?.screen === screen ? [draft] : [])).toSorted((a, b) => b.at - a.at);
}

/** @returns undefined for what cannot be read */
async function unseal(keys: DraftKey[], sealed: SealedDraft & { id: string }): Promise<Draft | undefined> {
  const { id, user, hour, nonce, text } = sealed;
  const key = keys.find((one) => one.hour === hour)?.key;
  if (!key) return undefined;
  try {
    const algorithm = { name: 'AES-GCM', iv: bytesOf(nonce), additionalData: bound(user, id) };
    const bytes = await crypto.subtle.decrypt(algorithm, key, bytesOf(text));
    return { ...(JSON.parse(new TextDecoder().decode(bytes)) as Omit<Draft, 'id'>), id };
  } catch {
    return undefined;
  }
}

function readStored(): (SealedDraft & { id: string })[] {
  return storedKeys().flatMap((key) => {
    const sealed = parse(readItem(key));
    if (sealed && Math.abs(Date.now() - sealed.at) < DAY_MS) return [{ ...sealed, id: key.slice(PREFIX.length) }];
    removeItem(key);
    return [];
  });
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function parse(json: string | null): SealedDraft | undefined {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return isRecord(value) && typeof value.at === 'number' ? (value as unknown as SealedDraft) : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
