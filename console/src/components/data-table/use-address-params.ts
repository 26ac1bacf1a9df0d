import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The address's search parameters and a way to change some of them; an empty value removes its parameter, several repeat it. */
export function useAddressParams<Name extends string>() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (values: Partial<Record<Name, string | readonly string[]>>) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries<string | readonly string[] | undefined>(values)) {
            next.delete(name);
            for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one);
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
