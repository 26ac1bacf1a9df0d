import { PERMISSION_MODULES, type Permission, permissionRoutes } from '@apotheca/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { field, fill, fillAndLeave, findField, optionsOf } from '../../testing/fields.ts';
import { AVAILABLE_IDS, makePermission } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { PermissionModal } from './permission-modal.tsx';

mockServer(onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)));

async function renderModal(permission?: Permission) {
  const onClose = vi.fn();
  const view = renderWithStore(<PermissionModal show permission={permission} onClose={onClose} />);
  await findField('Permission Name');
  return { ...view, onClose };
}

const submit = (name: string) => screen.getByRole('button', { name });

test('the first free id is preselected, the others can be chosen [§3]', async () => {
  await renderModal();
  screen.getByRole('dialog', { name: 'Create Permission' });
  expect(field('Id').value).toBe(AVAILABLE_IDS[0]);
  expect(optionsOf('Id')).toEqual(['Please pick..', ...AVAILABLE_IDS]);
  expect(optionsOf('Permission Module')).toEqual(['Please pick..', ...PERMISSION_MODULES]);
  expect(field('Is Active').checked).toBe(true);
});

test('the identifier follows the name until the user types an identifier [§4]', async () => {
  await renderModal();
  fill('Permission Name', 'View the stock');
  expect(field('Permission Identifier').value).toBe('viewTheStock');
  fill('Permission Identifier', 'stock.view');
  fill('Permission Name', 'View all the stock');
  expect(field('Permission Identifier').value).toBe('stock.view');
});

test('typed values are sent with the signed-in user; the message is shown and the dialog closes [§7.3]', async () => {
  const { user, onClose } = await renderModal();
  const bodies = keepBodies(permissionRoutes.create, 'Success! Permission has been Created.');
  fill('Permission Name', 'View the stock');
  fill('Permission Module', 'Inventory');
  fill('Sort Order', '7');
  await user.click(submit('Create'));
  await screen.findByText('Success! Permission has been Created.');
  expect(bodies).toEqual([
    {
      id: AVAILABLE_IDS[0],
      name: 'View the stock',
      module: 'Inventory',
      identifier: 'viewTheStock',
      sortOrder: 7,
      isActive: true,
      isMenu: false,
      createdBy: signedIn().id,
    },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a missing value is reported at its field, once the field was left [§5]', async () => {
  const { user, onClose } = await renderModal();
  expect(screen.queryByText('Permission Name is Required')).toBeNull();
  fillAndLeave('Permission Name', '');
  await screen.findByText('Permission Name is Required');
  expect(screen.queryByText('Permission Module is Required')).toBeNull();
  fill('Id', '');
  fill('Sort Order', '');
  await user.click(submit('Create'));
  await screen.findByText('Permission id is required');
  screen.getByText('Permission Module is Required');
  screen.getByText('Sort Order is required');
  fill('Sort Order', '-1');
  await screen.findByText('Sort Order must be at least 0');
  expect(onClose).not.toHaveBeenCalled();
});

test('a used identifier is reported at its field, and typed values stay [§8]', async () => {
  const message = 'A permission with this identifier exists already.';
  server.use(onRoute(permissionRoutes.create, () => failed(409, message, { identifier: [message] })));
  const { user, onClose } = await renderModal();
  fill('Permission Name', 'View the stock');
  fill('Permission Module', 'Inventory');
  await user.click(submit('Create'));
  await screen.findByText(`identifier: ${message}`);
  expect(field('Permission Identifier').getAttribute('aria-describedby')).toContain('error');
  expect(field('Permission Name').value).toBe('View the stock');
  expect(onClose).not.toHaveBeenCalled();
});

test('while saving the button is busy and takes no second click [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(permissionRoutes.create, () => {
      calls += 1;
      return new Promise<HttpResponse<null>>(() => {});
    }),
  );
  const { user } = await renderModal();
  fill('Permission Name', 'View the stock');
  fill('Permission Module', 'Inventory');
  await user.click(submit('Create'));
  await waitFor(() => expect(submit('Create').ariaBusy).toBe('true'));
  await user.click(submit('Create'));
  expect(calls).toBe(1);
});

test('an untouched dialog closes at once [§2.14]', async () => {
  const { user, onClose } = await renderModal();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('closing asks before typed text is lost [§2.14]', async () => {
  const { user, onClose } = await renderModal();
  fill('Permission Name', 'View the stock');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  screen.getByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
});

test('ids that could not be loaded can be loaded again [§8]', async () => {
  server.use(onRoute(permissionRoutes.listAvailableIds, () => failed(503, 'Unavailable.')));
  const { user } = renderWithStore(<PermissionModal show onClose={() => {}} />);
  await screen.findByText('The available ids could not be loaded.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);
  server.use(onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await findField('Id')).value).toBe(AVAILABLE_IDS[0]);
});

test('an edit keeps id, identifier and sort order, and sends its first version [§4]', async () => {
  const stock = makePermission({ name: 'Stock', identifier: 'stock.view', sortOrder: 4 });
  const { user, onClose } = await renderModal(stock);
  const bodies = keepBodies(permissionRoutes.edit, 'Success! Permission has been updated.');
  screen.getByRole('dialog', { name: 'Edit Permission' });
  expect(field('Id').readOnly).toBe(true);
  fill('Permission Name', 'View the stock');
  await user.click(submit('Save'));
  await screen.findByText('Success! Permission has been updated.');
  expect(bodies).toEqual([
    {
      id: stock.id,
      name: 'View the stock',
      module: 'Inventory',
      identifier: 'stock.view',
      isActive: true,
      isMenu: false,
      version: 3,
      updatedBy: signedIn().id,
    },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('only name and sort order of a built-in permission can be changed, and the rest is sent unchanged [DECISIONS §10]', async () => {
  const builtIn = makePermission({ module: 'AdminModule', identifier: 'tenants.read', isBuiltIn: true });
  const { user } = await renderModal(builtIn);
  const bodies = keepBodies(permissionRoutes.edit, 'Changed.');
  expect(field('Permission Identifier').readOnly).toBe(true);
  expect(field('Permission Module').disabled).toBe(true);
  expect(field('Is Active').disabled).toBe(true);
  expect(screen.getAllByText('Built in: cannot be changed')).toHaveLength(3);
  fill('Permission Name', 'See tenants');
  await user.click(submit('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toMatchObject([
    { name: 'See tenants', module: 'AdminModule', identifier: 'tenants.read', isActive: true },
  ]);
});

test('an edit of a permission that another user has changed shows the change, and overwrites it at the second attempt [DECISIONS §10]', async () => {
  const { user } = await renderModal(makePermission({ name: 'Stock', sortOrder: 4 }));
  server.use(
    onRoute(permissionRoutes.edit, () =>
      refusedAsStale({
        version: 8,
        changes: [changedByBob('name', 'Stock', 'Stocks'), changedByBob('isActive', true, false)],
      }),
    ),
  );
  fill('Permission Name', 'View the stock');
  await user.click(submit('Save'));
  const notice = await screen.findByText('Permission Name: Stock → Stocks, by bob');
  within(notice.closest('ul') ?? notice).getByText('Is Active: Active → Inactive, by bob');
  expect(field('Permission Name').value).toBe('View the stock');
  expect(field('Is Active').checked).toBe(false);
  const bodies = keepBodies(permissionRoutes.edit, 'Changed.');
  await user.click(submit('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toMatchObject([{ name: 'View the stock', isActive: false, version: 8 }]);
});

test('the notice unmounts where scrolling answers with a promise, as in newer browsers [DECISIONS §10]', async () => {
  Object.defineProperty(Element.prototype, 'scrollIntoView', { value: async () => {}, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView'));
  const { user, unmount } = await renderModal(makePermission({ name: 'Stock' }));
  server.use(
    onRoute(permissionRoutes.edit, () =>
      refusedAsStale({ version: 8, changes: [changedByBob('name', 'Stock', 'Stocks')] }),
    ),
  );
  fill('Sort Order', '9');
  await user.click(submit('Save'));
  await screen.findByText('Permission Name: Stock → Stocks, by bob');
  expect(unmount).not.toThrow();
});
