import { act, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { endSession } from '../session/session-end.ts';
import { DIALOGS, oneOfEach, openDialog } from '../testing/every-dialog.ts';
import { field } from '../testing/fields.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { mockServer, server } from '../testing/server.ts';
import { loadRuntimeConfig } from '../transport/runtime-config.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);
// As where the server cannot be reached any more.
vi.mock('../features/auth/providers/provider-buttons.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

test('what the sign-in over a page cannot load leaves that page as it is [§4, §8]', async () => {
  const config = {
    appApiBaseUrl: '/api',
    authApiBaseUrl: '/identity',
    signInProviders: [{ id: 'clinic', name: 'Clinic' }],
  };
  server.use(http.get('/config.json', () => HttpResponse.json(config)));
  await loadRuntimeConfig();
  const dialog = DIALOGS.find(({ title }) => title === 'Edit User');
  if (!dialog) throw new Error('There is no such dialog');
  const { store } = renderInRoot(<AppRoutes />, { route: dialog.at });
  await openDialog(dialog);
  const open = screen.getByRole('dialog', { name: dialog.title });
  act(() => store.dispatch(endSession()));
  await screen.findByText(/part of the console could not be loaded/);
  screen.getByRole('dialog', { name: 'Sign in to start your session' });
  screen.getByRole('button', { name: 'Sign In' });
  expect(screen.getByRole('dialog', { name: dialog.title })).toBe(open);
  expect(field('First Name').value).toBe('Alan');
});
