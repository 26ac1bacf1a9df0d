import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import { Link, MemoryRouter, Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../pages/error-boundary.tsx';
import { ErrorPage } from '../pages/error-page.tsx';
import { lazyPage } from './lazy-page.tsx';

test('a page whose chunk did not load is loaded again at the next visit, not earlier [§8]', async () => {
  // React writes every caught error to the console.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const load = vi
    .fn(async () => () => <p>The list</p>)
    .mockRejectedValueOnce(new Error('Failed to fetch dynamically imported module: /assets/x.js'));
  const ListPage = lazyPage(load);
  const user = userEvent.setup();
  render(
    <MemoryRouter>
      <Link to="/">home</Link>
      <Link to="/list">list</Link>
      <ErrorBoundary fallback={({ error }) => <ErrorPage error={error} />}>
        <Suspense>
          <Routes>
            <Route path="/" element={<p>Home</p>} />
            <Route path="/list" element={<ListPage />} />
          </Routes>
        </Suspense>
      </ErrorBoundary>
    </MemoryRouter>,
  );
  await user.click(screen.getByRole('link', { name: 'list' }));
  expect(await screen.findByText(/part of the console could not be loaded/)).toBeDefined();
  expect(load).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('link', { name: 'home' }));
  await user.click(screen.getByRole('link', { name: 'list' }));
  expect(await screen.findByText('The list')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a page whose chunk is here is drawn at once, and stays what it is [§2.1]', async () => {
  const ListPage = lazyPage(async () => () => <input aria-label="Name" />);
  const page = (
    <Suspense fallback={<p>Loading</p>}>
      <ListPage />
    </Suspense>
  );
  const early = render(page);
  expect(screen.getByText('Loading')).toBeDefined();
  const field = await screen.findByRole('textbox');
  early.rerender(page);
  expect(screen.getByRole('textbox')).toBe(field);
  early.unmount();

  render(page);
  expect(screen.getByRole('textbox')).toBeDefined();
});
