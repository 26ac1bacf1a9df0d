import { type RefObject, useEffect } from 'react';

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

function canTabTo(node: HTMLElement) {
  if (node.tabIndex < 0 || node.matches(':disabled') || node.closest('[inert]')) return false;
  // Browsers skip hidden elements; jsdom has no layout and no `checkVisibility`.
  return node.checkVisibility?.() ?? true;
}

/** The element at the other end where Tab would leave the box; undefined where the browser's own order applies. */
function otherEnd(box: Element, backwards: boolean): HTMLElement | undefined {
  const nodes = [...box.querySelectorAll<HTMLElement>(CONTROLS)].filter(canTabTo);
  const [first, last, active] = [nodes[0], nodes.at(-1), document.activeElement];
  if (backwards) return active === first || active === box ? last : undefined;
  return active === last ? first : undefined;
}

/**
 * Makes Tab on the last control of the dialog around `part`, and Shift+Tab on the first, go round inside the dialog.
 */
export function useTabInside(show: boolean, part: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!show) return;
    function handleKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Tab' || event.defaultPrevented) return;
      const box = part.current?.closest('[role="dialog"]');
      const target = box?.contains(document.activeElement) ? otherEnd(box, event.shiftKey) : undefined;
      if (!target) return;
      event.preventDefault();
      target.focus();
    }
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [show, part]);
}
