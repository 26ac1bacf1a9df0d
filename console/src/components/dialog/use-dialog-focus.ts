import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/**
 * Moves the focus when the element that opened a dialog is gone at its closing, such as the button of a deleted row: to
 * the nearest focusable box around it that is left. Pass the result to the dialog's `onExited`.
 * @param onClosed called once the focus is back
 */
export function useFocusAfterwards(show: boolean, onClosed?: () => void): () => void {
  const [last, setLast] = useState<{ show: boolean; around: HTMLElement[] }>({ show: false, around: [] });
  const [exits, setExits] = useState(0);
  if (show !== last.show) {
    // During rendering, as a field of the dialog takes the focus before any effect runs.
    setLast({ show, around: show ? boxesAround(document.activeElement) : last.around });
  }
  const catchFocus = useEffectEvent(() => {
    if (document.activeElement === document.body)
      last.around.find((box) => box.isConnected)?.focus({ preventScroll: true });
    onClosed?.();
  });
  // In an effect, so that it runs after the dialog's own attempt to give the focus back.
  useEffect(() => {
    if (exits > 0) catchFocus();
  }, [exits]);
  return () => setExits((count) => count + 1);
}

/** What can take the focus around an element, from inside out: with a row its list may go, too. */
function boxesAround(element: Element | null): HTMLElement[] {
  const box = element?.parentElement?.closest<HTMLElement>('[tabindex]');
  return box ? [box, ...boxesAround(box)] : [];
}

/**
 * Keeps the focus in the dialog around `part` when what has it goes or is disabled, such as the field of a step that is over: the dialog
 * gets it. Retry goes with each new attempt: where that one fails, too, the new Retry gets it back.
 */
export function useKeptFocus(show: boolean, part: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const dialog = part.current?.closest<HTMLElement>('[role="dialog"]');
    if (!show || !dialog) return;
    let focused = dialog.contains(document.activeElement) ? document.activeElement : null;
    let wasRetry = false;
    const noteFocus = () => {
      focused = document.activeElement;
      wasRetry &&= focused === dialog;
    };
    const catchFocus = () => {
      const { activeElement } = document;
      // Browsers take the focus from a disabled element late, or leave it there without its keys.
      const isLost = focused !== null && (!focused.isConnected || focused.matches(':disabled'));
      const isElsewhere = activeElement !== document.body && activeElement !== focused;
      // Such as the button of a row whose dialog has the focus: that one gives it back.
      if (isLost && isElsewhere) focused = null;
      else if (isLost && isOnTop(dialog)) {
        wasRetry = focused?.closest('.modal-failure') !== null;
        dialog.focus({ preventScroll: true });
      }
      if (wasRetry && document.activeElement === dialog)
        dialog.querySelector<HTMLElement>('.modal-failure button')?.focus();
    };
    dialog.addEventListener('focusin', noteFocus);
    // Not after each draw of the dialog, as parts of it are drawn without it. A list or card in it that has lost a row comes first.
    let later: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      clearTimeout(later);
      later = setTimeout(catchFocus);
    });
    observer.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      clearTimeout(later);
      observer.disconnect();
      dialog.removeEventListener('focusin', noteFocus);
    };
  }, [show, part]);
}

const isOnTop = (dialog: Element) => [...document.querySelectorAll('[role="dialog"][aria-modal]')].at(-1) === dialog;

/**
 * Keeps the focus in the dialog while `box` is inert, as browsers take the focus out of inert boxes. Afterwards the
 * focus is at the refused field or where it was before; a focus set while the box was inert is lost.
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
