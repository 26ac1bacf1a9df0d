/** Long enough to get something done, and half of a frame. */
const TURN_MS = 8;

/** A browser that lets a script wait until what the user does is handled, before it goes on. */
interface Scheduling {
  scheduler?: { yield?: () => Promise<void> };
}

const pause = (): Promise<void> =>
  (globalThis as Scheduling).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));

/** Until the page has nothing else to do; a while in Safari, which does not tell (https://www.w3.org/TR/requestidlecallback/). */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 50);
  });

/**
 * Visits many items without keeping the page from answering the user: it pauses every few milliseconds.
 * @param rest what it waits for in each pause
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
  rest: () => Promise<void> = pause,
): Promise<void> {
  let until = performance.now() + TURN_MS;
  for (const item of items) {
    visit(item);
    if (performance.now() < until) continue;
    await rest();
    until = performance.now() + TURN_MS;
  }
}

/** Visits many items while the page has nothing else to do. @returns ends that; what is left is not visited */
export function whenIdle<Item>(items: Iterable<Item>, visit: (item: Item) => void): () => void {
  let isOver = false;
  function* left() {
    for (const item of items) {
      if (isOver) return;
      yield item;
    }
  }
  void idle().then(() => inTurns(left(), visit, idle));
  return () => {
    isOver = true;
  };
}
