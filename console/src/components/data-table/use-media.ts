import { useSyncExternalStore } from 'react';

/** As in the style sheets: a phone, or a page at 400 %. */
const QUERY = '(max-width: 575.98px)';

const media = () => (typeof window.matchMedia === 'function' ? window.matchMedia(QUERY) : undefined);

function subscribe(onChange: () => void) {
  const query = media();
  query?.addEventListener('change', onChange);
  return () => query?.removeEventListener('change', onChange);
}

/** Whether the window is so narrow that each row is a card. */
export const useCardScreen = (): boolean => useSyncExternalStore(subscribe, () => media()?.matches ?? false);
