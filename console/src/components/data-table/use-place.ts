import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** Where a list stands. */
interface Standing {
  /** How far it is scrolled, in px. */
  top: number;
  /** The index of the row that had the focus last. */
  row?: string | undefined;
}

export interface Place extends Standing {
  /** Where it was left, until it stands there again. */
  left?: Standing | undefined;
}

const left = new Map<string, Standing>();

/**
 * Keeps where a list stands when its page is left, for Back to the same entry of the browser's history; a reload forgets it.
 * @param list its name
 */
export function useKeptPlace(list: string): Place {
  const { key } = useLocation();
  const id = `${key} ${list}`;
  const [place] = useState((): Place => ({ top: 0, left: left.get(id) }));
  useEffect(() => () => void left.set(id, place.left ?? { top: place.top, row: place.row }), [id, place]);
  return place;
}

interface PlaceOptions {
  /** The box that scrolls, once it is mounted. */
  box: HTMLElement | null;
  place: Place;
  hasRows: boolean;
  narrowing: string | undefined;
}

/**
 * Notes where a list stands, brings it to where it was left, once it has rows, and begins at the first row where it is filtered or
 * ordered otherwise: the box would keep its offset, and show the middle or the end of what is found.
 */
export function usePlace({ box, place, hasRows, narrowing }: PlaceOptions): void {
  useEffect(() => {
    if (!box) return;
    const noteTop = () => {
      place.top = box.scrollTop;
    };
    const noteRow = ({ target }: FocusEvent) => {
      if (target instanceof Element) place.row = target.closest<HTMLElement>('tr[data-index]')?.dataset.index;
    };
    box.addEventListener('scroll', noteTop, { passive: true });
    box.addEventListener('focusin', noteRow);
    return () => {
      box.removeEventListener('scroll', noteTop);
      box.removeEventListener('focusin', noteRow);
    };
  }, [box, place]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another narrowing is the reason to scroll
  useLayoutEffect(() => {
    // As noted: asking the box would lay out the page with each key of a filter.
    if (!box || place.top === 0) return;
    const marked = box.querySelector('tr.marked');
    if (marked) marked.scrollIntoView?.({ block: 'nearest' });
    else box.scrollTop = 0;
  }, [box, place, narrowing]);

  useLayoutEffect(() => {
    if (box && hasRows && place.left?.top) box.scrollTop = place.left.top;
  }, [box, place, hasRows]);

  useEffect(() => {
    if (!box || !hasRows || !place.left) return;
    const row = box.querySelector(`tr[data-index="${place.left.row}"]`);
    place.left = undefined;
    // Only where it is nowhere else.
    if (document.activeElement?.contains(box))
      row?.querySelector<HTMLElement>('.row-open, button')?.focus({ preventScroll: true });
  }, [box, place, hasRows]);
}
