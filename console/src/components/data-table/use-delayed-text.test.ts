import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDelayedText } from './use-delayed-text.ts';

beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/faqs');
});
afterEach(() => {
  vi.useRealTimers();
});

function type(text: string) {
  const onChange = vi.fn();
  const { result } = renderHook(() => useDelayedText('', onChange));
  act(() => result.current[1](text));
  return onChange;
}

test('a text is passed on once typing pauses [§2.6]', () => {
  const onChange = type('recalls');
  expect(onChange).not.toHaveBeenCalled();
  act(() => vi.runAllTimers());
  expect(onChange.mock.calls).toEqual([['recalls']]);
});

test('a text is not passed on when a link was followed meanwhile: it would lead back from the page that is coming [§2.6]', () => {
  const onChange = type('recalls');
  window.history.pushState(null, '', '/faq/recalls/1');
  act(() => vi.runAllTimers());
  expect(onChange).not.toHaveBeenCalled();
});
