import { type Menu, menuRoutes } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AVAILABLE_IDS, listedMenus, makeMenu } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { MenusPage } from './menus-page.tsx';

/** The data of the mocked server. */
let menus: Menu[] = [];
let loads = 0;

mockServer(
  onRoute(menuRoutes.tree, () => {
    loads += 1;
    return ok(menus);
  }),
  onRoute(permissionRoutes.list, () => ok({ permissions: listedMenus(menus) })),
  onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)),
);

const tree = () => [
  makeMenu('Inventory', {
    childMenus: [
      makeMenu('Stock', { route: '/stock', icon: 'fas fa-box', childMenus: [makeMenu('Lots', { isActive: false })] }),
      makeMenu('Orders', { childMenus: [makeMenu('Drafts')] }),
    ],
  }),
  makeMenu('Reports', { childMenus: [makeMenu('Expiry')] }),
  makeMenu('Settings'),
];

async function renderPage(held: Menu[] = tree()) {
  menus = held;
  loads = 0;
  const view = renderWithStore(<MenusPage />, { route: '/menus' });
  await waitFor(() => expect(screen.queryByText('Loading the menus')).toBeNull());
  return view;
}

const head = (name: string) => screen.getByRole('button', { name });
const isOpen = (name: string) => head(name).getAttribute('aria-expanded');
const more = (name: string) => screen.getByRole('button', { name: `More actions for ${name}` });

test('shows the top level in a card, with a chevron at menus that contain others [§2.15]', async () => {
  await renderPage();
  screen.getByRole('heading', { level: 1, name: 'Menu Management' });
  screen.getByRole('heading', { level: 2, name: 'Menus' });
  expect(isOpen('Inventory')).toBe('false');
  expect(isOpen('Reports')).toBe('false');
  screen.getByText('Settings');
  expect(screen.queryByRole('button', { name: 'Settings' })).toBeNull();
  expect(screen.queryByText('Stock')).toBeNull();
});

test('a click expands a menu, another one collapses it; one menu of a level is open [§2.15]', async () => {
  const { user } = await renderPage();
  await user.click(head('Inventory'));
  await user.click(head('Stock'));
  const controlled = document.getElementById(head('Stock').getAttribute('aria-controls') ?? '');
  within(controlled ?? document.body).getByText('Lots');
  await user.click(head('Orders'));
  expect([isOpen('Inventory'), isOpen('Stock'), isOpen('Orders')]).toEqual(['true', 'false', 'true']);
  expect(screen.queryByText('Lots')).toBeNull();
  await user.click(head('Reports'));
  expect(isOpen('Inventory')).toBe('false');
  await user.click(head('Reports'));
  expect(isOpen('Reports')).toBe('false');
  expect(screen.queryByText('Expiry')).toBeNull();
});

test('the keyboard expands and collapses [§2.15]', async () => {
  const { user } = await renderPage();
  head('Inventory').focus();
  await user.keyboard('{Enter}');
  expect(isOpen('Inventory')).toBe('true');
  await user.keyboard(' ');
  expect(isOpen('Inventory')).toBe('false');
});

test('an item shows its route, its icon or the name of an unknown icon, and whether it is inactive [§2.15]', async () => {
  const { user } = await renderPage();
  await user.click(head('Inventory'));
  within(head('Stock')).getByText('fas fa-box');
  screen.getByText('/stock');
  await user.click(head('Stock'));
  const lots = screen.getByText('Lots').closest('li');
  within(lots ?? document.body).getByText('Inactive');
});

test('an empty tree says so [§2.15]', async () => {
  await renderPage([]);
  await screen.findByText('No Data Found!');
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(menuRoutes.tree, () => failed(503, 'The database cannot be reached.')));
  const { user } = await renderPage();
  await waitFor(() => expect(screen.getAllByText('The database cannot be reached.')).toHaveLength(2));
  expect(screen.queryByText('No Data Found!')).toBeNull();
  server.use(onRoute(menuRoutes.tree, () => ok(menus)));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Inventory');
});

test('loads again when the Create dialog is opened and when it is closed [§2.15]', async () => {
  const { user } = await renderPage();
  expect(loads).toBe(1);
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(loads).toBe(2));
  const dialog = await screen.findByRole('dialog', { name: 'Create Menu' });
  menus = [makeMenu('Counts')];
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Counts');
  expect(loads).toBe(3);
});

test('a menu is created inside the one whose button was used [§2.15]', async () => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Create a menu inside Reports' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create Menu' });
  const parent = await within(dialog).findByRole<HTMLSelectElement>('combobox', { name: 'Parent Menu' });
  expect(parent.selectedOptions[0]?.textContent).toBe('Reports');
});

test('Edit opens the form of that menu [§2.15]', async () => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Edit Settings' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Menu' });
  const name = await within(dialog).findByRole<HTMLInputElement>('textbox', { name: 'Menu Name' });
  expect(name.value).toBe('Settings');
});

test('a menu moves among its siblings; the first cannot move up, the last not down [§2.15]', async () => {
  const held = tree();
  const { user } = await renderPage(held);
  const [inventory, reports, settings] = held;
  server.use(
    onRoute(permissionRoutes.move, ({ request }) => {
      expect(new URL(request.url).searchParams.get('id')).toBe(reports?.id);
      expect(new URL(request.url).searchParams.get('moveUp')).toBe('true');
      menus = [reports, inventory, settings].filter((menu) => menu !== undefined);
      return ok({ id: reports?.id }, 'Menu has been moved up.');
    }),
  );
  const item = (name: string) => screen.getByRole<HTMLButtonElement>('menuitem', { name });
  const upOf = (name: string) => item(`Move ${name} up within the top menus`);
  const downOf = (name: string) => item(`Move ${name} down within the top menus`);
  await user.click(more('Inventory'));
  expect([upOf('Inventory').disabled, downOf('Inventory').disabled]).toEqual([true, false]);
  await user.click(more('Settings'));
  expect([upOf('Settings').disabled, downOf('Settings').disabled]).toEqual([false, true]);
  await user.click(more('Reports'));
  await user.click(upOf('Reports'));
  await screen.findByText('Menu has been moved up.');
  await waitFor(() =>
    expect(screen.getAllByRole('button', { name: /^Edit/ }).map(({ title }) => title)).toEqual([
      'Edit Reports',
      'Edit Inventory',
      'Edit Settings',
    ]),
  );
});

test('an empty menu is deleted after a confirmation; a menu that contains others cannot be [§2.15]', async () => {
  const held = tree();
  const { user } = await renderPage(held);
  server.use(
    onRoute(permissionRoutes.delete, ({ request }) => {
      expect(new URL(request.url).searchParams.get('id')).toBe(held[2]?.id);
      menus = held.slice(0, 2);
      return ok({ id: held[2]?.id }, 'Success! Menu has been deleted.');
    }),
  );
  await user.click(more('Inventory'));
  expect(screen.getByRole<HTMLButtonElement>('menuitem', { name: 'Delete: 2 menus are inside' }).disabled).toBe(true);
  await user.click(more('Settings'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete Settings' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Menu' });
  await user.click(within(dialog).getByRole('button', { name: 'Delete menu' }));
  await screen.findByText('Success! Menu has been deleted.');
  await waitFor(() => expect(screen.queryByText('Settings')).toBeNull());
});

test('a refused deletion says why [§8]', async () => {
  const why = "There is 1 menu inside 'Settings'. Move or delete what is inside first.";
  server.use(onRoute(permissionRoutes.delete, () => failed(409, why)));
  const { user } = await renderPage();
  await user.click(more('Settings'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Delete menu' }));
  expect((await screen.findByRole('alert')).textContent).toContain(why);
});

test('menus that are refused are not shown any more [DECISIONS §5]', async () => {
  await renderPage();
  server.use(onRoute(menuRoutes.tree, () => failed(403, "You need the permission 'menus.read'.")));
  fireEvent.focus(window);
  await waitFor(() => expect(screen.getAllByText("You need the permission 'menus.read'.")).toHaveLength(2));
  expect(screen.queryByText('Inventory')).toBeNull();
});
