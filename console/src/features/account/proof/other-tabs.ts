import { useEffect } from 'react';
import { removeItem, writeItem } from '../../../lib/local-storage.ts';

const KEY = 'proved';

/** Tells the other tabs, which share the session, that the person has proved who they are. */
export function tellOtherTabs(): void {
  writeItem(KEY, 'yes');
  // The event is all that counts: the next one needs a change too.
  removeItem(KEY);
}

/** Answers the question here when the person has proved in another tab who they are. @param onAnswer always the same */
export function useProofElsewhere(onAnswer: (isProved: true) => void): void {
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === KEY && newValue !== null) onAnswer(true);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [onAnswer]);
}
