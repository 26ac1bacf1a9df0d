import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { LayoutContext, PLAIN_LAYOUT } from '../../components/data-table/list-layout.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { keepSavedFiles } from '../../testing/saved-files.ts';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { failureNotice, findRow, shownNames, sortOf, textsOf } from '../../testing/table.ts';
import { makeOwnUser, makeUser } from '../../testing/users.ts';
import { UsersTable } from './users-table.tsx';

const ada = makeOwnUser();
const tomas = makeUser({
  userName: '',
  email: 'tomas@harbor.test',
  fName: 'Tomás',
  mi: 'J',
  lName: 'Herrera',
  isActive: false,
  hasPassword: false,
});

const { asked, answer: listOf } = keepQueries(userRoutes.list);

mockServer(listOf([ada, tomas]));

const onOpen = vi.fn();
const renderTable = (route = '/users') => {
  asked.length = 0;
  return renderWithStore(<UsersTable onOpen={onOpen} />, { route });
};
const filterField = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter users' });

test("the columns show a user's data and whether the user can sign in [§2.11]", async () => {
  renderTable();
  const row = await findRow('Tomás');
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '',
    'Username',
    'Name',
    'Email',
    'Role',
    'Status',
    'Actions',
  ]);
  expect(textsOf(row)).toEqual([
    'No user name',
    'Tomás J Herrera',
    'tomas@harbor.test',
    'Viewer',
    'InactiveNo password',
  ]);
  expect(textsOf(await findRow('Byron'))).toEqual(['ada', 'Ada Byron', 'ada@apotheca.test', 'Administrator', 'Active']);
  screen.getByText('Displaying 2 of 2 results');
});

test('the check box of a row says whose it is, without a user name and wherever the columns stand [§2.25]', async () => {
  const order = ['role', 'userName', 'name', 'email', 'status'];
  const keeper = { layouts: { users: { ...PLAIN_LAYOUT, order } }, keep: () => {} };
  renderWithStore(
    <LayoutContext value={keeper}>
      <UsersTable onOpen={onOpen} />
    </LayoutContext>,
  );
  await screen.findByRole('checkbox', { name: 'Select ada' });
  screen.getByRole('checkbox', { name: 'Select tomas@harbor.test' });
});

test('the list is sorted by user name ascending; a second click reverses the order [§2.11, §4]', async () => {
  const { user, router } = renderTable();
  await findRow('Byron');
  expect(asked).toEqual([{ sortColumn: 'userName', sortDirection: 'asc' }]);
  expect(sortOf('Username')).toBe('ascending');
  await user.click(screen.getByRole('button', { name: 'Username' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn: 'userName', sortDirection: 'desc' }));
  expect(router.state.location.search).toBe('?sort=userName&dir=desc');
});

test.each([
  ['Name', 'fName'],
  ['Email', 'email'],
  ['Role', 'role'],
])('%s is sorted by %s, ascending at first [§2.11]', async (header, sortColumn) => {
  const { user } = renderTable();
  await user.click(await screen.findByRole('button', { name: header }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn, sortDirection: 'asc' }));
  expect(sortOf(header)).toBe('ascending');
  expect(sortOf('Username')).toBeNull();
});

test('sort and filter are read from the address, and invalid ones become the default [§2.11]', async () => {
  const first = renderTable('/users?sort=role&dir=desc&q=byron');
  await findRow('Byron');
  expect(asked).toEqual([{ sortColumn: 'role', sortDirection: 'desc' }]);
  expect(shownNames()).toEqual(['ada']);
  expect(filterField().value).toBe('byron');
  first.unmount();

  renderTable('/users?sort=password&dir=up');
  await findRow('Byron');
  expect(asked).toEqual([{ sortColumn: 'userName', sortDirection: 'asc' }]);
});

test.each([
  ['name', 'tomas herr'],
  ['e-mail', 'harbor.test'],
  ['role', 'viewer'],
])('the text filter finds the %s and the footer counts the shown rows [§2.11]', async (_field, text) => {
  const { router } = renderTable();
  await findRow('Byron');
  fireEvent.change(filterField(), { target: { value: text } });
  await screen.findByText('Displaying 1 of 2 results');
  expect(shownNames()).toEqual(['No user name']);
  await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('q')).toBe(text));
  expect(asked).toHaveLength(1);
});

test('the status filters users, with counts, in the address, and those without a password apart [§2.6] [§2.11]', async () => {
  server.use(listOf([ada, tomas, makeUser({ userName: 'cora' }), makeUser({ userName: 'dora', isActive: false })]));
  const { user, router } = renderTable();
  await findRow('Byron');
  await user.click(screen.getByRole('button', { name: 'Filter by Status: any' }));
  expect(
    screen.getAllByRole('checkbox', { name: /ctive/ }).map(({ parentElement }) => parentElement?.textContent),
  ).toEqual(['Active (2)', 'Active, No password (0)', 'Inactive (1)', 'Inactive, No password (1)']);
  await user.click(screen.getByRole('checkbox', { name: 'Inactive (1)' }));
  expect(shownNames()).toEqual(['dora']);
  screen.getByRole('button', { name: 'Filter by Status: Inactive' });
  await user.click(screen.getByRole('checkbox', { name: 'Inactive, No password (1)' }));
  expect(new Set(shownNames())).toEqual(new Set(['No user name', 'dora']));
  expect(router.state.location.search).toBe('?status=inactive&status=inactive-no-password');
});

test('the status is read from the address, and nonsense there counts as none [§2.6] [§2.11]', async () => {
  const first = renderTable('/users?status=active');
  await findRow('Byron');
  expect(shownNames()).toEqual(['ada']);
  screen.getByText('Displaying 1 of 2 results');
  first.unmount();
  renderTable('/users?status=asleep');
  await findRow('Byron');
  expect(shownNames()).toEqual(['ada', 'No user name']);
});

test('a status that no user has now leaves none, as a view may have been saved with it [§2.11] [§2.26]', async () => {
  server.use(listOf([ada]));
  renderTable('/users?status=inactive');
  await screen.findByText('No users match');
  screen.getByText('Displaying 0 of 1 results');
  screen.getByRole('button', { name: 'Filter by Status: Inactive' });
});

test('a filter without matches says so and can be cleared [§2.11]', async () => {
  const { user } = renderTable('/users?sort=email&dir=desc&q=nobody');
  await screen.findByText('No users match');
  screen.getByText('Displaying 0 of 2 results');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await findRow('Byron');
  expect(filterField().value).toBe('');
  expect(sortOf('Email')).toBe('descending');
});

test('an empty list offers to create a user [§2.11]', async () => {
  server.use(listOf([]));
  const { user } = renderTable();
  await screen.findByText('No users yet');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(onOpen).toHaveBeenCalledWith({ kind: 'create' });
});

test('a failed load says why and can be retried [§2.11, §8]', async () => {
  server.use(onRoute(userRoutes.list, () => failed(403, 'You need the permission users.read.')));
  const { user } = renderTable();
  await waitFor(() => expect(failureNotice()).toBe('You need the permission users.read.Retry'));
  expect(screen.queryByText('No users yet')).toBeNull();
  server.use(listOf([ada]));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findRow('Byron');
  expect(failureNotice()).toBeUndefined();
});

test('a failed sort keeps the old mark, and a second click retries [§2.11, §4]', async () => {
  const { user } = renderTable();
  await findRow('Byron');
  server.use(onRoute(userRoutes.list, () => failed(503, 'Away.')));
  await user.click(screen.getByRole('button', { name: 'Email' }));
  await waitFor(() => expect(failureNotice()).toBe('Away.Retry'));
  expect([sortOf('Username'), sortOf('Email')]).toEqual(['ascending', null]);
  server.use(listOf([tomas, ada]));
  await user.click(screen.getByRole('button', { name: 'Email' }));
  await waitFor(() => expect(shownNames()).toEqual(['No user name', 'ada']));
  expect([sortOf('Username'), sortOf('Email')]).toEqual([null, 'ascending']);
});

/** Answers the next calls for the list only when it is let go. */
function holdBack(rows: readonly unknown[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = async () => {
    await promise;
    return ok(rows);
  };
  server.use(onRoute(userRoutes.list, answer, { once: true }));
  return resolve;
}

test('rows that are here are sorted at once, whatever their case, and then as the server has them [§2.11, §4]', async () => {
  const named = (userName: string) => makeUser({ userName, email: `${userName}@apotheca.test` });
  const [anna, Bert, cora] = [named('anna'), named('Bert'), named('cora')];
  server.use(listOf([anna, Bert, cora]));
  const { user } = renderTable();
  await findRow('anna');
  const letGo = holdBack([cora, anna, Bert]);
  await user.click(screen.getByRole('button', { name: 'Username' }));
  expect(shownNames()).toEqual(['cora', 'Bert', 'anna']);
  expect(sortOf('Username')).toBe('descending');
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  letGo();
  await waitFor(() => expect(shownNames()).toEqual(['cora', 'anna', 'Bert']));
});

test('an order that was loaded before shows none of its older rows again [§2.11]', async () => {
  const { user } = renderTable();
  await findRow('Byron');
  await user.click(screen.getByRole('button', { name: 'Email' }));
  await waitFor(() => expect(asked).toHaveLength(2));
  // While the list loads, the button takes no click.
  await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false'));
  server.use(listOf([tomas]));
  await user.click(screen.getByRole('button', { name: 'Refresh the list' }));
  await waitFor(() => expect(shownNames()).toEqual(['No user name']));
  const letGo = holdBack([tomas]);
  await user.click(screen.getByRole('button', { name: 'Username' }));
  expect(shownNames()).toEqual(['No user name']);
  letGo();
});

test('the list is there at once when its screen is opened again, and is loaded anew [§2.11, §9]', async () => {
  const first = renderTable();
  await findRow('Byron');
  first.unmount();
  const letGo = holdBack([ada]);
  renderWithStore(<UsersTable onOpen={onOpen} />, { route: '/users', store: first.store });
  expect(shownNames()).toEqual(['ada', 'No user name']);
  letGo();
  await waitFor(() => expect(shownNames()).toEqual(['ada']));
});

test('a list that the user may not read any more is shown no longer [§6]', async () => {
  const { user } = renderTable();
  await findRow('Byron');
  server.use(onRoute(userRoutes.list, () => failed(403, 'You need the permission users.read.')));
  await user.click(screen.getByRole('button', { name: 'Refresh the list' }));
  await waitFor(() => expect(failureNotice()).toBe('You need the permission users.read.Retry'));
  expect(screen.queryAllByRole('rowheader')).toEqual([]);
});

test('every key filters at once [§2.11]', async () => {
  renderTable();
  await findRow('Byron');
  fireEvent.change(filterField(), { target: { value: 'tomas' } });
  expect(shownNames()).toEqual(['No user name']);
});

test('while the list loads the table is marked as busy [§2.11]', async () => {
  server.use(onRoute(userRoutes.list, () => new Promise<HttpResponse<null>>(() => {})));
  renderTable();
  const table = await screen.findByRole('table', { name: 'Users' });
  expect(table.getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText('No users yet')).toBeNull();
});

test('the shown rows are saved as CSV [§2.11]', async () => {
  const saved = keepSavedFiles();
  const { user } = renderTable('/users?q=herrera');
  await findRow('Herrera');
  await user.click(screen.getByRole('button', { name: 'Download the shown users as CSV' }));
  expect(((await saved[0]?.content.text()) ?? '').split('\r\n')).toEqual([
    'Username,Name,Email,Role,Status',
    ',Tomás J Herrera,tomas@harbor.test,Viewer,"Inactive, No password"',
    '',
  ]);
});

test('the signed-in user can be neither deactivated nor deleted, and the menu says so [DECISIONS §5]', async () => {
  const { user } = renderTable();
  await findRow('Byron');
  await user.click(screen.getByRole('button', { name: 'More actions for ada' }));
  const items = screen
    .getAllByRole<HTMLButtonElement>('menuitem')
    .map(({ textContent, disabled }) => [textContent, disabled]);
  expect(items).toEqual([
    ['Deactivate: this is your own record', true],
    ['Duplicate ada', false],
    ['API keys of ada', false],
    ['History of ada', false],
    ['Delete: this is your own record', true],
  ]);
});

test('a user without a user name is shown by the e-mail address [§5]', async () => {
  const { user } = renderTable();
  await findRow('Herrera');
  screen.getByRole('button', { name: 'Edit tomas@harbor.test' });
  await user.click(screen.getByRole('button', { name: 'More actions for tomas@harbor.test' }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Activate tomas@harbor.test',
    'Duplicate tomas@harbor.test',
    'API keys of tomas@harbor.test',
    'History of tomas@harbor.test',
    'Delete tomas@harbor.test',
  ]);
});
