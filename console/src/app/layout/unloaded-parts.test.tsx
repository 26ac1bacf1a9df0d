import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ToastHost } from '../../components/toast/toast.tsx';
import { oneOfEach } from '../../testing/every-dialog.ts';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import { mockServer } from '../../testing/server.ts';
import { MainLayout } from './main-layout.tsx';

mockServer(...oneOfEach);
// As where the server was updated, or cannot be reached.
const lost = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('../activity/activity-panel.tsx', lost);
vi.mock('../../features/auth/sessions/sessions-modal.tsx', lost);

function renderLayout() {
  return renderInRoot(
    <>
      <Routes>
        <Route element={<MainLayout />}>
          <Route path="*" element={<input aria-label="Typed" />} />
        </Route>
      </Routes>
      <ToastHost />
    </>,
  );
}

test('where the activity cannot be loaded a toast says so, and the page stays [§8]', async () => {
  const { user } = renderLayout();
  const page = screen.getByRole('textbox', { name: 'Typed' });
  const button = screen.getByRole('button', { name: 'Activity' });
  await user.click(button);
  await screen.findByText(/^The activity could not be loaded/);
  expect(page.isConnected).toBe(true);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(button);
});

test('where the sessions cannot be loaded a toast says so, each time, and the page stays [§8]', async () => {
  const { user } = renderLayout();
  const page = screen.getByRole('textbox', { name: 'Typed' });
  for (const _ of ['once', 'again']) {
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await user.click(screen.getByRole('button', { name: 'Sessions' }));
    await screen.findByText(/^The open sessions could not be loaded/);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/^The open sessions could not be loaded/)).toBeNull();
  }
  expect(page.isConnected).toBe(true);
});
