import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Focuses `box` when the focused element inside it is removed, such as a button of a deleted row; else the focus would
 * return to the start of the page. Spread the result on the box, or on what is around it.
 */
export function useLostFocus(box: HTMLElement | null) {
  const focused = useRef<Element>(null);
  // After every draw, as any of them may have removed it.
  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) box?.focus({ preventScroll: true });
  });
  return {
    onFocus: (event: FocusEvent) => {
      focused.current = event.target;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}
