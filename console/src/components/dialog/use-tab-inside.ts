import { type RefObject, useEffect } from 'react';

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

function canTabTo(node: HTMLElement) {
  if (node.tabIndex < 0 || node.matches(':disabled') || node.closest('[inert]')) return false;
  // A browser leaves out what is hidden; jsdom has no layout to ask.
  return node.checkVisibility?.() ?? true;
}

/** The other end of the box, where Tab would leave it; undefined where the browser may do as it does. */
function otherEnd(box: Element, backwards: boolean): HTMLElement | undefined {
  const nodes = [...box.querySelectorAll<HTMLElement>(CONTROLS)].filter(canTabTo);
  const [first, last, active] = [nodes[0], nodes.at(-1), document.activeElement];
  if (backwards) return active === first || active === box ? last : undefined;
  return active === last ? first : undefined;
}

/** Tab after the last control of the dialog around `part` and Shift+Tab before its first go round inside it. */
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
