import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';

/**
 * Options of a list's query: it is loaded again when the window gets the focus, and when the browser is online again.
 */
export const KEPT_FRESH = { refetchOnFocus: true, refetchOnReconnect: true } as const;

/** Keeps a user who often switches between windows from loading 10,000 rows each time. */
const PAUSE_MS = 10_000;

/**
 * Loads the lists with {@link KEPT_FRESH} again on focus, at most every ten seconds, and on reconnecting.
 * @returns stops it
 */
export const keepListsFresh = (dispatch: ThunkDispatch<unknown, unknown, UnknownAction>): (() => void) =>
  setupListeners(dispatch, (_dispatch, { onFocus, onOnline }) => {
    let last = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function reload() {
      timer = undefined;
      if (document.visibilityState === 'hidden') return;
      last = Date.now();
      dispatch(onFocus());
    }
    function handleFocus() {
      const wait = last + PAUSE_MS - Date.now();
      if (wait <= 0) reload();
      else timer ??= setTimeout(reload, wait);
    }
    const handleOnline = () => void dispatch(onOnline());
    window.addEventListener('focus', handleFocus);
    document.addEventListener('visibilitychange', handleFocus);
    window.addEventListener('online', handleOnline);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', handleFocus);
      document.removeEventListener('visibilitychange', handleFocus);
      window.removeEventListener('online', handleOnline);
    };
  });
