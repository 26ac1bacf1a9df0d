import { type Permission, permissionRoutes } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AVAILABLE_IDS, listedMenus, makeMenu, makePermission } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { PermissionsPage } from './permissions-page.tsx';

const stock = makePermission({ name: 'View stock', identifier: 'stock.view', module: 'Inventory', sortOrder: 1 });
const users = makePermission({
  name: 'Manage users',
  identifier: 'users.manage',
  module: 'UserManagement',
  sortOrder: 2,
  isActive: false,
  isBuiltIn: true,
});

/** The data of the mocked server. */
let permissions: Permission[] = [];
let sorts: string[] = [];

mockServer(
  onRoute(permissionRoutes.list, ({ request }) => {
    const { searchParams } = new URL(request.url);
    sorts.push(`${searchParams.get('sortColumn')} ${searchParams.get('sortDirection')}`);
    return ok({ permissions });
  }),
  onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)),
  onRoute(tenantRoutes.list, () => ok([])),
);

function renderPage(held: Permission[] = [stock, ...listedMenus([makeMenu('Reports')]), users], route = '/permission') {
  permissions = held;
  sorts = [];
  return renderWithStore(<PermissionsPage />, { route });
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const more = (name: string) => screen.getByRole('button', { name: `More actions for ${name}` });

test('lists the permissions that are not menus, with shortened ids [§2.14]', async () => {
  renderPage();
  const stockRow = await row('View stock');
  within(stockRow).getByRole('rowheader', { name: 'View stock' });
  const cells = within(stockRow).getAllByRole('cell');
  expect(cells.slice(0, 5).map((cell) => cell.textContent)).toEqual([
    stock.id.slice(0, 8),
    'Inventory',
    'stock.view',
    '1',
    'Active',
  ]);
  expect(cells[0]?.title).toBe(stock.id);
  within(await row('Manage users')).getByText('Inactive');
  expect(screen.queryByText('Reports')).toBeNull();
  screen.getByText('Displaying 2 of 2 results');
});

test('has the columns of the spec, and a heading [§2.14]', async () => {
  renderPage();
  await row('View stock');
  screen.getByRole('heading', { level: 1, name: 'Permission Management' });
  expect(
    screen
      .getAllByRole('columnheader')
      .slice(0, 6)
      .map((head) => head.textContent),
  ).toEqual(['Id', 'Permission Module', 'Permission Name', 'Permission Identifier', 'Sort Order', 'Is Active']);
});

test('says so when there are only menus [§2.14]', async () => {
  const { user } = renderPage(listedMenus([makeMenu('Reports')]));
  await screen.findByText('No permissions found!');
  const create = screen.getAllByRole('button', { name: 'Create Permission' });
  await user.click(create[1] ?? document.body);
  await screen.findByRole('dialog', { name: 'Create Permission' });
});

test('the sort is part of the address, and the server sorts [§4]', async () => {
  const { user, router } = renderPage();
  await row('View stock');
  await user.click(screen.getByRole('button', { name: 'Permission Module' }));
  await user.click(screen.getByRole('button', { name: 'Permission Module' }));
  await waitFor(() => expect(sorts).toEqual(['sortOrder asc', 'module asc', 'module desc']));
  expect(router.state.location.search).toBe('?sort=module&dir=desc');
});

test('the text filter finds names, identifiers and modules [§2.14]', async () => {
  const { user } = renderPage();
  await row('View stock');
  await user.type(screen.getByRole('searchbox', { name: 'Filter permissions' }), 'usermanagement');
  await screen.findByText('Displaying 1 of 2 results');
  expect(screen.queryByText('View stock')).toBeNull();
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'nothing like it');
  await screen.findByText('No permissions match');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await screen.findByText('Displaying 2 of 2 results');
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(permissionRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderPage();
  await waitFor(() => expect(screen.getAllByText('The database cannot be reached.')).toHaveLength(2));
  server.use(onRoute(permissionRoutes.list, () => ok({ permissions })));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await row('View stock');
});

test.each([
  ['up', 'true'],
  ['down', 'false'],
])('a permission is moved %s, the message is shown and the list loaded again [§7.3]', async (direction, moveUp) => {
  const { user } = renderPage();
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(permissionRoutes.move, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      permissions = [{ ...stock, sortOrder: 77 }];
      return ok({ id: stock.id }, 'Permission has been moved.');
    }),
  );
  await row('View stock');
  await user.click(more('View stock'));
  await user.click(screen.getByRole('menuitem', { name: `Move View stock ${direction} within Inventory` }));
  await screen.findByText('Permission has been moved.');
  expect(queries).toEqual([{ id: stock.id, moveUp }]);
  await screen.findByText('77');
});

test('a permission alone in its module cannot move, and the labels of moves name the module [§2.14]', async () => {
  const { user } = renderPage([makePermission({ name: 'Dispense', module: 'Rx', isFirst: true, isLast: true })]);
  await row('Dispense');
  await user.click(more('Dispense'));
  const item = (name: string) => screen.getByRole<HTMLButtonElement>('menuitem', { name });
  expect(item('Move Dispense up within Rx').disabled).toBe(true);
  expect(item('Move Dispense down within Rx').disabled).toBe(true);
});

test('a refused move says why [§8]', async () => {
  server.use(onRoute(permissionRoutes.move, () => failed(403, 'The permission permissions.write is missing.')));
  const { user } = renderPage();
  await row('View stock');
  await user.click(more('View stock'));
  await user.click(screen.getByRole('menuitem', { name: 'Move View stock up within Inventory' }));
  await screen.findByText('The permission permissions.write is missing.');
});

test('a permission is deleted after a confirmation [§2.14]', async () => {
  const { user } = renderPage();
  server.use(
    onRoute(permissionRoutes.delete, ({ request }) => {
      expect(new URL(request.url).searchParams.get('id')).toBe(stock.id);
      permissions = [users];
      return ok({ id: stock.id }, 'Success! Permission has been deleted.');
    }),
  );
  await row('View stock');
  await user.click(more('View stock'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete View stock' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Permission' });
  within(dialog).getByText('stock.view');
  await user.click(within(dialog).getByRole('button', { name: 'Delete permission' }));
  await screen.findByText('Success! Permission has been deleted.');
  await screen.findByText('Displaying 1 of 1 results');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refused deletion says why and keeps the dialog open; Cancel sends nothing [§8]', async () => {
  let calls = 0;
  server.use(
    onRoute(permissionRoutes.delete, () => {
      calls += 1;
      return failed(403, 'Not allowed.');
    }),
  );
  const { user } = renderPage();
  await row('View stock');
  await user.click(more('View stock'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete View stock' }));
  await user.click(screen.getByRole('button', { name: 'Delete permission' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toBe(1);
});

test('a built-in permission cannot be deleted, and the menu says so [DECISIONS §10]', async () => {
  const { user } = renderPage();
  await row('Manage users');
  await user.click(more('Manage users'));
  const item = screen.getByRole<HTMLButtonElement>('menuitem', { name: 'Delete: built in' });
  expect(item.disabled).toBe(true);
});

test('Sync Permission opens its dialog, and closing it gives the focus back [§2.14]', async () => {
  const { user } = renderPage();
  await row('View stock');
  await user.click(screen.getByRole('button', { name: 'Sync Permission' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sync Permission' });
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] ?? dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sync Permission' }));
});

test('a second move is sent once the first one is answered [§4]', async () => {
  let calls = 0;
  const first = Promise.withResolvers<void>();
  server.use(
    onRoute(permissionRoutes.move, async () => {
      calls += 1;
      await first.promise;
      return ok({ id: stock.id }, 'Permission has been moved.');
    }),
  );
  const { user } = renderPage();
  await row('View stock');
  for (const _ of [1, 2]) {
    await user.click(more('View stock'));
    await user.click(screen.getByRole('menuitem', { name: 'Move View stock down within Inventory' }));
  }
  expect(calls).toBe(1);
  first.resolve();
  await waitFor(() => expect(calls).toBe(2));
});
