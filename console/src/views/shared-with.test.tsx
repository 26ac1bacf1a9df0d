import { accountRoutes } from '@apotheca/contract/account';
import { roleRoutes } from '@apotheca/contract/roles';
import { viewRoutes } from '@apotheca/contract/views';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RightsProvider } from '../rights/rights.tsx';
import { findField } from '../testing/fields.ts';
import { renderWithStore } from '../testing/render.tsx';
import { makeRole } from '../testing/roles.ts';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../testing/server.ts';
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

test('who may not see the roles sees that a view of theirs is shared, and shares it no more [§2.26]', async () => {
  server.use(onRoute(accountRoutes.rights, () => ok({ permissions: ['tenants.read'], grantedBy: [] })));
  const bodies = keepBodies(viewRoutes.edit, 'Saved.');
  const { user } = renderWithStore(
    <RightsProvider>
      <ViewModal show list="tenants" query={view.query} view={view} onDelete={vi.fn()} onClose={vi.fn()} />
    </RightsProvider>,
  );
  await screen.findByRole('option', { name: 'A role that you may not see', selected: true });
  await user.selectOptions(await findField('Shared with'), 'Nobody');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(bodies).toMatchObject([{ id: view.id, roleId: null }]);
});
