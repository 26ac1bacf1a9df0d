import { act, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { useAddressParams } from './use-address-params.ts';

test('a change that comes before the one before it is drawn undoes nothing of that [DECISIONS §13]', async () => {
  let change: ReturnType<typeof useAddressParams<'text' | 'action'>>[1] | undefined;
  function Filters() {
    [, change] = useAddressParams<'text' | 'action'>();
    return null;
  }
  const router = createMemoryRouter([{ path: '/audit', element: <Filters /> }], {
    initialEntries: ['/audit?from=2026&text=old'],
  });
  render(<RouterProvider router={router} />);
  await act(async () => {
    change?.({ text: 'traile' });
    change?.({ action: ['users.create', 'users.edit'] });
  });
  expect(router.state.location.search).toBe('?from=2026&text=traile&action=users.create&action=users.edit');
  await act(async () => router.navigate('/audit?from=2027'));
  await act(async () => change?.({ text: 'new' }));
  expect(router.state.location.search).toBe('?from=2027&text=new');
});
