import { useEffect } from 'react';
import { showError } from './answer-errors.ts';

/**
 * The errors that were shown. RTK Query keeps the error of a failed load until the next load, and each page that uses
 * the query would show it again.
 */
const told = new WeakSet<object>();

/** Shows why a load failed as an error toast (SPEC §8), once per failure. */
export function useErrorToast(error: object | undefined): void {
  useEffect(() => {
    if (error === undefined || told.has(error)) return;
    told.add(error);
    showError(error);
  }, [error]);
}
