import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { notify } from '../../components/toast/toast.tsx';
import { useErrorToast } from './use-error-toast.ts';

const failure = () => ({ status: 503, message: 'Away.' });

test('each failure is one toast, even when the page is opened again [§8]', () => {
  const toast = vi.spyOn(notify, 'error');
  const [first, second] = [failure(), failure()];
  const show = (error?: object) => renderHook(useErrorToast, { initialProps: error });
  const { rerender, unmount } = show();
  expect(toast).not.toHaveBeenCalled();
  rerender(first);
  rerender(undefined);
  rerender(first);
  expect(toast.mock.calls).toEqual([['Away.']]);
  unmount();
  show(first);
  expect(toast).toHaveBeenCalledTimes(1);
  show(second);
  expect(toast).toHaveBeenCalledTimes(2);
});
