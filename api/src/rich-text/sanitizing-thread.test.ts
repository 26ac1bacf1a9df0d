import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SanitizingThread, startThread } from './sanitizing-thread.ts';

let thread: SanitizingThread;
beforeAll(async () => {
  thread = await startThread();
});
afterAll(() => thread.end());

it('refuses a text on which the sanitizer fails, logs that, and goes on with the next text [§8]', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // This cannot even be converted to a string.
  const unreadable = { toString: 1, valueOf: 1 } as unknown as string;
  expect(await thread.sanitize(unreadable, 30_000)).toBeUndefined();
  await vi.waitFor(() => expect(String(stderr.mock.calls)).toContain('A text could not be sanitized. TypeError'), {
    timeout: 60_000,
  });
  stderr.mockRestore();
  expect(thread.isAlive()).toBe(true);
  expect(await thread.sanitize('<b>x</b>', 30_000)).toBe('<strong>x</strong>');
});
