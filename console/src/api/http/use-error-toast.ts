import { useEffect } from 'react';
import { showError } from './answer-errors.ts';

/** A failure's error stays with the query until the next load, for every page that comes by: each is told once. */
const told = new WeakSet<object>();

/** Shows why a load failed as an error toast (SPEC §8), once per failure. */
export function useErrorToast(error: object | undefined): void {
  useEffect(() => {
    if (error === undefined || told.has(error)) return;
    told.add(error);
    showError(error);
  }, [error]);
}
