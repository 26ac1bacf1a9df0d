import { useEffect, useState } from 'react';

/** How long one may still press what stood there before, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Whether a dialog's buttons have only just come back in place of an operation's progress: a click that was meant for
 * 'Continue in background' must not start it again.
 */
export function useFreshButtons(progress: unknown): boolean {
  const hasProgress = progress !== undefined;
  const [had, setHad] = useState(hasProgress);
  const [isFresh, setFresh] = useState(false);
  if (had !== hasProgress) {
    setHad(hasProgress);
    setFresh(had);
  }
  useEffect(() => {
    if (!isFresh) return;
    const timer = setTimeout(() => setFresh(false), FRESH_MS);
    return () => clearTimeout(timer);
  }, [isFresh]);
  return isFresh;
}
