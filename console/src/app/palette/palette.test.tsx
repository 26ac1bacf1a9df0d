import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes } from '@apotheca/contract/auth';
import { databaseRoutes } from '@apotheca/contract/databases';
import { faqRoutes } from '@apotheca/contract/faqs';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { viewRoutes } from '@apotheca/contract/views';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';
import { api } from '../../api/http/client.ts';
import { useUnsavedGuard } from '../../components/dialog/use-unsaved-guard.ts';
import { ToastHost } from '../../components/toast/toast.tsx';
import { RightsProvider } from '../../rights/rights.tsx';
import { makeDatabase } from '../../testing/databases.ts';
import { makeFaq } from '../../testing/faqs.ts';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { makeUser, USER_OPTIONS } from '../../testing/users.ts';
import { MainLayout } from '../layout/main-layout.tsx';
import { UsersPage } from '../pages/users-page.tsx';

mockServer(
  onRoute(tenantRoutes.list, () => ok([makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley' })])),
  onRoute(userRoutes.list, () => ok([makeUser({ userName: 'grace', fName: 'Grace', mi: '', lName: 'Hopper' })])),
  onRoute(userRoutes.options, () => ok(USER_OPTIONS)),
  onRoute(databaseRoutes.list, () => ok([makeDatabase({ databaseName: 'TRAINING' })])),
  onRoute(faqRoutes.list, () => ok([makeFaq({ name: 'Recalls' })])),
  onRoute(authRoutes.logout, () => ok(null)),
);

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

const app = (
  <RightsProvider>
    <Address />
    <Routes>
      <Route element={<MainLayout />}>
        <Route path="users" element={<UsersPage />} />
        <Route path="*" element={<input aria-label="Some field" />} />
      </Route>
    </Routes>
    <ToastHost />
  </RightsProvider>
);

const renderApp = (options?: Parameters<typeof renderInRoot>[1]) => renderInRoot(app, options);
type User = ReturnType<typeof renderApp>['user'];

async function openPalette(user: User) {
  await user.keyboard('{Control>}k{/Control}');
  return within(await screen.findByRole('dialog', { name: 'Search and actions' })).getByRole('combobox');
}

const isClosed = () => screen.queryByRole('dialog', { name: 'Search and actions' }) === null;

const palette = () => within(screen.getByRole('dialog', { name: 'Search and actions' }));
const options = () =>
  palette()
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
const active = () => palette().getByRole('option', { selected: true }).textContent;
const addressShown = () => screen.getByTestId('address').textContent;

test('Ctrl+K opens it, arrows, Home and End choose, Enter goes there, Escape closes it [§2.28]', async () => {
  const { user } = renderApp();
  await user.click(screen.getByLabelText('Some field'));
  const field = await openPalette(user);
  expect(document.activeElement).toBe(field);
  expect(active()).toBe('Dashboard');
  await user.keyboard('{ArrowDown}');
  expect(active()).toBe('Tenants');
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(active()).toBe('Preview FAQ …');
  await user.keyboard('{Home}');
  expect(active()).toBe('Dashboard');
  await user.keyboard('{End}{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(active()).toBe('Users');
  expect(field.getAttribute('aria-activedescendant')).toBe(palette().getByRole('option', { selected: true }).id);
  await user.keyboard('{Enter}');
  expect(addressShown()).toBe('/users');
  expect(isClosed()).toBe(true);
  await openPalette(user);
  await user.keyboard('{Escape}');
  expect(isClosed()).toBe(true);
});

test('the button of the top bar opens it and names its key [§2.28]', async () => {
  const { user } = renderApp();
  await user.click(screen.getByRole('button', { name: 'Search and actions (Ctrl K)' }));
  expect(await screen.findByRole('dialog', { name: 'Search and actions' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(isClosed()).toBe(true);
});

test('finds records of each kind by a few letters [§2.28]', async () => {
  const { user } = renderApp();
  const field = await openPalette(user);
  for (const [typed, title] of [
    ['cdr vally', 'Cedar Valley'],
    ['grce', 'Grace Hopper'],
    ['trainng', 'TRAINING'],
    ['recals', 'Recalls'],
  ] as const) {
    await user.clear(field);
    await user.type(field, typed);
    await waitFor(() => expect(active()).toContain(title));
  }
  expect(screen.getByRole('group', { name: 'FAQs' })).toBeDefined();
  await user.keyboard('{Enter}');
  expect(addressShown()).toMatch(/^\/faq\/Recalls\//);
});

test('an action opens the dialog of its screen [§2.28]', async () => {
  const { user } = renderApp();
  await user.type(await openPalette(user), 'create user{Enter}');
  expect(addressShown()).toBe('/users');
  const dialog = await screen.findByRole('dialog', { name: 'Create User' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('keeps the filters of the screen that is shown already [§2.28]', async () => {
  const { user } = renderApp({ route: '/users?q=gra' });
  await user.type(await openPalette(user), 'create user{Enter}');
  await screen.findByRole('dialog', { name: 'Create User' });
  expect(addressShown()).toBe('/users?q=gra');
});

test('a page on which something is not saved asks before another screen is shown [§2.24] [§2.28]', async () => {
  const ask = vi.fn<(leave: () => unknown) => void>();
  const { user } = renderApp();
  const { unmount } = renderHook(() => useUnsavedGuard(true, { onBack: vi.fn(), onLeave: ask }));
  await user.type(await openPalette(user), 'licence{Enter}');
  expect(addressShown()).toBe('/');
  act(() => void ask.mock.calls[0]?.[0]());
  unmount();
  expect(addressShown()).toBe('/licence');
});

test('an action on a record asks which one; Escape and Backspace lead back [§2.28]', async () => {
  const { user } = renderApp();
  const field = await openPalette(user);
  await user.type(field, 'edit user{Enter}');
  expect(screen.getByRole('combobox', { name: 'Which user?' })).toBe(document.activeElement);
  await waitFor(() => expect(options()).toEqual([expect.stringContaining('Grace Hopper')]));
  await user.keyboard('{Escape}');
  expect(screen.getByRole('combobox', { name: 'Find a screen, record or action' })).toBe(document.activeElement);
  await user.keyboard('edit user{Enter}{Backspace}');
  await user.keyboard('edit user{Enter}grace{Enter}');
  const dialog = await screen.findByRole('dialog', { name: /Edit/ });
  expect((await within(dialog).findByLabelText<HTMLInputElement>('First Name')).value).toBe('Grace');
});

test('what the user may not do stands there disabled and says which permission is missing [DECISIONS §5] [§2.28]', async () => {
  server.use(onRoute(accountRoutes.rights, () => ok({ permissions: ['tenants.read'], grantedBy: ['Administrator'] })));
  const { user } = renderApp();
  const field = await openPalette(user);
  await user.type(field, 'create tenant');
  const option = palette().getByRole('option', { name: /^Create tenant/ });
  await waitFor(() => expect(option.getAttribute('aria-disabled')).toBe('true'));
  const reason =
    "Your role lacks the permission 'Create and edit tenants'. Whoever has the role Administrator can give it.";
  expect(option.textContent).toContain(reason);
  await user.keyboard('{Enter}');
  expect(addressShown()).toBe('/');
  expect(document.activeElement).toBe(field);
  // The lists that they may not read are not asked for: those calls would be refused.
  await user.clear(field);
  await user.type(field, 'grace');
  expect(await screen.findByText(/Nothing matches 'grace'/)).toBeDefined();
});

test('an action of several calls says which of their permissions is missing [DECISIONS §5] [§2.28]', async () => {
  const permissions = ['tenants.read', 'tenants.write', 'databases.read'];
  server.use(onRoute(accountRoutes.rights, () => ok({ permissions, grantedBy: [] })));
  const { user } = renderApp();
  await user.type(await openPalette(user), 'duplicate tenant');
  const option = palette().getByRole('option', { name: /^Duplicate tenant/ });
  await waitFor(() =>
    expect(option.textContent).toContain("lacks the permission 'Clone, rename and back up databases'"),
  );
});

test('what was chosen last stands first, for each account alone, and never signing out [§2.28]', async () => {
  const first = renderApp();
  await first.user.type(await openPalette(first.user), 'licence{Enter}');
  await first.user.type(await openPalette(first.user), 'audit{Enter}');
  await openPalette(first.user);
  expect(options().slice(0, 3)).toEqual(['Audit Trail', 'Licence Management', 'Dashboard']);
  await first.user.keyboard('sign out{Enter}');
  expect(localStorage.getItem(`apotheca-palette-${signedIn().id}`)).toBe('["screens:/audit","screens:/licence"]');
  first.unmount();
  const second = renderApp({ session: { ...signedIn(), id: 'somebody-else' } });
  await openPalette(second.user);
  expect(options()[0]).toBe('Dashboard');
});

test('a list that cannot be loaded is named, with a way to try again, and the others are found [§2.28]', async () => {
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'The database is away.'), { once: true }));
  const { user } = renderApp();
  const field = await openPalette(user);
  expect(await screen.findByText('Tenants could not be loaded:')).toBeDefined();
  expect(screen.getByRole('alert').textContent).toContain('The database is away.');
  await user.type(field, 'training');
  await waitFor(() => expect(active()).toContain('TRAINING'));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await user.clear(field);
  await user.type(field, 'cedar');
  await waitFor(() => expect(active()).toContain('Cedar Valley'));
  expect(screen.queryByText('Tenants could not be loaded:')).toBeNull();
});

test('records whose list is refused are found no more [DECISIONS §5] [§2.28]', async () => {
  const { user, store } = renderApp();
  const field = await openPalette(user);
  await user.type(field, 'cedar');
  await waitFor(() => expect(active()).toContain('Cedar Valley'));
  server.use(onRoute(tenantRoutes.list, () => failed(403, "You need the permission 'tenants.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Tenants'])));
  await screen.findByText('Tenants could not be loaded:');
  expect(palette().queryByRole('option', { name: /Cedar Valley/ })).toBeNull();
});

test('lists that are still loaded are named [§2.28]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(userRoutes.list, async () => {
      await promise;
      return ok([]);
    }),
  );
  const { user } = renderApp();
  await openPalette(user);
  await waitFor(() => expect(screen.getByText(/loading …$/).textContent).toBe('Users: loading …'));
  resolve();
  await waitFor(() => expect(screen.queryByText(/loading …$/)).toBeNull());
});

test('does not open over a dialog, whose text could be lost [§2.28]', async () => {
  const { user } = renderApp({ route: '/users' });
  await user.click((await screen.findAllByRole('button', { name: 'Create' }))[0] ?? document.body);
  await screen.findByRole('dialog', { name: 'Create User' });
  await user.keyboard('{Control>}k{/Control}');
  await user.keyboard('?');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
});

test('? opens the sheet of keys, but not in a field [§2.28]', async () => {
  const { user } = renderApp();
  await user.type(screen.getByLabelText('Some field'), '?');
  expect(screen.queryByRole('dialog')).toBeNull();
  screen.getByLabelText('Some field').blur();
  await user.keyboard('?');
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  const keysOf = (what: string) => within(sheet).getByText(what).parentElement?.querySelector('dd')?.textContent;
  expect(keysOf('Search screens, records and actions')).toBe('Ctrl + K');
  expect(keysOf('Same place in the next row')).toBe('↓ or j');
  await user.click(within(sheet).getAllByRole('button', { name: 'Close' })[0] ?? document.body);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.type(await openPalette(user), 'keyboard{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
});

test('switches the theme and opens the layout settings [§2.28]', async () => {
  const { user, store } = renderApp();
  await user.type(await openPalette(user), 'dark{Enter}');
  expect(store.getState().layout.darkMode).toBe(true);
  await user.type(await openPalette(user), 'layout{Enter}');
  expect(store.getState().layout.controlSidebarCollapsed).toBe(false);
});

test('opens the activity panel and the own sessions, from any screen [§2.28]', async () => {
  server.use(onRoute(authRoutes.listSessions, () => ok([])));
  const { user } = renderApp();
  await user.type(await openPalette(user), 'show the activity{Enter}');
  await screen.findByRole('complementary', { name: 'Activity' });
  await user.type(await openPalette(user), 'own sessions{Enter}');
  await screen.findByRole('dialog', { name: 'Open sessions' });
});

test('finds the saved views of each list that may be read, and shows the list by them [§2.28]', async () => {
  const own = {
    id: 'v1',
    list: 'tenants',
    name: 'Night shift',
    query: 'q=night',
    roleId: null,
    isOwn: true,
    version: 1,
  };
  const rights = { permissions: ['tenants.read'], grantedBy: ['Administrator'] };
  server.use(
    onRoute(accountRoutes.rights, () => ok(rights)),
    onRoute(viewRoutes.list, ({ request }) => ok(request.url.includes('tenants') ? [own] : [])),
  );
  const { user } = renderApp();
  await user.type(await openPalette(user), 'night shift');
  await palette().findByRole('option', { name: /Night shift/ });
  await user.keyboard('{Enter}');
  expect(screen.getByTestId('address').textContent).toBe('/tenants?q=night');
  await user.type(await openPalette(user), 'expiring in 30');
  await palette().findByRole('option', { name: /Expiring in 30 days/ });
  // The list of databases cannot be read.
  expect(palette().queryByRole('option', { name: /Old schema/ })).toBeNull();
});
