/** Long enough to get something done, and half of a frame. */
const TURN_MS = 8;

/** A browser that lets a script wait until what the user does is handled, before it goes on. */
interface Scheduling {
  scheduler?: { yield?: () => Promise<void> };
}

const pause = (): Promise<void> =>
  (globalThis as Scheduling).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));

/** Visits many items without keeping the page from answering the user: it pauses every few milliseconds. */
export async function inTurns<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let until = performance.now() + TURN_MS;
  for (const item of items) {
    visit(item);
    if (performance.now() < until) continue;
    await pause();
    until = performance.now() + TURN_MS;
  }
}
