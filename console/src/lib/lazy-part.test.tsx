import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { mockServer, server } from '../testing/server.ts';
import { lazyPart } from './lazy-part.ts';

mockServer();

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

test('one that cannot be loaded again either comes with a new document, once the server answers [§2.19]', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { ...window.location, reload });
  const ask = vi.fn(() => HttpResponse.json({})).mockReturnValueOnce(HttpResponse.error());
  server.use(http.get('/config.json', ask));
  const { View, load } = makeView(9);
  const user = userEvent.setup();
  render(<View />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(ask).toHaveBeenCalledTimes(2);
  expect(load).toHaveBeenCalledTimes(3);
});
