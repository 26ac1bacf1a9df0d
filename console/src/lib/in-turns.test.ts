import { expect, onTestFinished, test, vi } from 'vitest';
import { whenIdle } from './in-turns.ts';

/** A browser that is idle when the test says so, on a clock that each item moves. */
function stubIdle(millisecondsOfItem: number) {
  let now = 0;
  let waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => waiting.push(run));
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const visited: number[] = [];
  return {
    visited,
    visit: (item: number) => {
      visited.push(item);
      now += millisecondsOfItem;
    },
    async idle() {
      const runs = waiting;
      waiting = [];
      for (const run of runs) run();
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

test('each item is visited once while the page is idle, some milliseconds at a time [§2.6]', async () => {
  const { visited, visit, idle } = stubIdle(3);
  whenIdle([1, 2, 3, 4, 5], visit);
  expect(visited).toEqual([]);
  await idle();
  expect(visited).toEqual([1, 2, 3]);
  await idle();
  await idle();
  expect(visited).toEqual([1, 2, 3, 4, 5]);
});

test('what is not visited yet is left once that is ended [§2.6]', async () => {
  const { visited, visit, idle } = stubIdle(8);
  const end = whenIdle([1, 2, 3], visit);
  await idle();
  end();
  await idle();
  expect(visited).toEqual([1]);
});
