import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { authRoutes } from '@apotheca/contract/auth';
import { type User, userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { makeApiKey } from '../../testing/api-keys.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { makeUser, ROLE_IDS, USER_OPTIONS } from '../../testing/users.ts';
import { UsersPage } from './users-page.tsx';

/** The data of the mocked server. */
let users: User[] = [];
let loads = 0;

mockServer(
  onRoute(userRoutes.list, () => {
    loads += 1;
    return ok(users);
  }),
  onRoute(userRoutes.options, () => ok(USER_OPTIONS)),
);

async function renderPage(fields: Partial<User> = {}) {
  loads = 0;
  const grace = makeUser({ userName: 'grace', email: 'grace@apotheca.test', ...fields });
  users = [grace];
  const view = renderWithStore(<UsersPage />, { route: '/users' });
  await screen.findByRole('row', { name: /grace/ });
  return { ...view, grace };
}
const DEACTIVATED = 'User profile has been deactivated successfully';

type Person = Awaited<ReturnType<typeof renderPage>>['user'];

/** Chooses an entry of the row's menu. */
async function choose(user: Person, item: string) {
  await user.click(screen.getByRole('button', { name: 'More actions for grace' }));
  await user.click(screen.getByRole('menuitem', { name: `${item} grace` }));
}

/** Answers a changing call after changing the data, and records its queries. */
function answer(route: Parameters<typeof onRoute>[0], change: () => void) {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(route, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      change();
      return ok({ id: users[0]?.id ?? '' });
    }),
  );
  return queries;
}

test('the page has a heading, a link home and a button to create a user [§2.11]', async () => {
  await renderPage();
  screen.getByRole('heading', { level: 1, name: 'Users' });
  expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
  expect(document.title).toContain('Users');
});

test.each([
  ['Create', 'Create User'],
  ['View grace', 'View User'],
  ['Edit grace', 'Edit User'],
])('%s opens %s, and closing it gives the focus back [§2.11]', async (button, title) => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog', { name: title });
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] ?? dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: button }));
});

test("the sessions of a row's user are shown [DECISIONS §4]", async () => {
  const { user, grace } = await renderPage();
  const asked: (string | null)[] = [];
  server.use(
    onRoute(authRoutes.listUserSessions, ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('userId'));
      return ok([]);
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Sessions of grace' }));
  within(await screen.findByRole('dialog', { name: 'Open sessions' })).getByText('grace');
  await waitFor(() => expect(asked).toEqual([grace.id]));
});

test('an active user is deactivated in the name of the signed-in user, and the list is loaded again [§4, §8]', async () => {
  const { user, grace } = await renderPage();
  const queries = answer(userRoutes.deactivate, () => {
    users = [{ ...grace, isActive: false }];
  });
  await choose(user, 'Deactivate');
  await screen.findByText(DEACTIVATED);
  // Undo activates the user, but brings no key back: whoever is to choose must know.
  await screen.findByText('API keys of this user, if there were any, have ended for good.');
  expect(queries).toEqual([{ id: grace.id, updatedBy: signedIn().id }]);
  await within(screen.getByRole('table')).findByText('Inactive');
});

test('an inactive user is activated [§4, §8]', async () => {
  const { user, grace } = await renderPage({ isActive: false });
  const queries = answer(userRoutes.activate, () => {
    users = [{ ...grace, isActive: true }];
  });
  await choose(user, 'Activate');
  await screen.findByText('User profile has been activated successfully');
  expect(queries).toEqual([{ id: grace.id, updatedBy: signedIn().id }]);
  await waitFor(() => expect(within(screen.getByRole('table')).queryByText('Inactive')).toBeNull());
});

test('a refused toggle says why and changes nothing [§8]', async () => {
  const message = 'At least one active administrator with a password must stay.';
  server.use(onRoute(userRoutes.deactivate, () => failed(409, message)));
  const { user } = await renderPage();
  await choose(user, 'Deactivate');
  await screen.findByText(message);
  expect(loads).toBe(1);
});

test('a second click during a deactivation does nothing [§4]', async () => {
  const { user, grace } = await renderPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  server.use(
    onRoute(userRoutes.deactivate, async () => {
      calls += 1;
      await promise;
      return ok({ id: grace.id });
    }),
  );
  await choose(user, 'Deactivate');
  await waitFor(() => expect(calls).toBe(1));
  await choose(user, 'Deactivate');
  resolve();
  await screen.findByText(DEACTIVATED);
  expect(calls).toBe(1);
});

test('a created user is in the list afterwards [§4]', async () => {
  const { user } = await renderPage();
  answer(userRoutes.create, () => {
    users = [...users, makeUser({ userName: 'ines', hasPassword: true })];
  });
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await findField('User Name');
  const values = {
    'User Name': 'ines',
    Password: 'correct horse',
    'Confirm Password': 'correct horse',
    'First Name': 'Ines',
    'Last Name': 'Moreau',
    Credentials: 'MD',
    'Clinical Role': 'physician',
    'Access Role': ROLE_IDS.viewer,
  };
  for (const [label, value] of Object.entries(values)) fill(label, value);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create' }));
  await screen.findByText('Success! User profile has been Created.');
  await screen.findByText('Displaying 2 of 2 results');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a duplicated user is in the list afterwards, without a password [§4]', async () => {
  const { user } = await renderPage();
  answer(userRoutes.duplicate, () => {
    users = [...users, makeUser({ userName: 'grace2', hasPassword: false })];
  });
  await choose(user, 'Duplicate');
  fill('User Name', 'grace2');
  fireEvent.click(screen.getByRole('button', { name: 'Duplicate grace' }));
  await screen.findByText('Success! User has been Duplicated.');
  await screen.findByText('No password');
});

test("another user's second factor is reset after asking; there is no such action without one [DECISIONS §13]", async () => {
  const without = await renderPage();
  await without.user.click(screen.getByRole('button', { name: 'More actions for grace' }));
  await screen.findByRole('menuitem', { name: 'Duplicate grace' });
  expect(screen.queryByRole('menuitem', { name: /^Reset second factor/ })).toBeNull();
  without.unmount();
  const { user, grace } = await renderPage({ hasSecondFactor: true });
  const queries = answer(userRoutes.resetFactors, () => {
    users = [{ ...grace, hasSecondFactor: false }];
  });
  await choose(user, 'Reset second factor of');
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset second factor' }));
  await user.click(dialog.getByRole('button', { name: 'Reset second factor' }));
  await waitFor(() => expect(queries).toEqual([{ id: grace.id }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('deleting asks for a confirmation and for a reason, which is not sent [§2.11, §8]', async () => {
  const { user, grace } = await renderPage();
  const queries = answer(userRoutes.delete, () => {
    users = [];
  });
  await choose(user, 'Delete');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete User' }));
  dialog.getByText(
    /^Grace B Hopper \(grace\) is signed out everywhere .* API keys of this person are refused .* cannot be undone\.$/,
  );
  dialog.getByRole('textbox', { name: 'Reason to delete', description: 'The reason is not stored.' });
  fill('Reason to delete', 'Has left');
  await user.click(dialog.getByRole('button', { name: 'Delete grace' }));
  await screen.findByText('User deleted successfully.');
  expect(queries).toEqual([{ id: grace.id, deletedBy: signedIn().id }]);
  await screen.findByText('No users yet');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refused deletion says why and keeps the dialog; Cancel deletes nothing [§8]', async () => {
  server.use(onRoute(userRoutes.delete, () => failed(403, 'You need the permission users.delete.')));
  const { user } = await renderPage();
  await choose(user, 'Delete');
  await user.click(screen.getByRole('button', { name: 'Delete grace' }));
  expect((await screen.findByRole('alert')).textContent).toContain('You need the permission users.delete.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(loads).toBe(1);
});

test('a user who was deleted meanwhile leaves the list at the next action on it [§4, §8]', async () => {
  server.use(
    onRoute(userRoutes.deactivate, () => {
      users = [];
      return failed(404, 'There is no such user.');
    }),
  );
  const { user } = await renderPage();
  await choose(user, 'Deactivate');
  await screen.findByText('There is no such user.');
  await screen.findByText('No users yet');
});

test('an edit overtaken by another user keeps the typed text and shows the change [DECISIONS §5]', async () => {
  const { user, grace } = await renderPage();
  const versions: unknown[] = [];
  server.use(
    onRoute(userRoutes.edit, async ({ request }) => {
      const { version } = userRoutes.edit.body.parse(await request.json());
      versions.push(version);
      if (version === 5) return ok({ id: grace.id });
      return refusedAsStale({
        version: 5,
        changes: [
          changedByBob('phone', grace.phone, '555'),
          changedByBob('notes', '', 'Day shift'),
          changedByBob('roleId', ROLE_IDS.viewer, ROLE_IDS.administrator),
          changedByBob('password', undefined, undefined),
        ],
      });
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Edit grace' }));
  await findField('Phone');
  fill('Phone', '777');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changed meanwhile: nothing is saved yet');
  screen.getByText(`Phone: ${grace.phone} → 555, by bob`);
  screen.getByText('Notes: (empty) → Day shift, by bob');
  screen.getByText('Access Role: Viewer → Administrator, by bob');
  screen.getByText('Password: changed, by bob');
  expect([field('Phone').value, field('Notes').value]).toEqual(['777', 'Day shift']);
  expect(field('Access Role').value).toBe(ROLE_IDS.administrator);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Success! User profile has been updated.');
  expect(versions).toEqual([3, 5]);
});

test('an edit that was done while its answer was lost is saved by Retry [DECISIONS §5]', async () => {
  const { user, grace } = await renderPage();
  const versions: unknown[] = [];
  const answers = [
    () => HttpResponse.error(),
    () =>
      refusedAsStale({
        version: 4,
        changes: [changedByBob('phone', grace.phone, '777'), changedByBob('noField', 1, 2)],
      }),
    () => ok({ id: grace.id }),
  ];
  server.use(
    onRoute(userRoutes.edit, async ({ request }) => {
      versions.push(userRoutes.edit.body.parse(await request.json()).version);
      return answers.shift()?.() ?? failed(500, 'Asked too often');
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Edit grace' }));
  await findField('Phone');
  fill('Phone', '777');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByText('Success! User profile has been updated.');
  expect(versions).toEqual([3, 3, 4]);
});

test('the API keys of a person are shown, and can be revoked but neither made nor rotated [DECISIONS §13]', async () => {
  const key = makeApiKey({ name: 'nightly import' });
  const asked: unknown[] = [];
  server.use(
    onRoute(apiKeyRoutes.list, ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({ keys: [key], scopes: ['tenants.read'] });
    }),
  );
  const { user, grace } = await renderPage();
  await choose(user, 'API keys of');
  const dialog = within(await screen.findByRole('dialog', { name: 'API Keys of grace' }));
  await dialog.findByText('nightly import');
  expect(asked).toEqual([{ userId: grace.id }]);
  expect(dialog.queryByRole('button', { name: 'Create API Key' })).toBeNull();
  expect(dialog.queryByRole('button', { name: /^Rotate/ })).toBeNull();
  const revoked = answer(apiKeyRoutes.delete, () => undefined);
  await user.click(dialog.getByRole('button', { name: 'Revoke nightly import' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke key' }));
  await waitFor(() => expect(revoked).toMatchObject([{ id: key.id }]));
});
