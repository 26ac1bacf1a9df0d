import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes } from '@apotheca/contract/auth';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { api, dropAnswers } from '../api/http/client.ts';
import { notify } from '../components/toast/toast.tsx';
import { signOut, startSession } from '../session/session.ts';
import { SESSION_CHECK_MS } from '../session/session-limits.ts';
import { type SessionState, setCredentials, signedOut } from '../session/session-slice.ts';
import { writeSession } from '../session/session-storage.ts';
import { DIALOGS, oneOfEach, openDialog, pressable } from '../testing/every-dialog.ts';
import { field } from '../testing/fields.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { stubLayout } from '../testing/rich-text.ts';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { makeToken, signedIn } from '../testing/session.ts';
import { App } from './app.tsx';
import { type AppStore, makeStore } from './state/store.ts';

const EXPIRED = 'Your session has expired. Please login again.';
const refusal = () => failed(401, 'Please sign in.');
const refuseRefresh = () => server.use(onRoute(authRoutes.refresh, refusal));

mockServer(...oneOfEach);
beforeEach(stubLayout);

/** Opens the whole console in this window, as main.tsx does, for a signed-in user. */
async function openConsole(address: string) {
  writeSession(signedOut, signedIn());
  window.history.replaceState(null, '', address);
  const root = document.createElement('div');
  root.id = 'root';
  document.body.replaceChildren(root);
  const timers = vi.spyOn(globalThis, 'setInterval');
  const store = makeStore();
  const stop = await startSession(store, () => store.dispatch(dropAnswers()));
  onTestFinished(stop);
  const check = timers.mock.calls.find(([, ms]) => ms === SESSION_CHECK_MS)?.[0];
  timers.mockRestore();
  render(<App store={store} starting={Promise.resolve()} />, { container: root });
  return { store, check: () => check?.() };
}

type Console = Awaited<ReturnType<typeof openConsole>>;

/** Moves the time to this distance from the token's end. */
const leave = (store: AppStore, seconds: number) => store.dispatch(setCredentials({ clockOffset: 900 - seconds }));

/** The ways in which a session ends other than by signing out. */
const ENDS: Record<string, (console: Console) => void> = {
  'its time runs out while the server is out of reach': ({ store, check }) => {
    server.use(onRoute(authRoutes.refresh, () => HttpResponse.error()));
    leave(store, 5);
    check();
  },
  'its refresh is refused': ({ store, check }) => {
    refuseRefresh();
    leave(store, 200);
    check();
  },
  'another tab ends it': () => {
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
  },
  'an administrator ends it': ({ store }) => {
    refuseRefresh();
    server.use(onRoute(authRoutes.me, refusal));
    // As any next call does.
    store.dispatch(api.util.invalidateTags(['Users']));
  },
};

const address = () => window.location.pathname + window.location.search;
const SIGN_IN = { name: 'Sign in to start your session' };

/** Ends the session and waits for the sign-in with the reason, over the page. */
async function expectSignIn(end: () => void) {
  // On the screen the next toast may take its place before it is drawn.
  const told = vi.spyOn(notify, 'error');
  await act(async () => end());
  const asking = await screen.findByRole('dialog', SIGN_IN);
  within(asking).getByText(EXPIRED);
  within(asking).getByText(/^Signed in as ada until now/);
  await waitFor(() => expect(address()).toBe('/login'));
  expect(told).toHaveBeenCalledWith(EXPIRED);
}

async function signIn(session: Partial<SessionState> = {}) {
  const { id, role, email, firstName, lastName, username, phone, refreshToken } = signedIn(session);
  const profile = { id, role, email, firstName, lastName, username, phone };
  const serverTime = Math.floor(Date.now() / 1000);
  server.use(
    ...oneOfEach,
    onRoute(authRoutes.authenticate, () => ok({ ...profile, accessToken: makeToken(), refreshToken, serverTime })),
  );
  const form = screen.getByRole('button', { name: 'Sign In' }).closest('form') ?? document.body;
  const type = (label: string, value: string) =>
    fireEvent.change(within(form).getByLabelText(label, { selector: 'input' }), { target: { value } });
  type('Username', username);
  type('Password', 'secret');
  fireEvent.click(within(form).getByRole('button', { name: 'Sign In' }));
}

/** The same user has signed in again: the sign-in is gone. */
async function signInAgain(at: string) {
  await signIn();
  await waitFor(() => expect(screen.queryByRole('dialog', SIGN_IN)).toBeNull());
  await waitFor(() => expect(address()).toBe(at));
}

/** Closes a dialog, which asks first: what is in it counts as typed. */
async function discard(dialog: HTMLElement) {
  await waitFor(() => expect(window.history.state).toHaveProperty('unsaved'));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Discard' }));
  // Removes the history entry of the guard, as the window is shared with the next test.
  await waitFor(() => expect(window.history.state).not.toHaveProperty('unsaved'));
}

/** In a long run every dialog with every way, otherwise every third dialog with one of them in turn. */
const dialogsFor = (way: number) =>
  IS_LONG_RUN ? DIALOGS : DIALOGS.filter((_, index) => index % (3 * Object.keys(ENDS).length) === 3 * way);

describe.each(Object.entries(ENDS).map(([way, end], index) => [way, end, index] as const))('when %s', (_, end, way) => {
  test.each(dialogsFor(way))('$title stays open under the sign-in, with all that is in it [§4, §8]', async (dialog) => {
    const { title, at, types } = dialog;
    const console = await openConsole(at);
    await openDialog(dialog);
    const open = screen.getByRole('dialog', { name: title });
    await expectSignIn(() => end(console));
    await signInAgain(at);
    // The very same: not one that was opened anew.
    expect(screen.getByRole('dialog', { name: title })).toBe(open);
    if (!types) return;
    expect(field(types.label).value).toBe(types.text);
    await discard(open);
  });
});

describe('what is open when a session ends', () => {
  const [createTenant] = DIALOGS;
  const [end] = Object.values(ENDS);

  async function leaveTyped(dialog: (typeof DIALOGS)[number] | undefined) {
    if (!dialog || !end) throw new Error('there is no dialog to leave');
    const console = await openConsole(dialog.at);
    await openDialog(dialog);
    return { console, end: () => expectSignIn(() => end(console)) };
  }

  test('is not shown to another user, who comes to / [§4]', async () => {
    const { end: leaveFor } = await leaveTyped(createTenant);
    await leaveFor();
    await signIn({ id: '00000000-0000-4000-8000-00000000b0b0', username: 'bob' });
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(address()).toBe('/');
    fireEvent.click(screen.getByRole('link', { name: 'Tenants' }));
    await pressable('Edit Cedar');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is gone once somebody else wants to sign in [§4]', async () => {
    const { end: leaveFor } = await leaveTyped(createTenant);
    await leaveFor();
    fireEvent.click(screen.getByRole('button', { name: 'Use another account' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeDefined();
    expect(address()).toBe('/login');
  });

  test('goes on when another tab has signed in the same user [§4]', async () => {
    const { end: leaveFor } = await leaveTyped(createTenant);
    await leaveFor();
    act(() => {
      writeSession(signedOut, signedIn());
      window.dispatchEvent(new StorageEvent('storage', { key: null }));
    });
    await waitFor(() => expect(screen.queryByRole('dialog', SIGN_IN)).toBeNull());
    await discard(screen.getByRole('dialog', { name: createTenant?.title }));
  });

  test('goes on with the role that its user has by then [§4] [DECISIONS §5]', async () => {
    if (!end) throw new Error('there is no way to end');
    const mayRead = { permissions: [tenantRoutes.list.permission], grantedBy: [] };
    server.use(onRoute(accountRoutes.rights, () => ok(mayRead)));
    const console = await openConsole('/tenants');
    const edit = await screen.findByRole('button', { name: 'Edit Cedar' });
    const isRefused = () => edit.getAttribute('aria-disabled') === 'true';
    await waitFor(() => expect(isRefused()).toBe(true));
    await expectSignIn(() => end(console));
    const mayEdit = { permissions: [...mayRead.permissions, tenantRoutes.edit.permission], grantedBy: [] };
    server.use(onRoute(accountRoutes.rights, () => ok(mayEdit)));
    await signInAgain('/tenants');
    await waitFor(() => expect(isRefused()).toBe(false));
  });

  test('keeps the question whether to discard it [§4]', async () => {
    const { end: leaveFor } = await leaveTyped(createTenant);
    const open = screen.getByRole('dialog', { name: createTenant?.title });
    fireEvent.click(within(open).getByRole('button', { name: 'Close' }));
    await within(open).findByText('Discard changes?');
    await leaveFor();
    fireEvent.keyDown(screen.getByRole('dialog', SIGN_IN), { key: 'Escape' });
    await signInAgain(createTenant?.at ?? '');
    within(open).getByText('Discard changes?');
    await discard(open);
  });

  test('stays under the sign-in, which no request of the browser closes [§4]', async () => {
    const { end: leaveFor } = await leaveTyped(createTenant);
    await leaveFor();
    const asking = screen.getByRole<HTMLDialogElement>('dialog', SIGN_IN);
    const cancel = new Event('cancel', { cancelable: true });
    fireEvent(asking, cancel);
    expect(cancel.defaultPrevented).toBe(true);
    // As browsers do that let this be prevented only once.
    asking.close();
    fireEvent(asking, new Event('close'));
    expect(asking.open).toBe(true);
    await signInAgain(createTenant?.at ?? '');
    await discard(screen.getByRole('dialog', { name: createTenant?.title }));
  });

  test('is gone after a sign-out by hand in another tab: nothing of it can be read here [§4]', async () => {
    await leaveTyped(createTenant);
    const tell = (key: string, newValue: string | null) =>
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue })));
    // Heard late, after a new sign-in, it ends nothing.
    tell('signedOut', signedIn().id);
    tell('jwtToken', null);
    screen.getByRole('dialog', { name: createTenant?.title });
    const told = vi.spyOn(notify, 'error');
    tell('signedOut', signedIn().id);
    localStorage.clear();
    tell('jwtToken', null);
    await screen.findByRole('button', { name: 'Sign In' });
    expect(told).not.toHaveBeenCalled();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.body.innerHTML).not.toContain('CEDARVA');
    expect(address()).toBe('/login');
    await signIn();
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(address()).toBe('/');
    fireEvent.click(screen.getByRole('link', { name: 'Tenants' }));
    await pressable('Edit Cedar');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is gone after a sign-out [§4]', async () => {
    const { console } = await leaveTyped(createTenant);
    await act(async () => console.store.dispatch(signOut()));
    await screen.findByRole('button', { name: 'Sign In' });
    await signIn();
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(address()).toBe('/');
  });
});
