import { useEffect, useRef } from 'react';

/**
 * Whether the component was removed meanwhile, or shows something else than it did: for what follows an answer that may come later.
 * @param shown what it shows, for a component that stays when that changes
 */
export function useIsGone(shown?: string): () => boolean {
  const present = useRef<{ shown: string | undefined }>(undefined);
  useEffect(() => {
    present.current = { shown };
    return () => {
      present.current = undefined;
    };
  }, [shown]);
  return () => present.current === undefined || present.current.shown !== shown;
}
