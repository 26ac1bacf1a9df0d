import { userRoutes } from '@apotheca/contract/users';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { field, fillAndLeave, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { makeUser, USER_OPTIONS } from '../../testing/users.ts';
import { loadRuntimeConfig } from '../../transport/runtime-config.ts';
import { UserModal } from './user-modal.tsx';

const bases = { appApiBaseUrl: '/api', authApiBaseUrl: '/identity' };
mockServer(
  onRoute(userRoutes.options, () => ok(USER_OPTIONS)),
  http.get('/config.json', () => HttpResponse.json({ ...bases, passwordMin: 12 })),
);

beforeEach(async () => {
  await loadRuntimeConfig();
});

test.each(['create', 'edit'] as const)(
  'in %s a new password has the length that the server asks for, and the hint says so [DECISIONS §13]',
  async (mode) => {
    const user = mode === 'edit' ? makeUser() : undefined;
    renderWithStore(<UserModal show mode={mode} user={user} onClose={() => {}} />);
    await findField('First Name');
    screen.getByText(/12 to 30 characters/);
    fillAndLeave('Password', 'eleven-char');
    await screen.findByText('Must be 12 characters or more');
    expect(field('Password').getAttribute('aria-invalid')).toBe('true');
    fillAndLeave('Password', '1234');
    await screen.findByText('Must be 5 characters or more');
    fillAndLeave('Password', 'twelve-chars');
    await waitFor(() => expect(screen.queryByText(/^Must be/)).toBeNull());
  },
);
