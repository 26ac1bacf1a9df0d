import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled)';
/** Distance in px between a panel and its head, and between a panel and the edge of the window. */
const GAP = 4;
const EDGE = 8;

/** Where the space for a panel begins, in px from the top: panels of the page stay below its top bar. */
function topEdge(head: HTMLElement): number {
  const bar = head.closest('.main-header, .modal') ? null : document.querySelector('.main-header');
  return Math.max(0, bar?.getBoundingClientRect().bottom ?? 0) + EDGE;
}

/** Whether a head is visible in all scrolling boxes around it, and below the top bar. */
function isInSight(head: HTMLElement): boolean {
  const { top, bottom } = head.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  if (middle < topEdge(head) - EDGE || middle > window.innerHeight) return false;
  for (let around = head.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue;
    const box = around.getBoundingClientRect();
    if (middle < box.top || middle > box.bottom) return false;
  }
  return true;
}

/**
 * Places the panel below its head, or above it where there is more space, inside the window; a panel that is too high
 * scrolls.
 */
function placePanel(panel: HTMLElement, head: HTMLElement, align: 'start' | 'end') {
  const box = head.getBoundingClientRect();
  const width = panel.offsetWidth;
  // With the part that is scrolled out of view, and the border.
  const height = panel.scrollHeight + panel.offsetHeight - panel.clientHeight;
  const below = window.innerHeight - box.bottom - GAP - EDGE;
  const above = box.top - GAP - topEdge(head);
  const flip = height > below && above > below;
  const shown = Math.max(0, Math.min(height, flip ? above : below));
  panel.style.maxHeight = `${shown}px`;
  const left = align === 'end' ? box.right - width : box.left;
  panel.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`;
  panel.style.top = `${flip ? box.top - GAP - shown : box.bottom + GAP}px`;
}

/**
 * Keeps an open panel next to its head. The panel is in the browser's top layer: elsewhere a scrolling table would clip
 * it, or a dialog's focus trap would take its focus.
 */
function usePlacement(
  open: boolean,
  head: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  align: 'start' | 'end',
  onOutOfSight: () => void,
) {
  const handleOutOfSight = useEffectEvent(onOutOfSight);
  useLayoutEffect(() => {
    const [panelNode, headNode] = [panel.current, head.current];
    if (!open || !panelNode || !headNode) return;
    if (typeof panelNode.showPopover === 'function') {
      panelNode.popover = 'manual';
      panelNode.showPopover();
    }
    const place = () => placePanel(panelNode, headNode, align);
    place();
    // A panel whose head has scrolled below the top bar would cover the bar.
    const follow = () => (isInSight(headNode) ? place() : handleOutOfSight());
    window.addEventListener('resize', place);
    window.addEventListener('scroll', follow, true);
    return () => {
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', follow, true);
    };
  }, [open, head, panel, align]);
}

function useOutsideClick(open: boolean, host: RefObject<HTMLElement | null>, onOutside: () => void) {
  useEffect(() => {
    if (!open) return;
    function handleClick(event: MouseEvent) {
      if (event.target instanceof Node && !host.current?.contains(event.target)) onOutside();
    }
    // In the capture phase: a click whose propagation is stopped still closes the panel.
    document.addEventListener('click', handleClick, true);
    return () => document.removeEventListener('click', handleClick, true);
  });
}

/** The item to which an arrow key, Home or End leads; undefined for any other key. */
function itemForKey(key: string, items: HTMLElement[]): HTMLElement | undefined {
  const active = document.activeElement;
  const current = active instanceof HTMLElement ? items.indexOf(active) : -1;
  switch (key) {
    case 'ArrowDown':
      return items[(current + 1) % items.length];
    case 'ArrowUp':
      return items.at(current <= 0 ? -1 : current - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return undefined;
  }
}

/**
 * Behaviour of a head with a panel: a click on the head toggles the panel; a click outside, Escape, or leaving with Tab
 * closes it; arrow keys move inside it (SPEC §2.20).
 */
export function usePopup(align: 'start' | 'end') {
  const host = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  usePlacement(open, head, panel, align, () => close({ preventScroll: true }));
  useOutsideClick(open, host, () => setOpen(false));

  function close(options?: FocusOptions) {
    setOpen(false);
    // Takes the focus back from the panel only, never from what the chosen item has opened.
    if (host.current?.contains(document.activeElement)) head.current?.focus(options);
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && open) {
      // The dialog around it must not close too.
      event.stopPropagation();
      close();
      return;
    }
    // Arrows inside a number are its own, and so are Home and End inside a text.
    if (event.target instanceof HTMLInputElement) {
      const isOwn =
        event.key === 'Home' || event.key === 'End' ? event.target.type !== 'checkbox' : event.target.type === 'number';
      if (isOwn) return;
    }
    const items = [...(panel.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    const next = itemForKey(event.key, items);
    if (open && next) {
      event.preventDefault();
      next.focus();
    } else if (!open && event.key === 'ArrowDown') {
      event.preventDefault();
      setOpen(true);
    }
  }
  function handleBlur(event: FocusEvent) {
    const leaves = event.relatedTarget instanceof Node && !host.current?.contains(event.relatedTarget);
    if (leaves) setOpen(false);
  }
  return {
    open,
    close: () => close(),
    hostProps: { ref: host, onKeyDown: handleKeyDown, onBlur: handleBlur },
    headProps: { ref: head, 'aria-expanded': open, onClick: () => setOpen(!open) },
    panelProps: { ref: panel },
  };
}
