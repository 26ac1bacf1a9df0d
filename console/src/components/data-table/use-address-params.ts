import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The address's search parameters and a way to change some of them; an empty value removes its parameter. */
export function useAddressParams<Name extends string>() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (values: Partial<Record<Name, string>>) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries<string | undefined>(values)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        // Replaces the entry in the history, so that Back leads to the page before, not through every typed letter.
        { replace: true },
      ),
    [setParams],
  );
  return [params, change] as const;
}
