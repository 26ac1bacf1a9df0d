import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { lazyPart } from './lazy-part.ts';

/** Shows a part whose first `failures` loads fail. */
function makeView(failures: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures) throw new TypeError('Failed to fetch');
    return 'the part';
  });
  const usePart = lazyPart(load);
  function View() {
    const { value, isError, retry } = usePart();
    if (isError)
      return (
        <button type="button" onClick={retry}>
          Retry
        </button>
      );
    return <p>{value ?? 'loading'}</p>;
  }
  return { View, load };
}

test('a part is loaded once for all components [§2.19]', async () => {
  const { View, load } = makeView(0);
  const { unmount } = render(<View />);
  screen.getByText('loading');
  await screen.findByText('the part');
  unmount();
  render(<View />);
  screen.getByText('the part');
  expect(load).toHaveBeenCalledOnce();
});

test('a part that could not be loaded is loaded again on demand only [§2.19]', async () => {
  const { View, load } = makeView(1);
  render(<View />);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(load).toHaveBeenCalledOnce();
  await userEvent.setup().click(retry);
  await screen.findByText('the part');
});
