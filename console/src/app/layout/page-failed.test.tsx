import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import { mockServer, server } from '../../testing/server.ts';
import { lazyPage } from '../navigation/lazy-page.tsx';
import { MainLayout } from './main-layout.tsx';

mockServer();
// React writes every caught error to the console.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

function renderPage(load: () => Promise<() => React.ReactNode>) {
  const Page = lazyPage(load);
  return renderInRoot(
    <Routes>
      <Route element={<MainLayout />}>
        <Route path="/" element={<Page />} />
        <Route path="*" element={<Link to="/">back</Link>} />
      </Route>
    </Routes>,
  );
}

const content = () => within(screen.getByRole('main'));
const expectFrame = () => {
  screen.getByRole('banner');
  screen.getByRole('navigation', { name: 'Main menu' });
};

test('a page whose chunk does not load keeps header and menu, also when Retry finds no server [§2.1, §8]', async () => {
  const lost = new Error('Failed to fetch dynamically imported module: /assets/x.js');
  let asked = 0;
  server.use(
    http.get('/config.json', () => {
      asked += 1;
      return HttpResponse.error();
    }),
  );
  renderPage(() => Promise.reject(lost));
  expect(await content().findByText(/part of the console could not be loaded/)).toBeDefined();
  expectFrame();
  content().getByRole('heading', { level: 1, name: 'Unexpected Application Error!' });
  fireEvent.click(content().getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(asked).toBe(1));
  expect(await content().findByText(/part of the console could not be loaded/)).toBeDefined();
  expectFrame();
});

test('a page that throws keeps header and menu, and the menu leads away from it [§2.1, §8]', async () => {
  const { user } = renderPage(async () => () => {
    throw new Error('secret detail');
  });
  expect(await content().findByText(/Something in this page went wrong/)).toBeDefined();
  expect(screen.queryByText(/secret detail/)).toBeNull();
  expectFrame();
  await user.click(screen.getByRole('link', { name: 'Users' }));
  expect(content().getByRole('link', { name: 'back' })).toBeDefined();
});
