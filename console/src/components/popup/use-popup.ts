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
/** Room in px between a panel and its head, and between a panel and the edge of the window. */
const GAP = 4;
const EDGE = 8;

/** Where the room for a panel begins, in px from the top: what belongs to the page stays off its top bar. */
function topEdge(head: HTMLElement): number {
  const bar = head.closest('.main-header, .modal') ? null : document.querySelector('.main-header');
  return Math.max(0, bar?.getBoundingClientRect().bottom ?? 0) + EDGE;
}

/** Whether a head can still be seen in all the boxes around it that scroll, and below the top bar. */
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
 * Puts the panel under its head, or above where there is more room, and never past the edge of the window: what has no
 * room scrolls.
 */
function placePanel(panel: HTMLElement, head: HTMLElement, align: 'start' | 'end') {
  const box = head.getBoundingClientRect();
  const width = panel.offsetWidth;
  // With what is scrolled out of sight, and the border.
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
 * Keeps an open panel beside its head. The panel goes to the browser's top layer: a table that scrolls would cut it
 * off otherwise, and a dialog's focus trap would not let a panel elsewhere in the page have the focus.
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
    // A panel would go on over the top bar where its head has scrolled away below it.
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
    // Capturing: a click that its own handler stops still closes the panel.
    document.addEventListener('click', handleClick, true);
    return () => document.removeEventListener('click', handleClick, true);
  });
}

/** The item that an arrow, Home or End key leads to, or undefined for any other key. */
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
 * What a head with a panel needs: a click on the head toggles, a click outside, Escape or leaving with Tab closes,
 * arrow keys move through the panel (SPEC §2.20).
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
    // Only take the focus back from the panel, never from what the chosen item has opened.
    if (host.current?.contains(document.activeElement)) head.current?.focus(options);
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && open) {
      // The dialog around must not close as well.
      event.stopPropagation();
      close();
      return;
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
