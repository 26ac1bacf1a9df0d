import { type Account, accountRoutes } from '@apotheca/contract/account';
import { alertRoutes } from '@apotheca/contract/alerts';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { authRoutes } from '@apotheca/contract/auth';
import { preferenceRoutes } from '@apotheca/contract/preferences';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { getAccount } from '../../api/account.ts';
import { makeFactors } from '../../testing/factors.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { makeSession } from '../../testing/sessions.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { makeAlerts } from '../../testing/webhooks.ts';
import { ProfilePage } from './profile-page.tsx';

const { id, username, email, role } = signedIn();

/** The data of the mocked server. */
let account: Account;

mockServer(
  onRoute(accountRoutes.get, () => ok(account)),
  onRoute(accountRoutes.proofWays, () => ok({ password: true, code: false, passkeys: false, provider: null })),
  onRoute(preferenceRoutes.get, () => ok({ lists: {}, language: 'en' })),
  onRoute(authRoutes.listSessions, () => ok([makeSession({ isCurrent: true })])),
  onRoute(ownFactorRoutes.get, () => ok(makeFactors())),
  onRoute(apiKeyRoutes.list, () => ok({ keys: [], scopes: [] })),
  onRoute(alertRoutes.get, () => ok(makeAlerts())),
);
beforeEach(() => {
  account = { id, username, email, role, fName: 'Ada', lName: 'Byron', phone: '', version: 3 };
});

/** The page with its form loaded. */
async function renderPage() {
  const view = renderWithStore(<ProfilePage />, { route: '/profile' });
  await findField('First Name');
  return view;
}

const save = () => screen.getByRole('button', { name: 'Save' });
const change = () => screen.getByRole('button', { name: 'Change password' });

test('shows a card for each part of the account, and the sample content below them [§2.1] [DECISIONS §13]', async () => {
  await renderPage();
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual([
    'Ada Byron',
    'My account',
    'Language',
    'Change password',
    'Second factor',
    'Alerts',
    'Open sessions',
    'API Keys',
    'Timeline',
  ]);
  expect([field('First Name').value, field('Last Name').value, field('Phone').value]).toEqual(['Ada', 'Byron', '']);
  expect(await screen.findByText('This session')).toBeTruthy();
});

test('whom a provider signs in, without a password, is told of none [DECISIONS §13]', async () => {
  const provider = { id: 'corp', name: 'Corporate' };
  server.use(onRoute(accountRoutes.proofWays, () => ok({ password: false, code: false, passkeys: false, provider })));
  await renderPage();
  await screen.findByRole('heading', { name: 'Authenticator app' });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Change password' })).toBeNull());
  expect(screen.queryByText(/You sign in with your password alone/)).toBeNull();
});

test("one's own new password is no change of somebody else: a name that was typed before is saved [DECISIONS §13]", async () => {
  const bodies = keepBodies(accountRoutes.edit, 'Saved.', { ...account, version: 5 });
  server.use(
    onRoute(accountRoutes.changePassword, () => {
      account = { ...account, version: 4 };
      return ok({ ended: 0 }, 'Your password has been changed.');
    }),
  );
  const { user, store } = await renderPage();
  await user.type(field('Phone'), '555');
  fill('Current Password', 'the old one of mine');
  fill('New Password', 'a new one, long enough');
  fill('Confirm Password', 'a new one, long enough');
  await user.click(change());
  await screen.findByText('Your password has been changed.');
  await waitFor(() => expect(getAccount.select()(store.getState() as never).data?.version).toBe(4));
  await user.click(save());
  await screen.findByText('Saved.');
  expect(bodies).toEqual([{ fName: 'Ada', lName: 'Byron', phone: '555', version: 4 }]);
});

test('who types on right after saving saves that too, before the account is loaded anew [DECISIONS §13]', async () => {
  const versions: unknown[] = [];
  server.use(
    onRoute(accountRoutes.edit, async ({ request }) => {
      const { version, ...fields } = (await request.json()) as { version: number; fName: string };
      versions.push(version);
      return ok({ ...account, ...fields, version: version + 1 }, `Saved as ${fields.fName}.`);
    }),
  );
  const { user } = await renderPage();
  // The account as it was saved is on its way and never comes.
  server.use(onRoute(accountRoutes.get, () => new Promise<never>(() => {})));
  fill('First Name', 'Augusta');
  await user.click(save());
  await screen.findByText('Saved as Augusta.');
  fill('First Name', 'Ada Augusta');
  await user.click(save());
  await screen.findByText('Saved as Ada Augusta.');
  expect(versions).toEqual([3, 4]);
});

test('what is typed while the account is being saved stays, and is saved with the version that this made [DECISIONS §13]', async () => {
  const versions: unknown[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  server.use(
    onRoute(accountRoutes.edit, async ({ request }) => {
      const { version, ...fields } = (await request.json()) as { version: number; fName: string };
      versions.push(version);
      await answered;
      return ok({ ...account, ...fields, version: version + 1 }, `Saved as ${fields.fName}.`);
    }),
  );
  const { user } = await renderPage();
  // The account as it was saved is on its way and never comes.
  server.use(onRoute(accountRoutes.get, () => new Promise<never>(() => {})));
  fill('First Name', 'Augusta');
  await user.click(save());
  await waitFor(() => expect(versions).toEqual([3]));
  fill('First Name', 'Ada Augusta');
  answer();
  await screen.findByText('Saved as Augusta.');
  expect(field('First Name').value).toBe('Ada Augusta');
  await user.click(save());
  await screen.findByText('Saved as Ada Augusta.');
  expect(versions).toEqual([3, 4]);
});

test('sends the names and the phone with the version, and no other field [DECISIONS §13]', async () => {
  const bodies: unknown[] = [];
  server.use(
    onRoute(accountRoutes.edit, async ({ request }) => {
      bodies.push(await request.json());
      account = { ...account, phone: '555-0100', version: 4 };
      return ok(account, 'Your account has been updated.');
    }),
  );
  const { user } = await renderPage();
  await user.type(field('Phone'), '555-0100');
  await user.click(save());
  await screen.findByText('Your account has been updated.');
  expect(bodies).toEqual([{ fName: 'Ada', lName: 'Byron', phone: '555-0100', version: 3 }]);
});

test('a field that is not valid is told at it, and nothing is sent [DECISIONS §13]', async () => {
  const bodies = keepBodies(accountRoutes.edit);
  const { user } = await renderPage();
  await user.clear(field('First Name'));
  await user.click(save());
  await screen.findByText('First Name is required');
  expect(bodies).toEqual([]);
});

test('where an administrator has changed the record meanwhile, that is shown first, and what was typed stays [DECISIONS §13]', async () => {
  const versions: unknown[] = [];
  server.use(
    onRoute(accountRoutes.edit, async ({ request }) => {
      const { version } = (await request.json()) as { version: number };
      versions.push(version);
      const changes = [changedByBob('lName', 'Byron', 'Lovelace')];
      return version === 3 ? refusedAsStale({ version: 4, changes }) : ok({ ...account, version: 5 }, 'Saved.');
    }),
  );
  const { user } = await renderPage();
  await user.type(field('Phone'), '555');
  await user.click(save());
  await waitFor(() => expect(field('Last Name').value).toBe('Lovelace'));
  expect(field('Phone').value).toBe('555');
  await user.click(save());
  await screen.findByText('Saved.');
  expect(versions).toEqual([3, 4]);
});

test('a record that cannot be loaded says so, and can be asked for again [DECISIONS §13]', async () => {
  server.use(onRoute(accountRoutes.get, () => failed(503, 'Away.'), { once: true }));
  const { user } = renderWithStore(<ProfilePage />, { route: '/profile' });
  await screen.findByText('Your account could not be loaded.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findField('First Name');
});

const PASSWORDS = { currentPassword: 'correct horse', password: 'battery staple', confirmPassword: 'battery staple' };

function typePasswords() {
  fill('Current Password', PASSWORDS.currentPassword);
  fill('New Password', PASSWORDS.password);
  fill('Confirm Password', PASSWORDS.confirmPassword);
}

test('a new password is sent once, and is then neither in the fields nor in the store [DECISIONS §13]', async () => {
  const bodies = keepBodies(accountRoutes.changePassword, 'Your password has been changed.');
  const { user, store } = await renderPage();
  typePasswords();
  await user.click(change());
  await screen.findByText('Your password has been changed.');
  expect(bodies).toEqual([PASSWORDS]);
  await waitFor(() => expect(field('New Password').value).toBe(''));
  expect([field('Current Password').value, field('Confirm Password').value]).toEqual(['', '']);
  expect(JSON.stringify(store.getState())).not.toContain(PASSWORDS.password);
});

test('a wrong present password stands at its field, and what was typed stays [DECISIONS §13]', async () => {
  server.use(
    onRoute(accountRoutes.changePassword, () => failed(400, WRONG_PASSWORD, { currentPassword: [WRONG_PASSWORD] })),
  );
  const { user } = await renderPage();
  typePasswords();
  await user.click(change());
  await screen.findByText(WRONG_PASSWORD);
  expect(document.activeElement).toBe(field('Current Password'));
  expect(field('New Password').value).toBe(PASSWORDS.password);
});

test('too many guesses are told on the card [DECISIONS §13]', async () => {
  const message = 'Too many failed sign-ins. Try again in 4 seconds.';
  server.use(onRoute(accountRoutes.changePassword, () => failed(429, message)));
  const { user } = await renderPage();
  typePasswords();
  await user.click(change());
  const card = change().closest('section') ?? document.body;
  await within(card).findByText(message);
});

test.each([
  ['two that differ', { confirmPassword: 'other' }, 'Passwords must match'],
  ['one that is too short', { password: 'abc', confirmPassword: 'abc' }, 'Must be 5 characters or more'],
])('%s are not sent [DECISIONS §13]', async (_what, passwords, message) => {
  const bodies = keepBodies(accountRoutes.changePassword);
  const { user } = await renderPage();
  typePasswords();
  if ('password' in passwords) fill('New Password', passwords.password);
  fill('Confirm Password', passwords.confirmPassword);
  await user.click(change());
  await screen.findByText(message);
  expect(bodies).toEqual([]);
});

test('password managers are told whose passwords these are [DECISIONS §13]', async () => {
  await renderPage();
  expect([field('Current Password').autocomplete, field('New Password').autocomplete]).toEqual([
    'current-password',
    'new-password',
  ]);
  const card = change().closest('form');
  expect(card?.querySelector<HTMLInputElement>('input[autocomplete=username]')?.value).toBe(username);
});
