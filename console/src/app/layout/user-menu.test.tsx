import { authRoutes } from '@apotheca/contract/auth';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { makeSession } from '../../testing/sessions.ts';
import { UserMenu } from './user-menu.tsx';

mockServer(onRoute(authRoutes.listSessions, () => ok([makeSession({ isCurrent: true })])));

test('Sessions opens the open sessions; after closing, the menu has the focus again [§6]', async () => {
  const { user } = renderWithStore(<UserMenu />);
  const head = screen.getByRole('button', { name: /^User menu/ });
  await user.click(head);
  await user.click(screen.getByRole('button', { name: 'Sessions' }));
  await screen.findByRole('dialog', { name: 'Open sessions' });
  await screen.findByRole('row', { name: /This session/ });
  expect(screen.queryByRole('button', { name: 'Sessions' })).toBeNull();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(head);
  await user.click(head);
  await user.click(screen.getByRole('button', { name: 'Sessions' }));
  await screen.findByRole('row', { name: /This session/ });
});
