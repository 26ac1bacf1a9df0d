import { act, renderHook } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useSettled } from './use-settled.ts';

test('a value is taken over once it has stayed the same for the whole pause [DECISIONS §9]', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { result, rerender } = renderHook(({ value }) => useSettled(value, 300), { initialProps: { value: 'a' } });
  rerender({ value: 'b' });
  act(() => vi.advanceTimersByTime(299));
  rerender({ value: 'c' });
  act(() => vi.advanceTimersByTime(299));
  expect(result.current).toBe('a');
  act(() => vi.advanceTimersByTime(1));
  expect(result.current).toBe('c');
});
