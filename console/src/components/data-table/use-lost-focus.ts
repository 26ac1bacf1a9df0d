import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Gives the focus to `box` when what had it inside is taken away, such as a button of a deleted row; else it would fall
 * to the start of the page. The result goes on the box.
 */
export function useLostFocus(box: HTMLElement | null) {
  const focused = useRef<Element>(null);
  // After every draw: any of them may have taken it away.
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
