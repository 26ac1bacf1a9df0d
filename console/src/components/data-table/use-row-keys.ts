import type { FocusEvent, KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { isOneOf } from '../../lib/is-one-of.ts';

const FOCUSABLE = 'a[href], button, input, [tabindex]';
/** What has keys of its own. */
const OWN_KEYS = '.dropdown-panel, select, textarea, input:not([type="checkbox"])';

/** The keys of a list. */
export const ROW_KEYS = {
  next: ['ArrowDown', 'j'],
  previous: ['ArrowUp', 'k'],
  first: ['Home'],
  last: ['End'],
  right: ['ArrowRight'],
  left: ['ArrowLeft'],
  tick: [' '],
} as const;

/** What can have the focus in a row, but for open menus. */
const itemsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((item) => item.closest('.dropdown-panel') === null);

/** Leaves a row one tab stop: what had the focus last, or the first button or link. */
export function keepOneTabStop(row: Element, focused?: Element): void {
  const items = itemsOf(row);
  const stop =
    items.find((item) => item === focused) ?? items.find((item) => item.matches(':is(a, button, input):enabled, a'));
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

/**
 * The keys of a list: arrows up and down, k and j lead to the same place of the next row, Home and End to the first and last row, arrows
 * left and right through a row. Space on a name ticks its row. They count inside the list only (WCAG 2.1.4). Spread the
 * result on the box of the list.
 * @param count of all rows
 * @param reveal draws a row that is not drawn
 */
export function useRowKeys(count: number, reveal: (index: number) => void) {
  function focusRow(box: Element, index: number, place: number) {
    const find = () => box.querySelector(`tr[data-index="${index}"]`);
    if (!find()) flushSync(() => reveal(index));
    const items = itemsOf(find() ?? box);
    items[Math.min(place, items.length - 1)]?.focus();
  }
  function handleKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, target, currentTarget: box } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element))
      return;
    if (target.closest(OWN_KEYS)) return;
    const row = target.closest<HTMLElement>('tr[data-index]');
    if (!row) {
      if (target === box && (key === 'j' || key === 'k')) focusRow(box, 0, 0);
      return;
    }
    const items = itemsOf(row);
    const place = items.findIndex((item) => item.contains(target));
    const index = Number(row.dataset.index);
    const next = nextRow(key, index, count);
    if (next !== undefined) focusRow(box, next, place);
    else if (isOneOf(ROW_KEYS.right, key)) items[place + 1]?.focus();
    else if (isOneOf(ROW_KEYS.left, key)) items[place - 1]?.focus();
    else if (!isOneOf(ROW_KEYS.tick, key) || !tick(row, target)) return;
    event.preventDefault();
  }
  function handleFocus({ target }: FocusEvent<HTMLElement>) {
    const row = target.closest('tr[data-index]');
    if (row && target.closest('.dropdown-panel') === null) keepOneTabStop(row, target);
  }
  return { onKeyDown: handleKeyDown, onFocusCapture: handleFocus };
}

function nextRow(key: string, index: number, count: number): number | undefined {
  if (isOneOf(ROW_KEYS.next, key)) return Math.min(index + 1, count - 1);
  if (isOneOf(ROW_KEYS.previous, key)) return Math.max(index - 1, 0);
  if (isOneOf(ROW_KEYS.first, key)) return 0;
  return isOneOf(ROW_KEYS.last, key) ? count - 1 : undefined;
}

/** Ticks the row where it has a check box; on its name only, as Space presses buttons. */
function tick(row: Element, target: Element): boolean {
  const box = row.querySelector<HTMLInputElement>('input[type="checkbox"]');
  if (!box || !target.matches('.row-open')) return false;
  box.click();
  return true;
}
