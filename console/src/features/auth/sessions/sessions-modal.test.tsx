import { authRoutes, type OpenSession } from '@apotheca/contract/auth';
import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { USERS_AS_LISTED } from '../../../api/users.ts';
import { localMinute } from '../../../lib/moment.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { signedIn } from '../../../testing/session.ts';
import { makeSession } from '../../../testing/sessions.ts';
import { makeOwnUser, makeService, makeUser } from '../../../testing/users.ts';
import { SessionsModal } from './sessions-modal.tsx';

const grace = makeUser({ userName: 'grace', email: 'grace@apotheca.test' });
const linus = makeUser({ userName: '', email: 'linus@apotheca.test', fName: 'Linus', lName: 'Torvalds' });
const here = makeSession({ device: 'Safari 18 on macOS', isCurrent: true });
const lost = makeSession();
const apiToken = makeSession({ kind: 'api', name: 'Nightly report', device: 'curl/8.5.0' });

/** The data of the mocked server: open sessions by the id of their user. */
let sessions: Record<string, OpenSession[]> = {};
/** The ids of the sessions that were ended, by call. */
let ended: { own: (string | null)[]; others: (string | null)[] };
let userLoads = 0;
const ownId = signedIn().id;

const queryOf = (request: Request, name: string) => new URL(request.url).searchParams.get(name);
const listOwn = onRoute(authRoutes.listSessions, () => ok(sessions[ownId]));

function end(list: (string | null)[], request: Request) {
  const id = queryOf(request, 'id');
  list.push(id);
  for (const [owner, open] of Object.entries(sessions)) sessions[owner] = open.filter((session) => session.id !== id);
  return ok(null);
}

mockServer(
  listOwn,
  onRoute(authRoutes.listUserSessions, ({ request }) => ok(sessions[queryOf(request, 'userId') ?? ''] ?? [])),
  onRoute(authRoutes.endSession, ({ request }) => end(ended.own, request)),
  onRoute(authRoutes.endUserSession, ({ request }) => end(ended.others, request)),
  onRoute(userRoutes.list, () => {
    userLoads += 1;
    return ok([makeOwnUser(), grace, linus]);
  }),
);

beforeEach(() => {
  sessions = { [ownId]: [here, apiToken, lost], [grace.id]: [makeSession({ device: 'Chrome 139 on Android' })] };
  ended = { own: [], others: [] };
  userLoads = 0;
});

function renderModal(user?: { id: string; name: string }) {
  const onClose = vi.fn();
  return { ...renderWithStore(<SessionsModal show user={user} onClose={onClose} />), onClose };
}

async function renderOwn() {
  const view = renderModal();
  await screen.findByText('Displaying 3 of 3 results');
  return view;
}

const button = (what: string) => screen.getByRole('button', { name: new RegExp(`^Sign out: ${what}, last used`) });
const tokenButton = (what: string) => screen.getByRole('button', { name: new RegExp(`^End: ${what}, last used`) });
const minute = (moment: string) => localMinute(new Date(moment));

/** Finds the field for another user. */
async function chooseAnother() {
  const view = await renderOwn();
  await view.user.click(screen.getByRole('button', { name: 'Another user' }));
  return { ...view, field: await screen.findByRole('combobox', { name: 'User' }) };
}

test("the signed-in user's sessions show device, address and times, and mark the current one [§6]", async () => {
  await renderOwn();
  within(screen.getByRole('dialog', { name: 'Open sessions' })).getByText('ada');
  const cells = (name: RegExp) =>
    [...screen.getByRole('row', { name }).children].map((cell) => cell.textContent).slice(0, -1);
  const moments = [lost.createdOnUtc, lost.lastUsedOnUtc, lost.expiresOnUtc].map(minute);
  expect(cells(/Firefox/)).toEqual(['Firefox 142 on Windows198.51.100.7', ...moments]);
  expect(cells(/Safari/)[0]).toBe('Safari 18 on macOS198.51.100.7This session');
  expect(cells(/Nightly/)[0]).toBe('Nightly reportAPI token · curl/8.5.0 · 198.51.100.7');
  expect(screen.getAllByText('This session')).toHaveLength(1);
  expect(userLoads).toBe(0);
});

/** The pointer and the focus leave the list. */
const leave = (user: ReturnType<typeof renderModal>['user']) =>
  user.click(screen.getByRole('heading', { name: 'Open sessions' }));

test('Sign out ends a session, shows a message, and removes the session from the list [§6]', async () => {
  const { user, store } = await renderOwn();
  await user.click(button('Firefox 142 on Windows'));
  await screen.findByText('Firefox 142 on Windows is signed out.');
  await screen.findByText('Displaying 2 of 2 results');
  await leave(user);
  expect(screen.queryByRole('row', { name: /Firefox/ })).toBeNull();
  expect(ended).toEqual({ own: [lost.id], others: [] });
  await user.click(tokenButton('Nightly report'));
  await screen.findByText('The API token Nightly report is ended.');
  await screen.findByText('Displaying 1 of 1 results');
  expect(store.getState().session.isLoggedIn).toBe(true);
});

test('while a session is being ended its button takes no second click [§6]', async () => {
  let answer = () => {};
  const asked: (string | null)[] = [];
  server.use(
    onRoute(authRoutes.endSession, ({ request }) => {
      asked.push(queryOf(request, 'id'));
      return new Promise<HttpResponse<null>>((resolve) => {
        answer = () => resolve(ok(null) as HttpResponse<null>);
      });
    }),
  );
  const { user } = await renderOwn();
  await user.click(button('Firefox 142 on Windows'));
  await user.click(button('Firefox 142 on Windows'));
  await waitFor(() => expect(asked).toEqual([lost.id]));
  expect(button('Firefox 142 on Windows').getAttribute('aria-busy')).toBe('true');
  expect(tokenButton('Nightly report').getAttribute('aria-busy')).toBeNull();
  sessions[ownId] = [here, apiToken];
  answer();
  await screen.findByText('Displaying 2 of 2 results');
});

/** The button of the session at a place in the list, from 0: what a pointer that does not move has under it. */
const buttonAt = (place: number) => {
  const row = screen.getAllByRole('row')[place + 1];
  if (!row) throw new Error(`There is no session at ${place}.`);
  return within(row).getByRole('button');
};

test('a second click at the same place ends no other session: the row stays there, and says what it is [§2.20]', async () => {
  const phone = makeSession({ device: 'Chrome 139 on Android' });
  sessions[ownId] = [lost, apiToken, phone];
  const { user } = await renderOwn();
  await user.click(buttonAt(0));
  await screen.findByText('Displaying 2 of 2 results');
  within(screen.getByRole('row', { name: /Firefox/ })).getByText('Signed out');
  expect(document.activeElement).toBe(buttonAt(0));
  await user.click(buttonAt(0));
  await user.keyboard('{Enter}');
  await user.click(buttonAt(1));
  await screen.findByText('Displaying 1 of 1 results');
  within(screen.getByRole('row', { name: /Nightly/ })).getByText('Ended');
  await leave(user);
  expect(screen.queryByRole('row', { name: /Firefox|Nightly/ })).toBeNull();
  await user.click(buttonAt(0));
  await waitFor(() => expect(ended.own).toEqual([lost.id, apiToken.id, phone.id]));
});

test('a list that is loaded anew on focus moves no row under the pointer [§2.20]', async () => {
  const { user } = await renderOwn();
  await user.hover(buttonAt(1));
  sessions[ownId] = [makeSession({ device: 'Chrome 139 on Android' }), here, lost];
  fireEvent.focus(window);
  within(await screen.findByRole('row', { name: /Nightly.*Ended/ })).getByRole('button');
  expect(buttonAt(1)).toBe(tokenButton('Nightly report'));
  expect(screen.queryByRole('row', { name: /Android/ })).toBeNull();
  await leave(user);
  expect(buttonAt(0)).toBe(button('Chrome 139 on Android'));
  screen.getByText('Displaying 3 of 3 results');
});

test("another user's sessions are those of that user, wherever the pointer is [§2.20]", async () => {
  const { field, user } = await chooseAnother();
  await user.hover(buttonAt(0));
  fireEvent.change(field, { target: { value: 'grace' } });
  await screen.findByRole('row', { name: /Chrome 139 on Android/ });
  expect(screen.queryByRole('row', { name: /Firefox/ })).toBeNull();
});

test('a session that has ended meanwhile is reported, and leaves the list [§8]', async () => {
  server.use(onRoute(authRoutes.endSession, () => failed(404, 'There is no such open session.')));
  const { user } = await renderOwn();
  sessions[ownId] = [here];
  await user.click(button('Firefox 142 on Windows'));
  await screen.findByText('There is no such open session.');
  await screen.findByText('Displaying 1 of 1 results');
});

test('a sign-out that fails says why, and can be retried [§8]', async () => {
  server.use(onRoute(authRoutes.endSession, () => failed(503, 'The database cannot be reached.')));
  const { user } = await renderOwn();
  await user.click(button('Firefox 142 on Windows'));
  await screen.findByText('The database cannot be reached.');
  screen.getByText('Displaying 3 of 3 results');
  await waitFor(() => expect(button('Firefox 142 on Windows').getAttribute('aria-busy')).toBeNull());
});

test('the current session is ended after a confirmation only, by an ordinary sign-out [§4]', async () => {
  const loggedOut: unknown[] = [];
  server.use(
    onRoute(authRoutes.logout, async ({ request }) => {
      loggedOut.push(await request.json());
      return ok(null);
    }),
  );
  const { user, store } = await renderOwn();
  await user.click(button('Safari 18 on macOS'));
  const question = await screen.findByRole('dialog', { name: 'Sign out here' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign out here' })).toBeNull());
  expect(store.getState().session.isLoggedIn).toBe(true);
  await user.click(button('Safari 18 on macOS'));
  const again = await screen.findByRole('dialog', { name: 'Sign out here' });
  await user.click(within(again).getByRole('button', { name: 'Sign out' }));
  expect(store.getState().session.isLoggedIn).toBe(false);
  await waitFor(() => expect(loggedOut).toEqual([{ refreshToken: 'refresh-1' }]));
  expect(ended).toEqual({ own: [], others: [] });
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(authRoutes.listSessions, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderModal();
  await within(await screen.findByRole('alert')).findByText('The database cannot be reached.');
  server.use(listOwn);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Displaying 3 of 3 results');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('while they load the table is busy [§8]', async () => {
  renderModal();
  expect(screen.getByRole('table', { name: 'Open sessions' }).getAttribute('aria-busy')).toBe('true');
  await screen.findByText('Displaying 3 of 3 results');
});

test("another user's sessions are found by user name, whatever the case, and can be ended [§6]", async () => {
  const { user, field } = await chooseAnother();
  expect(document.activeElement).toBe(field);
  await user.type(field, 'GRACE');
  await screen.findByRole('row', { name: /Chrome 139 on Android/ });
  screen.getByText('Displaying 1 of 1 results');
  within(screen.getByRole('dialog')).getByText('grace', { selector: '.modal-subtitle' });
  await user.click(button('Chrome 139 on Android'));
  await screen.findByText('Displaying 0 of 0 results');
  await leave(user);
  screen.getByText('No open sessions');
  expect(ended.own).toEqual([]);
  expect(ended.others).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'My own sessions' }));
  await screen.findByText('Displaying 3 of 3 results');
  screen.getByRole('button', { name: 'Another user' });
});

test.each([
  ['a part of the name', 'torv', ['linus@apotheca.test']],
  ['a part of the user name', 'rac', ['grace']],
  ['nothing', '', ['ada', 'grace', 'linus@apotheca.test']],
])('the field suggests users by %s [§6]', async (_, typed, offered) => {
  const { user, field } = await chooseAnother();
  if (typed) await user.type(field, typed);
  const values = () =>
    [...(document.querySelectorAll('datalist option') ?? [])].map((option) => Reflect.get(option, 'value'));
  await waitFor(() => expect(values()).toEqual(offered));
  // Only a whole name chooses a user.
  screen.getByText('Displaying 3 of 3 results');
});

test('a suggested service account, which is no person, is described by its user name [§6]', async () => {
  server.use(onRoute(userRoutes.list, () => ok([makeService({ userName: 'robot' }), linus])));
  await chooseAnother();
  const described = () => [...document.querySelectorAll('datalist option')].map(({ textContent }) => textContent);
  await waitFor(() => expect(described()).toEqual(['robot', expect.stringMatching(/^Linus .*Torvalds$/)]));
});

test('an unknown name is reported when the field is left [§6]', async () => {
  const { user, field } = await chooseAnother();
  await user.type(field, 'nobody');
  expect(screen.queryByText('There is no such user')).toBeNull();
  await user.tab();
  screen.getByText('There is no such user');
  await user.type(field, '{Backspace}');
  expect(screen.queryByText('There is no such user')).toBeNull();
});

test("the signed-in user's own name shows their own sessions, which need no permission [§6]", async () => {
  server.use(onRoute(authRoutes.listUserSessions, () => failed(403, 'Not allowed.')));
  const { user, field } = await chooseAnother();
  await user.type(field, 'ada');
  await user.click(button('Firefox 142 on Windows'));
  await screen.findByText('Displaying 2 of 2 results');
  expect(ended).toEqual({ own: [lost.id], others: [] });
});

test('a user without the permission is told which one is missing [§6]', async () => {
  const message = "You do not have the permission 'sessions.manage'.";
  server.use(onRoute(authRoutes.listUserSessions, () => failed(403, message)));
  const { user, field } = await chooseAnother();
  await user.type(field, 'grace');
  await within(await screen.findByRole('alert')).findByText(message);
  expect(screen.queryByRole('row', { name: /Firefox/ })).toBeNull();
});

test('the users to choose from are those of the list, which has been loaded already [§6]', async () => {
  const { asked, answer } = keepQueries(userRoutes.list);
  server.use(answer([grace]));
  await chooseAnother();
  expect(asked).toEqual([USERS_AS_LISTED]);
});

test('users that could not be loaded are reported, and can be loaded again [§8]', async () => {
  const message = "You do not have the permission 'users.read'.";
  server.use(onRoute(userRoutes.list, () => failed(403, message)));
  const { user } = await renderOwn();
  await user.click(screen.getByRole('button', { name: 'Another user' }));
  await within(await screen.findByRole('alert')).findByText(message);
  server.use(onRoute(userRoutes.list, () => ok([grace])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('combobox', { name: 'User' });
});

test("for a row of the users list it shows only that user's sessions [§6]", async () => {
  renderModal({ id: grace.id, name: 'grace' });
  await screen.findByRole('row', { name: /Chrome 139 on Android/ });
  screen.getByText('grace', { selector: '.modal-subtitle' });
  expect(screen.queryByRole('button', { name: 'Another user' })).toBeNull();
});

test('Close closes the dialog [§6]', async () => {
  const { user, onClose } = await renderOwn();
  const buttons = within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' });
  await user.click(buttons.at(-1) ?? document.body);
  expect(onClose).toHaveBeenCalledOnce();
});
