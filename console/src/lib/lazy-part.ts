import { useEffect, useState } from 'react';

interface Part<Value> {
  /** Undefined until it is loaded. */
  value: Value | undefined;
  isError: boolean;
  retry: () => void;
}

/**
 * Makes a hook that loads a part of the program when a component first needs it, once for all components.
 * @param load the `import()`; `retry` calls it again after a failure
 */
export function lazyPart<Value>(load: () => Promise<Value>): () => Part<Value> {
  let loaded: { value: Value } | undefined;
  return function usePart() {
    const [part, setPart] = useState(loaded);
    const [attempt, setAttempt] = useState({ isError: false });
    useEffect(() => {
      if (part || attempt.isError) return;
      let isGone = false;
      load().then(
        (value) => {
          loaded = { value };
          if (!isGone) setPart(loaded);
        },
        () => {
          if (!isGone) setAttempt({ isError: true });
        },
      );
      return () => {
        isGone = true;
      };
    }, [part, attempt]);
    return { value: part?.value, isError: attempt.isError, retry: () => setAttempt({ isError: false }) };
  };
}
