import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/**
 * Where the focus goes when what opened the dialog is gone by the time it closes, such as the button of a deleted row:
 * to the nearest box around it that can take the focus. Give the result to the dialog's `onExited`.
 */
export function useFocusAfterwards(show: boolean): () => void {
  const [last, setLast] = useState<{ show: boolean; around?: HTMLElement | null }>({ show: false });
  const [exits, setExits] = useState(0);
  if (show !== last.show) {
    // While drawing, as a field of the dialog takes the focus before any effect runs.
    const around = show ? document.activeElement?.parentElement?.closest<HTMLElement>('[tabindex]') : last.around;
    setLast({ show, around });
  }
  const catchFocus = useEffectEvent(() => {
    if (document.activeElement === document.body) last.around?.focus({ preventScroll: true });
  });
  // An effect, so that it comes after the dialog's own, which has tried to give the focus back.
  useEffect(() => {
    if (exits > 0) catchFocus();
  }, [exits]);
  return () => setExits((count) => count + 1);
}

/**
 * Keeps the focus in the dialog while `box` is inert, as a browser takes it out of an inert box. Afterwards it is where
 * it was, or at the field that was refused: a focus that came while the box was inert is lost.
 */
export function useBusyFocus(busy: boolean, box: RefObject<HTMLElement | null>) {
  const editing = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const active = document.activeElement;
    const dialog = box.current?.closest<HTMLElement>('[role="dialog"]');
    if (!box.current || !dialog?.contains(active)) return;
    const isInside = box.current.contains(active);
    if (busy && isInside && active instanceof HTMLElement) {
      editing.current = active;
      dialog.focus();
    } else if (!busy && !isInside) {
      const refused = box.current.querySelector<HTMLElement>('[aria-invalid="true"]');
      (refused ?? editing.current)?.focus();
    }
    if (!busy) editing.current = null;
  }, [busy, box]);
}
