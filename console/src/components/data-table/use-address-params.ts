import { useCallback, useLayoutEffect } from 'react';
import { useSearchParams } from 'react-router';

/**
 * The parameters of the address as it is. Those of the last render may be older: on a busy machine an address that was changed is drawn
 * later, and the next change would undo the one before.
 */
let newest = new URLSearchParams();

/** The address's search parameters and a way to change some of them; an empty value removes its parameter, several repeat it. */
export function useAddressParams<Name extends string>() {
  const [params, setParams] = useSearchParams();
  useLayoutEffect(() => {
    newest = params;
  }, [params]);
  const change = useCallback(
    (values: Partial<Record<Name, string | readonly string[]>>) => {
      newest = new URLSearchParams(newest);
      for (const [name, value] of Object.entries<string | readonly string[] | undefined>(values)) {
        newest.delete(name);
        for (const one of [value ?? []].flat()) if (one !== '') newest.append(name, one);
      }
      // Replaces the entry in the history, so that Back leads to the page before, not through every typed letter.
      setParams(newest, { replace: true });
    },
    [setParams],
  );
  return [params, change] as const;
}
