import { useEffect, useState } from 'react';
import { reloadDocument } from './reload-document.ts';

interface Part<Value> {
  /** Undefined until it is loaded. */
  value: Value | undefined;
  isError: boolean;
  retry: () => void;
}

/**
 * Makes a hook that loads a part of the program when a component first needs it, once for all components.
 * @param load the `import()`; `retry` calls it again after a failure, and loads the document anew where that fails too
 */
export function lazyPart<Value>(load: () => Promise<Value>): () => Part<Value> {
  let loaded: { value: Value } | undefined;
  return function usePart() {
    const [part, setPart] = useState(loaded);
    const [attempt, setAttempt] = useState({ isError: false, isRetry: false });
    useEffect(() => {
      if (part || attempt.isError) return;
      let isGone = false;
      load().then(
        (value) => {
          loaded = { value };
          if (!isGone) setPart(loaded);
        },
        async () => {
          if (attempt.isRetry && !isGone) await reloadDocument();
          if (!isGone) setAttempt({ isError: true, isRetry: false });
        },
      );
      return () => {
        isGone = true;
      };
    }, [part, attempt]);
    const retry = () => setAttempt({ isError: false, isRetry: true });
    return { value: part?.value, isError: attempt.isError, retry };
  };
}
