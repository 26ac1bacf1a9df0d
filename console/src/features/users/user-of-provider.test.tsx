import { userRoutes } from '@apotheca/contract/users';
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { makeUser, USER_OPTIONS } from '../../testing/users.ts';
import { loadRuntimeConfig } from '../../transport/runtime-config.ts';
import { DuplicateUserModal } from './duplicate-user-modal.tsx';
import { UserModal } from './user-modal.tsx';

const config = {
  appApiBaseUrl: '/api',
  authApiBaseUrl: '/identity',
  signInProviders: [{ id: 'clinic', name: 'Clinic' }],
};
mockServer(
  onRoute(userRoutes.options, () => ok(USER_OPTIONS)),
  http.get('/config.json', () => HttpResponse.json(config)),
);

beforeEach(async () => {
  await loadRuntimeConfig();
});

const grace = makeUser({ hasPassword: false });

test('where providers sign people in, a user without a password may sign in all the same [§2.11]', async () => {
  const first = renderWithStore(<UserModal show mode="view" user={grace} onClose={() => {}} />);
  await screen.findByText('Nobody can sign in as this user with a password until one is set.');
  first.unmount();
  renderWithStore(<DuplicateUserModal show user={grace} onClose={() => {}} />);
  screen.getByText('Nobody can sign in as the copy with a password until one is set.');
  expect(screen.queryByText(/until a password is set/)).toBeNull();
});
