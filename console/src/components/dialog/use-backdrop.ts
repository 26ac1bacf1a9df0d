import { useRef } from 'react';

/** The second click of a double click comes within this time, in milliseconds. */
const DOUBLE_CLICK = 400;

/**
 * Closes a dialog by Escape or by a click on its backdrop. The second click of a double click on the button that opened it lands on the
 * backdrop and closes nothing.
 */
export function useBackdrop(onClose: () => void) {
  const shownAt = useRef(0);
  return {
    onShow() {
      shownAt.current = performance.now();
    },
    onEscapeKeyDown(event: KeyboardEvent) {
      // Something in the dialog, such as an open list, has closed by it.
      if (event.defaultPrevented) return;
      // Else it would count as a click on the backdrop as well.
      event.preventDefault();
      onClose();
    },
    onHide() {
      if (performance.now() - shownAt.current >= DOUBLE_CLICK) onClose();
    },
  };
}
