import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Begins at the first row where a list is filtered or ordered otherwise; the box would keep its offset, and show the middle or the end
 * of what is found. A row that is marked stays in sight.
 * @param narrowing stands for filters, order and page; absent: the list has none
 */
export function useNarrowing(box: HTMLElement | null, narrowing: string | undefined) {
  // Noted, as asking the box would lay out the page with each key of a filter.
  const top = useRef(0);
  useEffect(() => {
    const note = () => {
      top.current = box?.scrollTop ?? 0;
    };
    box?.addEventListener('scroll', note, { passive: true });
    return () => box?.removeEventListener('scroll', note);
  }, [box]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another narrowing is the reason to scroll
  useLayoutEffect(() => {
    if (!box || top.current === 0) return;
    const marked = box.querySelector('tr.marked');
    if (marked) marked.scrollIntoView?.({ block: 'nearest' });
    else box.scrollTop = 0;
  }, [box, narrowing]);
}
