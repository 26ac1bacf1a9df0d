import { useRef } from 'react';

/** The longest time between the two clicks of a double click, in milliseconds. */
const DOUBLE_CLICK = 400;

/**
 * Closes a dialog on Escape or on a click on its backdrop. After a double click on the button that opened the dialog,
 * the second click lands on the backdrop: it closes nothing.
 */
export function useBackdrop(onClose: () => void) {
  const shownAt = useRef(0);
  return {
    onShow() {
      shownAt.current = performance.now();
    },
    onEscapeKeyDown(event: KeyboardEvent) {
      // Escape has closed something inside the dialog, such as an open list.
      if (event.defaultPrevented) return;
      // Otherwise it would count as a click on the backdrop too.
      event.preventDefault();
      onClose();
    },
    onHide() {
      if (performance.now() - shownAt.current >= DOUBLE_CLICK) onClose();
    },
  };
}
