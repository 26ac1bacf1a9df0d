import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { factOf, field, fill, findField } from '../../../testing/fields.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { signedIn } from '../../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../../testing/stale.ts';
import { findRow, textsOf } from '../../../testing/table.ts';
import { makeService, ROLE_IDS, USER_OPTIONS } from '../../../testing/users.ts';
import { DeleteUserDialog } from '../delete-user-dialog.tsx';
import { UsersTable } from '../users-table.tsx';
import { ServiceAccountModal } from './service-account-modal.tsx';

const robot = makeService({ userName: 'robot', notes: 'Runs at two' });

mockServer(
  onRoute(userRoutes.list, () => ok([robot])),
  onRoute(userRoutes.options, () => ok(USER_OPTIONS)),
);

async function renderModal(mode: 'create' | 'edit' | 'view') {
  const onClose = vi.fn();
  renderWithStore(
    <ServiceAccountModal show mode={mode} user={mode === 'create' ? undefined : robot} onClose={onClose} />,
  );
  await (mode === 'view' ? screen.findByText('Access Role') : findField('Name'));
  return { onClose };
}

test('the list shows a service account with a badge, and leads to its keys [DECISIONS §13]', async () => {
  const onOpen = vi.fn();
  renderWithStore(<UsersTable onOpen={onOpen} />);
  const row = await findRow('robot');
  expect(textsOf(row)).toEqual(['robot', 'Service account', '', 'Viewer', 'Active']);
  expect(within(row).queryByRole('button', { name: 'Sessions of robot' })).toBeNull();
  fireEvent.click(within(row).getByRole('button', { name: 'API keys of robot' }));
  expect(onOpen).toHaveBeenCalledWith({ kind: 'keys', user: robot });
  fireEvent.click(within(row).getByRole('button', { name: 'More actions for robot' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Deactivate robot', 'History of robot', 'Delete robot']);
});

test('deleting one says that the programs with its keys are refused, and nothing of a sign-in [DECISIONS §13]', () => {
  renderWithStore(<DeleteUserDialog show user={robot} onClose={() => {}} />);
  screen.getByText(
    'Programs that use the API keys of robot are refused from now on. The user name is free again. This cannot be undone.',
  );
});

test('a new one has a name, a role and notes, and nothing of a person [DECISIONS §13]', async () => {
  const bodies = keepBodies(serviceAccountRoutes.create, 'Success! The service account has been created.');
  const { onClose } = await renderModal('create');
  const create = screen.getByRole('button', { name: 'Create' });
  fireEvent.click(create);
  await screen.findByText('Name is required');
  screen.getByText('User Role is Required');
  expect([...document.querySelectorAll('.modal label')].map((label) => label.textContent)).toEqual([
    'Name',
    'Access Role',
    'Notes',
  ]);
  fill('Name', 'importer');
  fill('Access Role', ROLE_IDS.viewer);
  fireEvent.click(create);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const by = signedIn().id;
  expect(bodies).toEqual([{ userName: 'importer', roleId: ROLE_IDS.viewer, notes: '', createdBy: by }]);
});

test('an edit sends the version; a taken name stands at its field [DECISIONS §13]', async () => {
  const { onClose } = await renderModal('edit');
  server.use(
    onRoute(serviceAccountRoutes.edit, () =>
      failed(409, 'This User Name is taken already.', { userName: ['This User Name is taken already.'] }),
    ),
  );
  fill('Name', 'taken');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(field('Name').getAttribute('aria-invalid')).toBe('true'));
  expect(onClose).not.toHaveBeenCalled();
  const bodies = keepBodies(serviceAccountRoutes.edit);
  fill('Name', 'robot-2');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies).toMatchObject([
    { id: robot.id, userName: 'robot-2', version: robot.version, updatedBy: signedIn().id },
  ]);
});

test('viewing changes nothing [DECISIONS §13]', async () => {
  await renderModal('view');
  expect([factOf('Name'), factOf('Access Role'), factOf('Notes')]).toEqual(['robot', 'Viewer', 'Runs at two']);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('an edit overtaken by who gave a role that was just made names that role, and keeps it when it is left [DECISIONS §3]', async () => {
  const AUDITOR = { id: '00000000-0000-4000-8000-0000000000a9', roleName: 'Auditor' };
  const stale = { version: 5, changes: [changedByBob('roleId', ROLE_IDS.viewer, AUDITOR.id)] };
  server.use(onRoute(serviceAccountRoutes.edit, () => refusedAsStale(stale)));
  await renderModal('edit');
  const reloaded = Promise.withResolvers<void>();
  server.use(
    onRoute(userRoutes.options, async () => {
      await reloaded.promise;
      return ok({ ...USER_OPTIONS, roles: [AUDITOR, ...USER_OPTIONS.roles] });
    }),
  );
  fill('Notes', 'On leave');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/^Access Role: Viewer → /);
  fireEvent.blur(field('Access Role'));
  reloaded.resolve();
  await screen.findByText('Access Role: Viewer → Auditor, by bob');
  await waitFor(() => expect(field('Access Role').selectedOptions[0]?.text).toBe('Auditor'));
});
