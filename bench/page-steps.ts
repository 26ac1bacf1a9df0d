// What the measurements of the console do in a page, and how long each took.
import type { CDPSession, Page } from '@playwright/test';
import { type Tasks, withTasks } from './page-tasks.ts';

/** A page with what traces it. */
export interface Traced {
  page: Page;
  cdp: CDPSession;
}

/** Milliseconds until the frame that shows it, and the tasks until the page was idle again. */
export interface Figures extends Tasks {
  painted: number;
}

/** The shortest interaction of which Event Timing tells, in milliseconds. */
const SHORTEST = 16;

/** @param work does one thing, and tells the milliseconds until it was painted */
export async function measure({ page, cdp }: Traced, work: () => Promise<number>): Promise<Figures> {
  const { done, tasks } = await withTasks(cdp, async () => {
    const painted = await work();
    await idle(page);
    return painted;
  });
  return { painted: done, ...tasks };
}

/** Waits until nothing is loaded and nothing is left to do. */
export async function idle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
  await page.evaluate(async () => {
    for (let time = 0; time < 3; time += 1) await new Promise((fulfil) => requestIdleCallback(fulfil));
  });
}

/** From a click, or from the page's begin where none is given, to the frame that shows a text. @returns milliseconds */
export function shows(page: Page, text: string, clicked?: string): Promise<number> {
  return page.evaluate(
    ({ text, clicked }) =>
      new Promise<number>((fulfil) => {
        const startedAt = clicked === undefined ? 0 : performance.now();
        if (clicked !== undefined) document.querySelector<HTMLElement>(clicked)?.click();
        const look = () => {
          const parts = document.querySelectorAll('tbody :is(td, th, a, button), p strong');
          if (![...parts].some((part) => part.textContent === text)) return requestAnimationFrame(look);
          return requestAnimationFrame(() => fulfil(performance.now() - startedAt));
        };
        look();
      }),
    { text, clicked },
  );
}

/** Clicks, and waits for two frames: the second shows what the first has drawn. @returns milliseconds */
export function press(page: Page, clicked: string): Promise<number> {
  return page.evaluate(async (clicked) => {
    const frame = () => new Promise((fulfil) => requestAnimationFrame(fulfil));
    const startedAt = performance.now();
    document.querySelector<HTMLElement>(clicked)?.click();
    await frame();
    await frame();
    return performance.now() - startedAt;
  }, clicked);
}

/**
 * Empties a field and types into it, key by key, as a keyboard does.
 * @returns the tasks of all keys; `painted` is the slowest of them, from the key to the next frame that is shown, by the browser's own
 * measure (Event Timing, W3C), which counts in steps of 8 ms and tells nothing below 16
 */
export async function type(traced: Traced, field: string, text: string): Promise<Figures> {
  const { page } = traced;
  await page.locator(field).first().fill('');
  await page.locator(field).first().focus();
  await idle(page);
  const watched = await page.evaluateHandle((shortest) => {
    const durations = [shortest];
    const observer = new PerformanceObserver((list) =>
      durations.push(...list.getEntries().map(({ duration }) => duration)),
    );
    observer.observe({ type: 'event', durationThreshold: shortest } as PerformanceObserverInit);
    return { observer, durations };
  }, SHORTEST);
  const figures = await measure(traced, async () => {
    for (const key of text) {
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await idle(page);
    }
    return watched.evaluate(({ durations }) => Math.max(...durations));
  });
  await watched.evaluate(({ observer }) => observer.disconnect());
  return figures;
}

/** Scrolls the list as a wheel that is turned fast does. @returns milliseconds of the longest frame */
export function scroll(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const box = document.querySelector('.data-table-scroller') as HTMLElement;
    const frame = () => new Promise<number>((fulfil) => requestAnimationFrame(fulfil));
    let longest = 0;
    let last = await frame();
    for (let turn = 1; turn <= 150; turn += 1) {
      box.scrollTop = turn * 120;
      const now = await frame();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest;
  });
}
