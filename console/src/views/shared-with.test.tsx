import { roleRoutes } from '@apotheca/contract/roles';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { findField } from '../testing/fields.ts';
import { renderWithStore } from '../testing/render.tsx';
import { makeRole } from '../testing/roles.ts';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { ViewModal } from './view-modal.tsx';

const role = makeRole({ roleName: 'Clerks' });
const view = {
  id: 'v1',
  list: 'tenants',
  name: 'Night shift',
  query: 'q=night',
  roleId: role.id,
  isOwn: true,
} as const;

mockServer(onRoute(roleRoutes.list, () => failed(503, 'Away.')));

test('a view is not said to be shared with nobody where the roles could not be loaded [§2.6]', async () => {
  const { user } = renderWithStore(
    <ViewModal show list="tenants" query={view.query} view={view} onDelete={vi.fn()} onClose={vi.fn()} />,
  );
  await screen.findByText('Away.');
  expect(screen.queryByText('Nobody')).toBeNull();
  server.use(onRoute(roleRoutes.list, () => ok([role])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await findField('Shared with')).value).toBe(role.id);
});
