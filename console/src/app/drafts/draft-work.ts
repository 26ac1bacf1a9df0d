import { DIALOG, type DraftParts, TITLE } from '../../components/form/drafts.ts';
import { screenOf } from '../navigation/paths.ts';
import type { AppStore } from '../state/store.ts';
import {
  canKeepDrafts,
  type Draft,
  type DraftKey,
  loadKeys,
  lockOf,
  remove,
  seal,
  store,
  tellChange,
} from './sealed-drafts.ts';

/** Longer than a dialog takes to fade out, so that what was saved is not kept once more. */
const PAUSE_MS = 500;

const HOUR_MS = 3_600_000;

/** What is typed on a screen, as long as the screen is open. */
export type DraftWork = ReturnType<typeof beginWork>;

/** Begins to keep what a user types on a screen: encrypted, a moment after each change. */
export function beginWork(dispatch: AppStore['dispatch'], user: string, screen: string) {
  let parts = new Map<string, unknown>();
  let id: string | undefined;
  let key: { asked: number | undefined; newest: Promise<DraftKey | undefined> } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Names the last change until it is stored. */
  let unkept: symbol | undefined;
  /** Frees the lock; it is free once this ends. */
  let release: (() => Promise<void>) | undefined;
  let isLeaving = false;

  const hasTyped = () => [...parts.keys()].some((name) => name !== DIALOG && name !== TITLE);
  /** A screen that was left, or that broke, takes its parts away without their being saved or discarded. */
  const isLeft = () => isLeaving || screenOf(window.location) !== screen;

  /** Other tabs do not offer what is still typed here. */
  function hold(draft: string) {
    id = draft;
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = navigator.locks.request(lockOf(draft), () => promise);
    release = () => {
      resolve();
      return held;
    };
  }

  function letGo() {
    clearTimeout(timer);
    timer = undefined;
    unkept = undefined;
    const freed = release?.();
    release = undefined;
    id = undefined;
    return freed;
  }

  /** Asked for anew each hour: a screen may stay open for days, and the server gives the keys of the last one only. */
  function newestKey() {
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (key?.asked === hour) return key.newest;
    const older = key?.newest ?? Promise.resolve(undefined);
    const newest = loadKeys(dispatch, user).then(
      ([first]) => first,
      () => {
        // The next change asks again.
        key = { asked: undefined, newest: older };
        return older;
      },
    );
    key = { asked: hour, newest };
    return newest;
  }

  async function write() {
    timer = undefined;
    if (id === undefined) return;
    const draft: Draft = { id, screen, at: Date.now(), parts: Object.fromEntries(parts) };
    const change = unkept;
    const newest = await newestKey();
    // Nothing is kept this time.
    if (!newest) return;
    const sealed = await seal(newest, user, draft);
    // Else it was saved or discarded meanwhile, or what is newer is stored by a write of its own, maybe before this one.
    if (id !== draft.id || unkept !== change) return;
    store(draft.id, sealed);
    unkept = undefined;
  }

  async function keepNow() {
    clearTimeout(timer);
    await write();
  }

  function drop() {
    if (id !== undefined) remove(id);
    void letGo();
  }

  return {
    keep(name: string, value: unknown) {
      if (!canKeepDrafts() || (value === undefined && isLeft())) return;
      if (value === undefined) {
        if (!parts.delete(name)) return;
        // With its dialog goes all that was typed in it.
        if (name === DIALOG) parts.clear();
        if (!hasTyped()) return drop();
      } else parts.set(name, value);
      if (!hasTyped()) return;
      if (id === undefined) hold(crypto.randomUUID());
      unkept = Symbol('change');
      timer ??= setTimeout(write, PAUSE_MS);
    },
    /** Goes on with a draft. */
    resume(draft: Draft): DraftParts {
      void letGo();
      parts = new Map(Object.entries(draft.parts));
      hold(draft.id);
      return draft.parts;
    },
    /** The document is about to go. */
    keepNow,
    /** The screen is left: what was typed can be offered again. */
    async leave() {
      isLeaving = true;
      // Also what a key is still awaited for, or what none had come for.
      if (unkept) await keepNow();
      const left = id;
      const freed = letGo();
      // StrictMode leaves each screen once and goes on with it.
      isLeaving = false;
      if (left === undefined) return;
      await freed;
      tellChange(left);
    },
  };
}
