import { type Menu, menuRoutes } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { screen, waitFor } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { field, fill, fillAndLeave, findField, optionsOf } from '../../testing/fields.ts';
import { AVAILABLE_IDS, listedMenus, makeMenu, makePermission } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { MenuModal } from './menu-modal.tsx';

const lots = makeMenu('Lots', { route: '/lots' });
const [stock = lots] = makeMenu('', {
  childMenus: [makeMenu('Stock', { route: '/stock', childMenus: [lots] })],
}).childMenus;
const reports = makeMenu('Reports', { icon: 'chart-column', childMenus: [stock] });
const [stockInReports = stock] = reports.childMenus;
const settings = makeMenu('Settings', { icon: 'settings' });

mockServer(
  onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)),
  onRoute(permissionRoutes.list, () => ok({ permissions: [makePermission(), ...listedMenus([reports, settings])] })),
  onRoute(menuRoutes.tree, () => ok([])),
);

async function renderModal(props: { menu?: Menu; parent?: Menu } = {}) {
  const onClose = vi.fn();
  const view = renderWithStore(<MenuModal show {...props} onClose={onClose} />);
  await findField('Menu Name');
  await waitFor(() => expect(screen.queryByText('Loading the menus')).toBeNull());
  return { ...view, onClose };
}

const submit = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('only menus are offered as parents, by their paths, and the first free id is preselected [§2.15]', async () => {
  await renderModal();
  screen.getByRole('dialog', { name: 'Create Menu' });
  expect(optionsOf('Parent Menu')).toEqual([
    'Select Parent Menu',
    'Reports',
    'Reports / Stock',
    'Reports / Stock / Lots',
    'Settings',
  ]);
  expect(field('Id').value).toBe(AVAILABLE_IDS[0]);
  expect(field('Menu Route').readOnly).toBe(true);
  expect(field('Active').checked).toBe(true);
});

test('a name fills the route and the identifier, and clearing it clears both [§4]', async () => {
  await renderModal();
  fill('Menu Name', 'Cycle Counts');
  expect(field('Menu Route').value).toBe('/cycle-counts');
  screen.getByText('Identifier: cycleCounts');
  fill('Menu Name', '');
  expect(field('Menu Route').value).toBe('');
  expect(screen.queryByText(/^Identifier/)).toBeNull();
});

test('a name that is in use says that its identifier gets a number [§4]', async () => {
  await renderModal();
  fill('Menu Name', settings.identifier);
  screen.getByText(`Identifier: ${settings.identifier} with a number, as it is taken`);
});

test("choosing a parent copies its icon, and hides the hint that the route is saved as '#' [§4]", async () => {
  const { user } = await renderModal();
  screen.getByText('Saved as # while no parent menu is selected');
  await user.selectOptions(field('Parent Menu'), 'Settings');
  expect(field('Menu Icon').value).toBe('settings');
  expect(screen.queryByText(/^Saved as #/)).toBeNull();
});

test('an icon is picked by a search, by keys too, and any other name can be typed [§2.15]', async () => {
  const { user } = await renderModal();
  const bodies = keepBodies(permissionRoutes.create, 'Created.');
  const choose = () => user.click(screen.getByRole('button', { name: 'Choose an icon' }));
  fill('Menu Name', 'Doses');
  await choose();
  await user.keyboard('ware');
  expect(screen.getAllByRole('button', { name: /house$/ }).map((one) => one.textContent)).toEqual(['warehouse']);
  await user.keyboard('{Enter}');
  expect(field('Menu Icon').value).toBe('warehouse');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose an icon' }));
  expect(bodies).toEqual([]);

  await choose();
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('warehouse');
  await user.keyboard('no such');
  screen.getByText('No such icon. Any name can be typed in the field.');
  await user.clear(screen.getByRole('searchbox', { name: 'Search icons' }));
  await user.click(screen.getByRole('button', { name: 'pill' }));
  expect(field('Menu Icon').value).toBe('pill');

  fill('Menu Icon', 'not-drawn');
  await user.click(submit('Create'));
  await screen.findByText('Created.');
  expect(bodies).toMatchObject([{ icon: 'not-drawn' }]);
});

test("a menu without a parent is sent with the route '#' and no parent [§7.3]", async () => {
  const { user, onClose } = await renderModal();
  const bodies = keepBodies(permissionRoutes.create, 'Success! Menu has been Created.');
  fill('Menu Name', 'Cycle Counts');
  fill('Menu Icon', 'boxes');
  await user.click(submit('Create'));
  await screen.findByText('Success! Menu has been Created.');
  expect(bodies).toEqual([
    {
      id: AVAILABLE_IDS[0],
      name: 'Cycle Counts',
      route: '#',
      icon: 'boxes',
      sortOrder: 0,
      identifier: 'cycleCounts',
      parentPermissionId: null,
      module: 'Menu',
      isMenu: true,
      isActive: true,
      createdBy: signedIn().id,
    },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a menu inside another one is sent with its own route; its parent is preselected [§7.3]', async () => {
  const { user } = await renderModal({ parent: reports });
  const bodies = keepBodies(permissionRoutes.create, 'Created.');
  expect(field('Parent Menu').value).toBe(reports.id);
  expect(field('Menu Icon').value).toBe('chart-column');
  fill('Menu Name', 'Cycle Counts');
  await user.click(submit('Create'));
  await screen.findByText('Created.');
  expect(bodies).toMatchObject([{ route: '/cycle-counts', parentPermissionId: reports.id, icon: 'chart-column' }]);
});

test('missing values are reported under id, name, route, icon and sort order, once touched [§2.15]', async () => {
  const { user } = await renderModal();
  expect(screen.queryByText('Menu Name is required')).toBeNull();
  fillAndLeave('Menu Name', '');
  await screen.findByText('Menu Name is required');
  expect(screen.queryByText('Menu Icon is required')).toBeNull();
  fill('Id', '');
  fill('Sort Order', '');
  await user.click(submit('Create'));
  await screen.findByText('Menu id is required.');
  for (const text of ['Menu Route is required', 'Menu Icon is required', 'Sort Order is required'])
    screen.getByText(text);
});

test('a name without letter or digit has no identifier, which is reported at the name [§5]', async () => {
  const { user } = await renderModal();
  fill('Menu Name', '!!!');
  fill('Menu Icon', 'boxes');
  await user.click(submit('Create'));
  await screen.findByText('Identifier is required');
  expect(field('Menu Name').getAttribute('aria-invalid')).toBe('true');
});

test('a used identifier is reported at the name [§8]', async () => {
  const message = 'A permission with this identifier exists already.';
  server.use(onRoute(permissionRoutes.create, () => failed(409, message, { identifier: [message] })));
  const { user, onClose } = await renderModal();
  fill('Menu Name', 'Stock');
  fill('Menu Icon', 'boxes');
  await user.click(submit('Create'));
  await screen.findByText(message);
  expect(field('Menu Name').getAttribute('aria-invalid')).toBe('true');
  expect(onClose).not.toHaveBeenCalled();
});

test('while a call is running it says so, and Create is disabled [§2.15]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(permissionRoutes.listAvailableIds, async () => {
      await promise;
      return ok(AVAILABLE_IDS);
    }),
  );
  renderWithStore(<MenuModal show onClose={() => {}} />);
  screen.getByText('Loading the menus and ids');
  expect(submit('Create').disabled).toBe(true);
  resolve();
  await findField('Menu Name');
  await waitFor(() => expect(screen.queryByText('Loading the menus and ids')).toBeNull());
  expect(submit('Create').disabled).toBe(false);
});

test('while saving it says so, and takes no second click [§2.15]', async () => {
  let calls = 0;
  server.use(
    onRoute(permissionRoutes.create, () => {
      calls += 1;
      return new Promise<HttpResponse<null>>(() => {});
    }),
  );
  const { user } = await renderModal();
  fill('Menu Name', 'Stock');
  fill('Menu Icon', 'boxes');
  await user.click(submit('Create'));
  await screen.findByText('Saving the menu');
  expect(submit('Create').getAttribute('aria-disabled')).toBe('true');
  await user.click(submit('Create'));
  expect(calls).toBe(1);
});

test('choices that could not be loaded can be loaded again [§8]', async () => {
  server.use(onRoute(permissionRoutes.list, () => failed(503, 'Unavailable.')));
  const { user } = renderWithStore(<MenuModal show onClose={() => {}} />);
  await screen.findByText('The menus and ids to choose from could not be loaded.');
  server.use(onRoute(permissionRoutes.list, () => ok({ permissions: listedMenus([settings]) })));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findField('Menu Name');
  expect(optionsOf('Parent Menu')).toEqual(['Select Parent Menu', 'Settings']);
});

test('an edit offers no parent inside its own branch, and keeps identifier and route [§4]', async () => {
  const { user } = await renderModal({ menu: { ...stockInReports, route: '/warehouse' } });
  const bodies = keepBodies(permissionRoutes.edit, 'Success! Menu has been updated.');
  screen.getByRole('dialog', { name: 'Edit Menu' });
  expect(optionsOf('Parent Menu')).toEqual(['Select Parent Menu', 'Reports', 'Settings']);
  expect(field('Parent Menu').value).toBe(reports.id);
  await user.selectOptions(field('Parent Menu'), 'Settings');
  expect(field('Menu Icon').value).toBe('folder');
  await user.click(submit('Save'));
  await screen.findByText('Success! Menu has been updated.');
  expect(bodies).toEqual([
    {
      id: stock.id,
      name: 'Stock',
      route: '/warehouse',
      icon: 'folder',
      identifier: stock.identifier,
      parentPermissionId: settings.id,
      module: 'Menu',
      isMenu: true,
      isActive: true,
      version: 3,
      updatedBy: signedIn().id,
    },
  ]);
});

test('a new name gives an edited menu a new route, not a new identifier [§4]', async () => {
  const { user } = await renderModal({ menu: stockInReports });
  const bodies = keepBodies(permissionRoutes.edit, 'Changed.');
  fill('Menu Name', 'Stock on hand');
  expect(field('Menu Route').value).toBe('/stock-on-hand');
  await user.click(submit('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toMatchObject([{ route: '/stock-on-hand', identifier: stock.identifier }]);
});

test('an edit of a menu that another user has changed shows the change, and overwrites it at the second attempt [DECISIONS §10]', async () => {
  const { user } = await renderModal({ menu: stockInReports });
  server.use(
    onRoute(permissionRoutes.edit, () =>
      refusedAsStale({ version: 9, changes: [changedByBob('parentPermissionId', reports.id, settings.id)] }),
    ),
  );
  fill('Menu Icon', 'boxes');
  await user.click(submit('Save'));
  await screen.findByText('Parent Menu: Reports → Settings, by bob');
  expect(field('Parent Menu').value).toBe(settings.id);
  const bodies = keepBodies(permissionRoutes.edit, 'Changed.');
  await user.click(submit('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toMatchObject([{ icon: 'boxes', parentPermissionId: settings.id, version: 9 }]);
});

test.each([
  {
    typed: 'a name, where theirs is another one',
    type: () => fill('Menu Name', 'Warehouse'),
    changes: [changedByBob('name', 'Stock', 'Inventory'), changedByBob('route', '/stock', '/inventory')],
    sent: { name: 'Warehouse', route: '/warehouse', parentPermissionId: reports.id },
  },
  {
    typed: 'an icon, where theirs is another name and identifier',
    type: () => fill('Menu Icon', 'boxes'),
    changes: [
      changedByBob('name', 'Stock', 'Inventory'),
      changedByBob('route', '/stock', '/goods'),
      changedByBob('identifier', stock.identifier, 'goods'),
    ],
    sent: { name: 'Inventory', route: '/goods', identifier: 'goods', icon: 'boxes' },
  },
  {
    typed: 'a parent, where theirs is none',
    type: () => fill('Parent Menu', settings.id),
    changes: [changedByBob('parentPermissionId', reports.id, null), changedByBob('route', '/stock', '#')],
    sent: { route: '/stock', parentPermissionId: settings.id },
  },
  {
    typed: 'an icon, where theirs is the top with a route of its own',
    type: () => fill('Menu Icon', 'boxes'),
    changes: [changedByBob('parentPermissionId', reports.id, null), changedByBob('route', '/stock', '/start')],
    sent: { route: '/start', parentPermissionId: null, icon: 'boxes' },
  },
])('a stale edit of $typed keeps name, parent and route together [DECISIONS §10]', async ({ type, changes, sent }) => {
  const { user } = await renderModal({ menu: stockInReports });
  server.use(onRoute(permissionRoutes.edit, () => refusedAsStale({ version: 9, changes })));
  type();
  await user.click(submit('Save'));
  await screen.findByText(/^Changed meanwhile/);
  const bodies = keepBodies(permissionRoutes.edit, 'Changed.');
  await user.click(submit('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toMatchObject([{ ...sent, version: 9 }]);
});

test('a typed sort order is sent [DECISIONS §10]', async () => {
  const { user } = await renderModal({ menu: stockInReports });
  const bodies = keepBodies(permissionRoutes.edit, 'Changed.');
  fill('Sort Order', '7');
  await user.click(submit('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toMatchObject([{ sortOrder: 7 }]);
});
