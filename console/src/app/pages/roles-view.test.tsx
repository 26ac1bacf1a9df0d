import { accountRoutes } from '@apotheca/contract/account';
import { menuRoutes } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { type Role, roleRoutes } from '@apotheca/contract/roles';
import { roleFactorRoutes } from '@apotheca/contract/second-factors';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { RightsProvider } from '../../rights/rights.tsx';
import { field, fill, optionsOf } from '../../testing/fields.ts';
import { AVAILABLE_IDS, makeMenu, makePermission } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { makeRole } from '../../testing/roles.ts';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { findRow, shownNames, textsOf } from '../../testing/table.ts';
import { MenusPage } from './menus-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';

const view = makePermission({ name: 'View stock', identifier: 'stock.view', module: 'Inventory' });
const count = makePermission({ name: 'Count stock', identifier: 'stock.count', module: 'Inventory' });
const bill = makePermission({ name: 'Send bills', identifier: 'bills.send', module: 'Rx' });
const all = [view, count, bill].map(({ id }) => id);

const administrator = makeRole({ roleName: 'Administrator', isBuiltIn: true, users: 1, permissionIds: all });
const viewer = makeRole({ roleName: 'Viewer', isBuiltIn: true, users: 2, permissionIds: [view.id] });
const clerks = makeRole({ roleName: 'Clerks', users: 3, permissionIds: [view.id, bill.id], version: 4 });

/** The data of the mocked server. */
let roles: Role[] = [];

mockServer(
  onRoute(roleRoutes.list, () => ok(roles)),
  onRoute(permissionRoutes.list, () => ok({ permissions: [view, count, bill] })),
  onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)),
  onRoute(menuRoutes.tree, () => ok([makeMenu('Reports')])),
);

function renderRoles(held: Role[] = [administrator, clerks, viewer]) {
  roles = held;
  return renderWithStore(<PermissionsPage />, { route: '/permission?view=roles' });
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const box = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const group = (name: string) => within(screen.getByRole('group', { name }));
const list = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const sent = () => ({ updatedBy: signedIn().id });

/** Opens an entry of a role's menu. */
async function choose(user: ReturnType<typeof renderRoles>['user'], role: string, action: string) {
  await findRow(role);
  await user.click(button(`More actions for ${role}`));
  await user.click(screen.getByRole('menuitem', { name: action }));
}
async function openMatrix(user: ReturnType<typeof renderRoles>['user'], role: string) {
  await findRow(role);
  await user.click(button(`Permissions of ${role}`));
  await screen.findByText(/ chosen$/);
}

test('the list of permissions is the first view, and roles are the second one [DECISIONS §13]', async () => {
  roles = [administrator];
  const { user, router } = renderWithStore(<PermissionsPage />, { route: '/permission' });
  await findRow('View stock');
  expect(screen.getByRole('link', { name: 'Permissions' }).getAttribute('aria-current')).toBe('page');
  await user.click(screen.getByRole('link', { name: 'Roles' }));
  await findRow('Administrator');
  expect(screen.queryByText('View stock')).toBeNull();
  expect(router.state.location.search).toBe('?view=roles');
  expect(screen.getByRole('link', { name: 'Roles' }).getAttribute('aria-current')).toBe('page');
});

test('a role shows its kind, its people and its permissions, and can be found [DECISIONS §13]', async () => {
  const { user } = renderRoles();
  expect(textsOf(await findRow('Clerks'))).toEqual(['Clerks', 'Own', 'By choice', '3', '2']);
  expect(textsOf(await findRow('Administrator'))).toEqual(['Administrator', 'Built in', 'By choice', '1', '3']);
  await user.type(screen.getByRole('searchbox', { name: 'Filter roles' }), 'view');
  await waitFor(() => expect(shownNames()).toEqual(['Viewer']));
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(roleRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderRoles();
  await waitFor(() => expect(screen.getAllByText('The database cannot be reached.')).toHaveLength(2));
  server.use(onRoute(roleRoutes.list, () => ok([viewer])));
  await user.click(button('Retry'));
  await findRow('Viewer');
});

test('a seeded role is neither renamed nor deleted [DECISIONS §13]', async () => {
  const { user } = renderRoles();
  await findRow('Viewer');
  await user.click(button('More actions for Viewer'));
  const item = (name: string) => screen.getByRole<HTMLButtonElement>('menuitem', { name });
  expect(item('Rename: built in').disabled).toBe(true);
  expect(item('Delete: built in').disabled).toBe(true);
  expect(item('Copy Viewer').disabled).toBe(false);
});

test('a role is created, and the list shows it [DECISIONS §13]', async () => {
  const { user } = renderRoles([administrator]);
  await findRow('Administrator');
  const made = makeRole({ roleName: 'Night shift' });
  server.use(
    onRoute(roleRoutes.create, async ({ request }) => {
      expect(await request.json()).toEqual({ roleName: 'Night shift', copyOf: null, createdBy: signedIn().id });
      roles = [administrator, made];
      return ok({ id: made.id }, 'Success! Role has been Created.');
    }),
  );
  await user.click(button('Create Role'));
  await screen.findByRole('dialog', { name: 'Create Role' });
  await user.click(button('Create'));
  await screen.findByText('Role Name is Required');
  fill('Role Name', 'Night shift');
  await user.click(button('Create'));
  await screen.findByText('Success! Role has been Created.');
  await findRow('Night shift');
});

test('a name that is used is refused at its field [DECISIONS §13]', async () => {
  const message = 'A role with this name exists already.';
  server.use(onRoute(roleRoutes.create, () => failed(409, message, { roleName: [message] })));
  const { user } = renderRoles();
  await findRow('Clerks');
  await user.click(button('Create Role'));
  await screen.findByRole('dialog', { name: 'Create Role' });
  fill('Role Name', 'CLERKS');
  await user.click(button('Create'));
  await waitFor(() => expect(field('Role Name').getAttribute('aria-invalid')).toBe('true'));
  expect(field('Role Name').value).toBe('CLERKS');
});

test('a copy starts with the role that it was opened for [DECISIONS §13]', async () => {
  const bodies = keepBodies(roleRoutes.create, 'Created.');
  const { user } = renderRoles();
  await choose(user, 'Clerks', 'Copy Clerks');
  await screen.findByRole('dialog', { name: 'Copy Role' });
  expect(field('Same permissions as').value).toBe(clerks.id);
  fill('Role Name', 'Clerks 2');
  await user.click(button('Create'));
  await screen.findByText('Created.');
  expect(bodies).toEqual([{ roleName: 'Clerks 2', copyOf: clerks.id, createdBy: signedIn().id }]);
});

test("another user's new name is shown before it is overwritten [DECISIONS §13]", async () => {
  const { user } = renderRoles();
  await choose(user, 'Clerks', 'Rename Clerks');
  server.use(
    onRoute(
      roleRoutes.edit,
      () => refusedAsStale({ version: 5, changes: [changedByBob('roleName', 'Clerks', 'Scribes')] }),
      { once: true },
    ),
  );
  fill('Role Name', 'Typists');
  await user.click(button('Rename Clerks'));
  await screen.findByText(/Clerks.*Scribes/);
  const bodies = keepBodies(roleRoutes.edit, 'Renamed.');
  await user.click(button('Rename Clerks'));
  await screen.findByText('Renamed.');
  expect(bodies).toEqual([{ roleName: 'Typists', id: clerks.id, version: 5, ...sent() }]);
});

test('a role is deleted once it is said which role its people get, and what that changes [DECISIONS §13]', async () => {
  const queries: unknown[] = [];
  server.use(
    onRoute(roleRoutes.delete, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      roles = [administrator, viewer];
      return ok({ id: clerks.id, moved: 3 }, 'Success! Role has been deleted.');
    }),
  );
  const { user } = renderRoles();
  await choose(user, 'Clerks', 'Delete Clerks');
  await screen.findByText(/^3 people have it\./);
  expect(optionsOf('Role that its people get')).toEqual(['Please pick..', 'Administrator', 'Viewer']);
  expect(button('Delete role').disabled).toBe(true);
  await user.selectOptions(field('Role that its people get'), 'Viewer');
  await waitFor(() => expect(list('Each loses (1)')).toEqual(['Send bills']));
  screen.getByText('Each gains (0)');
  await user.click(button('Delete role'));
  await screen.findByText('Success! Role has been deleted.');
  expect(queries).toEqual([{ id: clerks.id, moveTo: viewer.id, deletedBy: signedIn().id }]);
  await waitFor(() => expect(screen.queryByRole('row', { name: /Clerks/ })).toBeNull());
});

test('what the people of a deleted role lose is what the role has by now [DECISIONS §13]', async () => {
  const { user } = renderRoles();
  await choose(user, 'Clerks', 'Delete Clerks');
  await screen.findByText(/^3 people have it\./);
  await user.selectOptions(field('Role that its people get'), 'Viewer');
  await waitFor(() => expect(list('Each loses (1)')).toEqual(['Send bills']));
  // Somebody else takes one permission away from it, and gives it another one.
  roles = [administrator, { ...clerks, permissionIds: [view.id, count.id] }, viewer];
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(list('Each loses (1)')).toEqual(['Count stock']));
});

test('permissions stand by module in groups of boxes; one box ticks a module, and the search narrows [DECISIONS §13]', async () => {
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  screen.getByText('2 of 3 chosen');
  expect(group('Inventory').getAllByRole('checkbox')).toHaveLength(3);
  expect(box('All (1 of 2)').indeterminate).toBe(true);
  await user.click(box('All (1 of 2)'));
  screen.getByText('3 of 3 chosen');
  expect(box('Count stock stock.count').checked).toBe(true);
  await user.click(group('Inventory').getByRole('checkbox', { name: /^All/ }));
  screen.getByText('1 of 3 chosen');
  await user.type(screen.getByRole('searchbox', { name: 'Filter permissions of this role' }), 'COUNT');
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Rx' })).toBeNull());
  await user.click(box('All (0 of 1)'));
  screen.getByText('2 of 3 chosen');
});

test('by keyboard a box is ticked by the space bar [DECISIONS §13]', async () => {
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  screen.getByRole('searchbox', { name: 'Filter permissions of this role' }).focus();
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(box(/^View stock/));
  await user.keyboard(' ');
  screen.getByText('1 of 3 chosen');
});

const plan = { roleName: 'Clerks', added: ['stock.count'], removed: ['bills.send'], digest: 'digest-1' };
const people = [
  { id: 'a', userName: 'ada' },
  { id: 'b', userName: 'bob' },
];

test('before it is saved it says what changes and for whom; the digest of that is sent [DECISIONS §13]', async () => {
  const asked = keepBodiesOf(() => ({ ...plan, users: people }));
  const bodies = keepBodies(roleRoutes.editPermissions, 'Role Clerks changed.');
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  expect(button('Review changes').disabled).toBe(true);
  await user.click(box(/^Count stock/));
  await user.click(box(/^Send bills/));
  await user.click(button('Review changes'));
  await screen.findByText(/^2 people have this role\./);
  expect(list('Each gains (1)')).toEqual(['Count stock']);
  expect(list('Each loses (1)')).toEqual(['Send bills']);
  expect(list('People with this role (2)')).toEqual(['ada', 'bob']);
  const edit = { roleId: clerks.id, permissionIds: [view.id, count.id] };
  expect(asked).toEqual([edit]);
  await user.click(button('Back to the permissions'));
  expect(box(/^Count stock/).checked).toBe(true);
  expect(document.activeElement).toBe(button('Review changes'));
  await user.click(button('Review changes'));
  await screen.findByText(/^2 people have this role\./);
  await user.click(button('Save changes'));
  await screen.findByText('Role Clerks changed.');
  expect(bodies).toEqual([{ ...edit, plan: 'digest-1', ...sent() }]);
});

test('a plan that has changed meanwhile is shown anew before it can be saved [DECISIONS §13]', async () => {
  let users = people.slice(0, 1);
  keepBodiesOf(() => ({ ...plan, users, digest: `digest-${users.length}` }));
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  await user.click(box(/^Count stock/));
  await user.click(button('Review changes'));
  await screen.findByText(/^1 person has this role\./);
  users = people;
  const message = 'Role Clerks has changed since it was looked at: please check again.';
  server.use(
    onRoute(roleRoutes.editPermissions, () =>
      HttpResponse.json({ status: 409, success: false, message, title: 'Plan changed' }, { status: 409 }),
    ),
  );
  await user.click(button('Save changes'));
  await screen.findByText(/^2 people have this role\./);
  expect(screen.getAllByText(message)).not.toHaveLength(0);
  const bodies = keepBodies(roleRoutes.editPermissions, 'Role Clerks changed.');
  await user.click(button('Save changes'));
  await screen.findByText('Role Clerks changed.');
  expect(bodies).toMatchObject([{ plan: 'digest-2' }]);
});

test('what somebody else gives the role meanwhile is kept, and said [DECISIONS §13]', async () => {
  const asked = keepBodiesOf(() => ({ ...plan, users: people }));
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  await user.click(box(/^Send bills/));
  expect(screen.queryByText('Somebody else has changed this role meanwhile')).toBeNull();
  // Given by somebody else: the list is not looked at again by itself.
  roles = [administrator, { ...clerks, permissionIds: all }, viewer];
  await user.click(button('Review changes'));
  await screen.findByText(/^2 people have this role\./);
  screen.getByText('Given: Count stock');
  expect(asked).toEqual([{ roleId: clerks.id, permissionIds: [view.id, count.id] }]);
  await user.click(button('Back to the permissions'));
  expect(box(/^Count stock/).checked).toBe(true);
  expect(box(/^Send bills/).checked).toBe(false);
});

test('a change after the review is kept too: the plan is made anew with it [DECISIONS §13]', async () => {
  const asked = keepBodiesOf(() => ({ ...plan, users: people }));
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  await user.click(box(/^Count stock/));
  await user.click(button('Review changes'));
  await screen.findByText(/^2 people have this role\./);
  roles = [administrator, { ...clerks, permissionIds: [bill.id] }, viewer];
  const message = 'Role Clerks has changed since it was looked at: please check again.';
  server.use(
    onRoute(roleRoutes.editPermissions, () =>
      HttpResponse.json({ status: 409, success: false, message, title: 'Plan changed' }, { status: 409 }),
    ),
  );
  await user.click(button('Save changes'));
  await screen.findByText('Taken away: View stock');
  await waitFor(() => expect(button('Save changes').disabled).toBe(false));
  expect(asked.at(-1)).toEqual({ roleId: clerks.id, permissionIds: [bill.id, count.id] });
});

test('nothing can be saved while it is not known what the role has now [§8]', async () => {
  keepBodiesOf(() => ({ ...plan, users: people }));
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  await user.click(box(/^Count stock/));
  const message = 'The database cannot be reached.';
  server.use(onRoute(roleRoutes.list, () => failed(503, message), { once: true }));
  await user.click(button('Review changes'));
  await user.click(await within(screen.getByRole('dialog')).findByRole('button', { name: 'Retry' }));
  await screen.findByText(/^2 people have this role\./);
});

test('who may not change a role reads why before a box could be ticked, and can search its permissions [DECISIONS §5]', async () => {
  roles = [administrator, clerks];
  const rights = { permissions: ['permissions.read'], grantedBy: ['Administrator'] };
  server.use(onRoute(accountRoutes.rights, () => ok(rights)));
  const { user } = renderWithStore(
    <RightsProvider>
      <PermissionsPage />
    </RightsProvider>,
    { route: '/permission?view=roles' },
  );
  await openMatrix(user, 'Clerks');
  const dialog = within(screen.getByRole('dialog'));
  const why = await dialog.findByText(/^Your role lacks the permission/);
  expect(button('Review changes').dataset.refusal).toBe(why.textContent);
  expect(box(/^Count stock/).matches(':disabled')).toBe(true);
  await user.type(dialog.getByRole('searchbox'), 'bills');
  await waitFor(() => expect(dialog.queryByRole('group', { name: 'Inventory' })).toBeNull());
});

test('who may not change it is told which permission is missing, and loses nothing that was ticked [§6]', async () => {
  keepBodiesOf(() => ({ ...plan, users: [] }));
  const message = "You do not have the permission 'permissions.write'.";
  server.use(onRoute(roleRoutes.editPermissions, () => failed(403, message)));
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  await user.click(box(/^Count stock/));
  await user.click(button('Review changes'));
  await screen.findByText('Nobody has this role now.');
  await user.click(button('Save changes'));
  await waitFor(() => expect(screen.getAllByText(message)).toHaveLength(2));
  await user.click(button('Back to the permissions'));
  expect(box(/^Count stock/).checked).toBe(true);
});

test('ticked boxes are not lost without a question [DECISIONS §13]', async () => {
  const { user } = renderRoles();
  await openMatrix(user, 'Clerks');
  await user.click(box(/^Count stock/));
  await user.keyboard('{Escape}');
  await screen.findByText('Keep editing');
});

test('the Administrator has everything, and nothing of it can be taken [DECISIONS §5]', async () => {
  const { user } = renderRoles();
  await openMatrix(user, 'Administrator');
  screen.getByText('The Administrator has every permission, always.');
  expect(
    screen.getAllByRole<HTMLInputElement>('checkbox').every((one) => one.checked && one.matches(':disabled')),
  ).toBe(true);
  expect(within(screen.getByRole('dialog')).queryByRole('button', { name: 'Review changes' })).toBeNull();
  const [, close] = within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' });
  await user.click(close ?? document.body);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each(['permission', 'menu'])('a new %s goes to the roles that are ticked [DECISIONS §13]', async (kind) => {
  roles = [administrator, clerks, viewer];
  const bodies = keepBodies(permissionRoutes.create, 'Created.');
  const { user } = renderWithStore(kind === 'menu' ? <MenusPage /> : <PermissionsPage />, { route: '/permission' });
  const open = kind === 'menu' ? 'Create' : 'Create Permission';
  const name = kind === 'menu' ? 'Menu Name' : 'Permission Name';
  await user.click((await screen.findAllByRole('button', { name: open }))[0] ?? document.body);
  await screen.findByLabelText(name);
  fill(name, 'Weighing');
  if (kind === 'menu') fill('Menu Icon', 'circle');
  else await user.selectOptions(field('Permission Module'), 'Inventory');
  await user.click(button('Give it to roles'));
  await screen.findByRole('group', { name: 'Roles that get it, besides Administrator' });
  expect(screen.queryByRole('checkbox', { name: 'Administrator' })).toBeNull();
  await user.click(box('Viewer'));
  await user.click(box('Clerks'));
  await user.click(box('Viewer'));
  // Closed and opened again, it has the same ticks.
  await user.click(button('Give it to roles (1 chosen)'));
  await user.click(button('Give it to roles (1 chosen)'));
  expect([
    (await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Clerks' })).checked,
    box('Viewer').checked,
  ]).toEqual([true, false]);
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await screen.findByText('Created.');
  expect(bodies).toMatchObject([{ name: 'Weighing', roleIds: [clerks.id] }]);
});

test.each([
  [false, 'Require a second factor of Clerks', 'Require second factor', 'By choice'],
  [true, 'Require no second factor of Clerks', 'Require no second factor', 'Needed'],
])(
  'whether a role needs a second factor (%s) is shown, and changed after a question [DECISIONS §13]',
  async (requiresSecondFactor, action, confirm, shown) => {
    const bodies = keepBodies(roleFactorRoutes.setRequired, 'Changed.');
    const without = [{ id: '1', userName: 'grace' }];
    server.use(onRoute(roleFactorRoutes.planRequired, () => ok({ without, sessions: 2 })));
    const { user } = renderRoles([{ ...clerks, requiresSecondFactor }]);
    expect(textsOf(await findRow('Clerks'))).toContain(shown);
    await choose(user, 'Clerks', action);
    expect(bodies).toEqual([]);
    const answer = await screen.findByRole('button', { name: confirm });
    if (!requiresSecondFactor) {
      await screen.findByText('2 sessions end, as no second factor was proved in them.');
      expect(list('1 person has none yet')).toEqual(['grace']);
    }
    // Nothing is destroyed.
    expect(answer.className).toContain('btn-primary');
    await user.click(answer);
    await screen.findByText('Changed.');
    expect(bodies).toMatchObject([{ id: clerks.id, required: !requiresSecondFactor }]);
  },
);

/** Answers the plan of a change. @returns the bodies of the calls */
function keepBodiesOf(planOf: () => object): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    onRoute(roleRoutes.planPermissions, async ({ request }) => {
      bodies.push(await request.json());
      return ok(planOf());
    }),
  );
  return bodies;
}
