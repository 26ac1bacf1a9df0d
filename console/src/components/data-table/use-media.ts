import { useCallback, useSyncExternalStore } from 'react';

const mediaOf = (query: string) => (typeof window.matchMedia === 'function' ? window.matchMedia(query) : undefined);

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = mediaOf(query);
      media?.addEventListener('change', onChange);
      return () => media?.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => mediaOf(query)?.matches ?? false);
}

/** Whether the window is so narrow that each row is a card: a phone, or a page at 400 %. As in the style sheets. */
export const useCardScreen = (): boolean => useMedia('(max-width: 575.98px)');

/** Whether the page is being printed. */
export const usePrinting = (): boolean => useMedia('print');
