import { accountRoutes } from '@apotheca/contract/account';
import { auditRoutes } from '@apotheca/contract/audit';
import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { flushSync } from 'react-dom';
import { Provider } from 'react-redux';
import { BrowserRouter, Route, Routes } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../../api/http/client.ts';
import { TENANTS_AS_LISTED } from '../../api/tenants.ts';
import { leaveBy } from '../../components/dialog/use-unsaved-guard.ts';
import { addDays } from '../../lib/expiry.ts';
import { utcDay } from '../../lib/moment.ts';
import { keepListsFresh } from '../../lists/list-freshness.ts';
import { RightsProvider } from '../../rights/rights.tsx';
import { makeEntry } from '../../testing/audit.ts';
import { makeSchedule } from '../../testing/backup-schedules.ts';
import { makeBackup, makeDatabase, makeDetails, makePlan, makeRestorePlan } from '../../testing/databases.ts';
import { factOf, fill, findField } from '../../testing/fields.ts';
import { makeOperation, mockOperation } from '../../testing/operations.ts';
import { liveOnAnotherDay } from '../../testing/other-day.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { EMRS, makeTenant, STATUSES, TIMEZONES } from '../../testing/tenants.ts';
import { PATHS, tenantPath } from '../navigation/paths.ts';
import { addApi } from '../state/api-store.ts';
import { makeStore } from '../state/store.ts';
import { TenantPage } from './tenant-page.tsx';

const NAME = 'Cedar Valley Allergy';
const DATABASE = makeDatabase({ databaseName: 'CEDARVA', tenantCode: 'CEDARVA', customerCode: NAME });
const proved = makeBackup({
  proof: {
    result: 'proved',
    endedOnUtc: '2026-03-04T10:30:00.000Z',
    restoreMs: 1000,
    comparedWith: 'checksums',
    reason: '',
    tables: [],
  },
});

/** The data of the mocked server. */
let tenants: Tenant[] = [];

mockServer(
  onRoute(tenantRoutes.list, () => ok(tenants)),
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(tenantRoutes.listTimezones, () => ok(TIMEZONES)),
  onRoute(tenantRoutes.listEmrs, () => ok(EMRS)),
  onRoute(tenantRoutes.planDeletion, () => ok(makePlan())),
  onRoute(databaseRoutes.list, () => ok([DATABASE])),
  onRoute(databaseRoutes.details, () => ok(makeDetails({ tables: [{ name: 'users', rows: 321, sizeBytes: 8192 }] }))),
  onRoute(databaseRoutes.sizes, () => ok([{ day: '2026-03-04', sizeBytes: 8192 }])),
  onRoute(backupRoutes.list, () => ok([proved])),
  onRoute(backupScheduleRoutes.get, () => ok(makeSchedule())),
  onRoute(operationRoutes.list, () => ok([])),
  onRoute(tenantPermissionRoutes.list, () => ok([])),
  onRoute(credentialRoutes.connection, () => failed(403, "You need the permission 'tenants.credentials'.")),
);

async function renderPage(fields: Partial<Tenant> = {}, route = '/tenants/CEDARVA') {
  const cedar = makeTenant({ code: 'CEDARVA', customerCode: NAME, ...fields });
  tenants = [cedar];
  // With the address of the list, to which a deletion leads.
  const view = renderWithStore(<TenantPage />, { route, path: `${PATHS.tenant}?` });
  await screen.findByRole('heading', { level: 1, name: NAME });
  return { ...view, cedar };
}

const openView = async (user: Awaited<ReturnType<typeof renderPage>>['user'], name: string) =>
  user.click(within(screen.getByRole('navigation', { name: 'Views of the tenant' })).getByRole('link', { name }));

const health = () => screen.getByRole('heading', { name: 'Health' }).closest('section') as HTMLElement;

test('the summary shows the tenant as text, whatever the case of the address [§2.24]', async () => {
  await renderPage({ timezoneId: 'UTC', addressLine2: 'Suite 4', licenseCount: 1200 }, '/tenants/cedarva');
  expect(factOf('Tenant Code')).toBe('CEDARVA');
  expect(factOf('Status')).toBe('Live');
  expect(factOf('License Count')).toBe('1,200');
  expect(factOf('Active')).toContain('Active');
  expect(factOf('Expiry Date')).toMatch(/2099-01-01 subscription ends in \d+,\d{3} days/);
  expect(factOf('Time Zone')).toMatch(/now \w{3},? \d\d:\d\d$/);
  expect(factOf('Address')).toBe('12 Elm Street\nSuite 4\nSpringfield, IL 62701');
  expect(screen.queryByRole('textbox')).toBeNull();
  await screen.findByText('All is well.');
});

test('the summary says that a tenant is deactivated [§2.24]', async () => {
  await renderPage({ isActive: false });
  expect(factOf('Active').trim()).toBe('Inactive');
});

test.each([
  [{ city: 'Austin', state: '', zipCode: '' }, 'Austin'],
  [{ city: 'Austin', state: '', zipCode: '78701' }, 'Austin, 78701'],
  [{ city: '', state: 'TX', zipCode: '' }, 'TX'],
])('an address that is not whole has no rests of what is missing: %j [§2.24]', async (parts, address) => {
  await renderPage({ addressLine1: '', ...parts });
  expect(factOf('Address')).toBe(address);
});

test.each([
  [0, /^\d{4}-\d\d-\d\d subscription ends today$/],
  [-1, /^ ?Expired \d{4}-\d\d-\d\d subscription ended yesterday$/],
])(
  'the end of a subscription is a day in UTC, wherever the browser is: %i days from now [§2.24, §9]',
  async (days, text) => {
    liveOnAnotherDay();
    await renderPage({ subscriptionEndDate: addDays(utcDay(), days) });
    expect(factOf('Expiry Date')).toMatch(text);
  },
);

test('an end that was put off counts as it does now, in the health and in the summary [§2.24] [DECISIONS §13]', async () => {
  const [ended, putOff] = [addDays(utcDay(), -5), addDays(utcDay(), 7)];
  await renderPage({ subscriptionStartDate: '2020-01-01', subscriptionEndDate: ended, postponedTo: putOff });
  await screen.findByText(`The subscription ends on ${putOff}.`);
  expect(factOf('Expiry Date')).toBe(`${putOff} subscription ends in 7 daysThe end was put off from ${ended}.`);
});

test('a tenant without needs is well; with needs, each has what mends it [§2.24]', async () => {
  server.use(
    onRoute(databaseRoutes.list, () => ok([{ ...DATABASE, access: 'closed', isOutdated: true }])),
    onRoute(backupRoutes.list, () => ok([])),
    onRoute(operationRoutes.list, () =>
      ok([makeOperation({ databaseId: DATABASE.id, state: 'failed', message: 'The disk is full.' })]),
    ),
  );
  const { user, cedar } = await renderPage({ isActive: false });
  const findings = ['deactivated', 'closed', 'older than the server', 'no backup', 'The disk is full.'];
  for (const text of findings) await screen.findByText(new RegExp(text));
  expect(screen.queryByText('All is well.')).toBeNull();
  const activated: string[] = [];
  server.use(
    onRoute(tenantRoutes.activate, ({ request }) => {
      activated.push(new URL(request.url).searchParams.get('id') ?? '');
      tenants = [{ ...cedar, isActive: true }];
      return ok({ id: cedar.id });
    }),
  );
  await user.click(within(health()).getByRole('button', { name: 'Activate' }));
  await waitFor(() => expect(within(health()).queryByText(/deactivated/)).toBeNull());
  expect(activated).toEqual([cedar.id]);
  await user.click(within(health()).getByRole('button', { name: 'Back up' }));
  await screen.findByRole('dialog', { name: 'Back Up Database' });
});

test('a failure that a clock dated that was ahead is over with the next success [§2.24]', async () => {
  const ofDatabase = { databaseId: DATABASE.id, kind: 'backup' } as const;
  const createdOnUtc = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const failure = makeOperation({ ...ofDatabase, state: 'failed', message: 'The disk is full.', createdOnUtc });
  server.use(onRoute(operationRoutes.list, () => ok([failure])));
  const { unmount } = await renderPage();
  await screen.findByText(/The disk is full\./);
  unmount();
  const success = makeOperation({ ...ofDatabase, state: 'succeeded', createdOnUtc: new Date().toISOString() });
  server.use(onRoute(operationRoutes.list, () => ok([failure, success])));
  await renderPage();
  await screen.findByText('All is well.');
});

test('the last operation is that of its database, whatever name this or another one had then [§2.24]', async () => {
  const failure = { kind: 'backup', state: 'failed', createdOnUtc: new Date().toISOString() } as const;
  const former = makeOperation({ ...failure, databaseName: 'CEDARVA', message: 'The former one failed.' });
  server.use(onRoute(operationRoutes.list, () => ok([former])));
  const { unmount } = await renderPage();
  await screen.findByText('All is well.');
  expect(within(health()).queryByRole('button', { name: 'Retry' })).toBeNull();
  unmount();
  const own = { ...failure, databaseId: DATABASE.id, databaseName: 'CEDAR', message: 'The disk is full.' };
  server.use(onRoute(operationRoutes.list, () => ok([former, makeOperation(own)])));
  await renderPage();
  await screen.findByText(/The disk is full\./);
  within(health()).getByRole('button', { name: 'Retry' });
});

test('where a tenant could not be loaded again after a change, its page says so and offers a retry [§2.24]', async () => {
  const { user, cedar } = await renderPage({ isActive: false });
  await screen.findByText('The tenant is deactivated.');
  server.use(
    onRoute(tenantRoutes.activate, () => {
      server.use(onRoute(tenantRoutes.list, () => failed(503, 'The list cannot be read.')));
      return ok({ id: cedar.id });
    }),
  );
  await user.click(within(health()).getByRole('button', { name: 'Activate' }));
  await screen.findByText('The list cannot be read.', { exact: false });
  expect(factOf('Tenant Code')).toBe('CEDARVA');
  server.use(onRoute(tenantRoutes.list, () => ok([{ ...cedar, isActive: true }])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByText('The tenant is deactivated.')).toBeNull());
  expect(screen.queryByText('The list cannot be read.', { exact: false })).toBeNull();
});

test('who may only read is told so at each button, before anything is tried [§2.24]', async () => {
  const rights = { permissions: ['tenants.read', 'databases.read'], grantedBy: ['Administrator'] };
  server.use(onRoute(accountRoutes.rights, () => ok(rights)));
  tenants = [makeTenant({ code: 'CEDARVA', customerCode: NAME, isActive: false })];
  const { user } = renderWithStore(
    <RightsProvider>
      <TenantPage />
    </RightsProvider>,
    { route: '/tenants/CEDARVA', path: PATHS.tenant },
  );
  await screen.findByText('The tenant is deactivated.');
  for (const name of ['Edit', 'Activate', 'Duplicate', 'Move', 'Delete']) {
    for (const button of screen.getAllByRole('button', { name }))
      await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
  }
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText(/^Your role lacks the permission 'Delete tenants'/);
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'View Tenant' }));
  const edit = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Edit' });
  expect(edit.getAttribute('aria-disabled')).toBe('true');
});

test('what the health cannot find out is said, and the summary stays [§2.24]', async () => {
  server.use(onRoute(backupRoutes.list, () => failed(403, "You need the permission 'databases.read'.")));
  await renderPage();
  await screen.findByText("You need the permission 'databases.read'.");
  expect(screen.queryByText('All is well.')).toBeNull();
  expect(factOf('Tenant Code')).toBe('CEDARVA');
});

test('what is refused is not shown any more [DECISIONS §5]', async () => {
  const { store, user } = await renderPage();
  await openView(user, 'Database');
  expect(await screen.findByText('users')).toBeDefined();
  const why = (permission: string) => `You need the permission '${permission}'.`;
  for (const call of [databaseRoutes.details, databaseRoutes.sizes])
    server.use(onRoute(call, () => failed(403, why('databases.read'))));
  act(() => void store.dispatch(api.util.invalidateTags(['Databases'])));
  await waitFor(() => expect(screen.getAllByText(why('databases.read'), { exact: false })).toHaveLength(2));
  expect(screen.queryByText('users')).toBeNull();
  expect(screen.queryByRole('img')).toBeNull();
  // The button stays as long as its list may be read.
  screen.getByRole('button', { name: 'View Tenant' });
  for (const call of [tenantRoutes.list, databaseRoutes.list])
    server.use(onRoute(call, () => failed(403, why('tenants.list'))));
  fireEvent.focus(window);
  await screen.findByText(why('tenants.list'), { exact: false });
  expect(screen.queryByText(NAME)).toBeNull();
  expect(screen.queryByRole('button', { name: 'View Tenant' })).toBeNull();
});

test('a database whose list is refused is not shown any more, and its tenant is [DECISIONS §5]', async () => {
  const { user } = await renderPage();
  await openView(user, 'Database');
  await screen.findByText('users');
  server.use(onRoute(databaseRoutes.list, () => failed(403, "You need the permission 'databases.list'.")));
  fireEvent.focus(window);
  await screen.findByText("You need the permission 'databases.list'.", { exact: false });
  expect(screen.queryByText('users')).toBeNull();
  screen.getByRole('heading', { level: 1, name: NAME });
});

test.each([
  ['databases', databaseRoutes.list],
  ['tenants', tenantRoutes.list],
] as const)(
  'what is typed on the page stays where the list of %s is refused, until it is discarded [DECISIONS §5]',
  async (name, call) => {
    const { user } = await renderPage({}, '/tenants/CEDARVA?view=backups');
    const frequency = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Frequency' });
    await user.selectOptions(frequency, 'daily');
    server.use(onRoute(call, () => failed(403, `You need the permission '${name}.list'.`)));
    fireEvent.focus(window);
    await screen.findByText(`You need the permission '${name}.list'.`, { exact: false });
    expect(frequency.isConnected).toBe(true);
    expect(frequency.value).toBe('daily');
    await user.selectOptions(frequency, 'default');
    await waitFor(() => expect(frequency.isConnected).toBe(false));
  },
);

test('backups that are refused are no findings of the health any more [DECISIONS §5]', async () => {
  server.use(onRoute(backupRoutes.list, () => ok([])));
  const { store } = await renderPage();
  await waitFor(() => expect(health().textContent).toContain('There is no backup.'));
  server.use(onRoute(backupRoutes.list, () => failed(403, "You need the permission 'databases.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Backups'])));
  await waitFor(() => expect(health().textContent).toContain('databases.read'));
  expect(health().textContent).not.toContain('There is no backup.');
});

test('while its database is unknown nothing is said to be well, and nothing to be loaded that is not [§2.24]', async () => {
  server.use(onRoute(databaseRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = await renderPage();
  await screen.findByText('The database cannot be reached.', { exact: false });
  await waitFor(() => expect(screen.queryByText('Looking at backups and operations')).toBeNull());
  expect(screen.queryByText('All is well.')).toBeNull();
  for (const view of ['Database', 'Backups']) {
    await openView(user, view);
    expect(screen.queryByText('Loading the database')).toBeNull();
  }
  await openView(user, 'Summary');
  server.use(onRoute(databaseRoutes.list, () => ok([DATABASE])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('All is well.');
});

test('nothing is said to be well while its database is still being loaded [§2.24]', async () => {
  const databases = Promise.withResolvers<void>();
  server.use(
    onRoute(databaseRoutes.list, async () => {
      await databases.promise;
      return ok([DATABASE]);
    }),
  );
  const { store } = await renderPage();
  const queries = () => Object.values(store.getState()[api.reducerPath]?.queries ?? {});
  const pending = () => queries().flatMap((one) => (one?.status === 'pending' ? [one.endpointName] : []));
  await waitFor(() => expect(pending()).toEqual(['listDatabases']));
  screen.getByText('Looking at backups and operations');
  expect(screen.queryByText('All is well.')).toBeNull();
  databases.resolve();
  await screen.findByText('All is well.');
});

test('each view stands in the address and has its parts [§2.24]', async () => {
  server.use(
    onRoute(auditRoutes.list, ({ request }) => {
      const { searchParams } = new URL(request.url);
      return searchParams.get('entity') === 'databases' && searchParams.get('entityId') === DATABASE.id
        ? ok([makeEntry({ id: '8', action: 'databases.backup' })])
        : ok([makeEntry({ id: '9', action: 'tenants.edit' }), makeEntry({ id: '7', action: 'tenants.create' })]);
    }),
  );
  const { user, router } = await renderPage();
  await openView(user, 'Database');
  expect(router.state.location.search).toBe('?view=database');
  await screen.findByText('Name in PostgreSQL');
  await screen.findByText('8 kB on 2026-03-04. The next size comes tomorrow.');
  await screen.findByRole('button', { name: 'Rename CEDARVA' });
  await openView(user, 'Backups');
  await screen.findByRole('table', { name: 'Backups' });
  await screen.findByRole('button', { name: 'Save schedule' });
  await openView(user, 'Permissions');
  await screen.findByRole('button', { name: 'Sync Permissions' });
  await openView(user, 'People and Sessions');
  await waitFor(() => expect(factOf('Users in its database')).toBe('321'));
  // One part that is refused takes no other with it.
  await screen.findByText("You need the permission 'tenants.credentials'.");
  await openView(user, 'History');
  const history = await screen.findByRole('list', { name: 'History, newest first' });
  const actions = within(history).getAllByText(/^(tenants|databases)\./);
  expect(actions.map(({ textContent }) => textContent)).toEqual(['tenants.edit', 'databases.backup', 'tenants.create']);
});

test.each([
  ['View Tenant', 'View Tenant'],
  ['Manage Tenant', 'Manage Tenant'],
  ['Edit', 'Edit Tenant'],
  ['Duplicate', 'Duplicate Tenant'],
  ['Delete', 'Delete Tenant CEDARVA'],
])('%s opens %s, and closing it gives the focus back [§2.24]', async (button, title) => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog', { name: title });
  await user.click(within(dialog).getAllByRole('button', { name: /^(Close|Cancel)$/ })[0] ?? dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: button }));
});

test.each([
  ['a database', [DATABASE], false],
  ['no database', [], true],
])(
  'the deeds stand where they are from the beginning, also of a tenant with %s [§2.24]',
  async (_, databases, isRefused) => {
    const listed = Promise.withResolvers<void>();
    server.use(
      onRoute(databaseRoutes.list, async () => {
        await listed.promise;
        return ok(databases);
      }),
    );
    const { user } = await renderPage();
    const zone = screen.getByRole('heading', { name: 'Danger Zone' }).closest('section') as HTMLElement;
    const deeds = () =>
      within(zone)
        .getAllByRole('button')
        .map(({ textContent }) => textContent);
    const all = ['Deactivate', 'Duplicate', 'Move', 'Delete'];
    expect(deeds()).toEqual(all);
    const move = within(zone).getByRole<HTMLButtonElement>('button', { name: 'Move' });
    expect(move.disabled).toBe(true);
    listed.resolve();
    await waitFor(() => expect(move.disabled).toBe(false));
    expect(deeds()).toEqual(all);
    expect(move.dataset.refusal).toBe(isRefused ? 'The tenant has no database.' : undefined);
    if (isRefused) return;
    await user.click(move);
    await screen.findByRole('dialog', { name: 'Move to Another Server' });
  },
);

test('an unknown code leads back to the list, and a failed load offers a retry [§2.24]', async () => {
  tenants = [];
  const first = renderWithStore(<TenantPage />, { route: '/tenants/NOBODY', path: PATHS.tenant });
  await screen.findByText('No tenant has the code NOBODY');
  expect(screen.getByRole('link', { name: 'Back to Tenants' }).getAttribute('href')).toBe('/tenants');
  first.unmount();
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderWithStore(<TenantPage />, { route: '/tenants/CEDARVA', path: PATHS.tenant });
  await screen.findByText('The database cannot be reached.');
  tenants = [makeTenant({ code: 'CEDARVA', customerCode: NAME })];
  server.use(onRoute(tenantRoutes.list, () => ok(tenants)));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { level: 1, name: NAME });
});

test('a tenant is followed to its new code, and missing once it is deleted elsewhere [§2.24]', async () => {
  const { router, cedar } = await renderPage({}, '/tenants/CEDARVA?view=people');
  const reload = () => window.dispatchEvent(new Event('online'));
  tenants = [{ ...cedar, code: 'A/B %2' }];
  reload();
  await waitFor(() => expect(router.state.location.pathname).toBe(tenantPath('A/B %2')));
  expect(router.state.location.search).toBe('?view=people');
  tenants = [];
  reload();
  await screen.findByText('No tenant has the code A/B %2');
});

test.each([
  { where: 'on its page leads to the list', address: '/tenants/CEDARVA', end: '/tenants' },
  { where: "on another tenant's page stays there", address: '/tenants/LAKE', end: '/tenants/LAKE' },
])('a deletion left in the background that ends $where [§2.24] [DECISIONS §8]', async ({ address, end }) => {
  const { user, router, cedar } = await renderPage();
  const lake = makeTenant({ code: 'LAKE', customerCode: 'Lakeside' });
  tenants = [cedar, lake];
  const operation = mockOperation(tenantRoutes.delete, { kind: 'delete-tenant', databaseName: 'CEDARVA' });
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await findField('Tenant Code');
  fill('Tenant Code', 'CEDARVA');
  const dialog = within(screen.getByRole('dialog'));
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  await act(() => router.navigate(address));
  tenants = [lake];
  operation.succeed('Gone.', { id: cedar.id });
  await screen.findByText('Successfully deleted tenant.');
  await waitFor(() => expect(router.state.location.pathname).toBe(end));
  // Put back, it is there again.
  tenants = [cedar, lake];
  act(() => void window.dispatchEvent(new Event('online')));
  await act(() => router.navigate('/tenants/CEDARVA'));
  await waitFor(() => expect(factOf('Tenant Code')).toBe('CEDARVA'));
  expect(screen.queryByText('The tenant is being deleted.')).toBeNull();
});

test("Back to another tenant's page closes the dialog, and the way forward does not open it again [§2.24]", async () => {
  const { user, router, cedar } = await renderPage();
  tenants = [cedar, makeTenant({ code: 'LAKE', customerCode: 'Lakeside' })];
  act(() => void window.dispatchEvent(new Event('online')));
  await act(() => router.navigate('/tenants/LAKE'));
  await screen.findByRole('heading', { level: 1, name: 'Lakeside' });
  await user.click(screen.getByRole('button', { name: 'Manage Tenant' }));
  await screen.findByRole('dialog', { name: 'Manage Tenant' });
  await act(() => router.navigate(-1));
  await screen.findByRole('heading', { level: 1, name: NAME, hidden: true });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await act(() => router.navigate(1));
  await screen.findByRole('heading', { level: 1, name: 'Lakeside' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an open dialog stays when its tenant gets another code, or is deleted elsewhere [§2.24]', async () => {
  const { user, router, cedar } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Manage Tenant' }));
  await screen.findByRole('dialog', { name: 'Manage Tenant' });
  const reload = () => act(() => void window.dispatchEvent(new Event('online')));
  tenants = [{ ...cedar, code: 'CEDAR2' }];
  reload();
  await waitFor(() => expect(router.state.location.pathname).toBe('/tenants/CEDAR2'));
  await screen.findByRole('dialog', { name: 'Manage Tenant' });
  tenants = [];
  reload();
  await screen.findByText('No tenant has the code CEDAR2');
  screen.getByRole('dialog', { name: 'Manage Tenant' });
});

test('an open dialog stays when its tenant is deleted before the page is led to its new code [§2.24]', async () => {
  const { user, router, store, cedar } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Manage Tenant' }));
  await screen.findByRole('dialog', { name: 'Manage Tenant' });
  const listed = 'listTenants' as never;
  const answer = (list: Tenant[]) => {
    store.dispatch(api.util.updateQueryData(listed, TENANTS_AS_LISTED as never, () => list as never) as never);
    // What RTK Query keeps is told of later, or with the next action.
    store.dispatch({ type: 'told' });
  };
  act(() => {
    // Drawn once, so that the way to the new address has begun.
    flushSync(() => answer([{ ...cedar, code: 'CEDAR2' }]));
    answer([]);
  });
  await waitFor(() => expect(router.state.location.pathname).toBe('/tenants/CEDAR2'));
  await screen.findByText('No tenant has the code CEDAR2');
  screen.getByRole('dialog', { name: 'Manage Tenant' });
});

test('a new code takes nothing away that is typed; the page follows it afterwards [§2.24]', async () => {
  const cedar = makeTenant({ code: 'CEDARVA', customerCode: NAME });
  tenants = [cedar];
  window.history.replaceState(null, '', '/tenants/CEDARVA');
  const store = makeStore({ session: signedIn() });
  addApi(store);
  onTestFinished(keepListsFresh(store.dispatch));
  // With the browser's own history, in which what is typed has an entry.
  render(
    <Provider store={store}>
      <BrowserRouter>
        <Routes>
          <Route path={PATHS.tenant} element={<TenantPage />} />
        </Routes>
      </BrowserRouter>
    </Provider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'View Tenant' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Edit' }));
  const city = await findField('City');
  fill('City', 'Aspen');
  await waitFor(() => expect(window.history.state).toHaveProperty('unsaved'));
  tenants = [{ ...cedar, code: 'CEDAR2', customerCode: 'Cedar Hills' }];
  act(() => void window.dispatchEvent(new Event('online')));
  await screen.findByRole('heading', { level: 1, name: 'Cedar Hills', hidden: true });
  expect(city.isConnected).toBe(true);
  expect(city.value).toBe('Aspen');
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await user.click(await dialog.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(window.location.pathname).toBe('/tenants/CEDAR2'));
  screen.getByRole('heading', { level: 1, name: 'Cedar Hills' });
  expect(window.history.state).not.toHaveProperty('unsaved');
});

test('after a restore its database is shown as it is now [§2.24, DECISIONS §8]', async () => {
  const detailsOf = (rows: number) =>
    onRoute(databaseRoutes.details, () => ok(makeDetails({ tables: [{ name: 'users', rows, sizeBytes: 8192 }] })));
  server.use(
    onRoute(backupRoutes.planRestore, () => ok(makeRestorePlan({ replaces: true }), 'Every row is replaced.')),
    onRoute(backupRoutes.restore, () => {
      server.use(detailsOf(4321));
      return ok({ id: DATABASE.id, databaseName: 'CEDARVA', rows: 4321 }, 'CEDARVA is restored.');
    }),
  );
  const { user } = await renderPage({}, '/tenants/CEDARVA?view=database');
  await screen.findByRole('row', { name: 'users 321 8 kB' });
  await user.click(screen.getByRole('button', { name: 'More actions for CEDARVA' }));
  await user.click(screen.getByRole('menuitem', { name: 'Restore CEDARVA' }));
  await user.click(await screen.findByRole('radio'));
  await findField('Name of the replaced database');
  fill('Name of the replaced database', 'CEDARVA');
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: 'Replace CEDARVA' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  await screen.findByText('CEDARVA is restored.');
  await screen.findByRole('row', { name: 'users 4,321 8 kB' });
});

test('an edit is in the history on the screen as soon as it is saved [§2.24] [DECISIONS §13]', async () => {
  let entries = [makeEntry({ id: '7', action: 'tenants.create' })];
  server.use(onRoute(auditRoutes.list, ({ request }) => ok(request.url.includes('entity=tenants') ? entries : [])));
  const { user, cedar } = await renderPage({}, '/tenants/CEDARVA?view=history');
  await screen.findByText('tenants.create');
  server.use(
    onRoute(tenantRoutes.edit, () => {
      entries = [makeEntry({ id: '8', action: 'tenants.edit' }), ...entries];
      return ok({ id: cedar.id }, 'Saved.');
    }),
  );
  await user.click(screen.getByRole('button', { name: 'View Tenant' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Edit' }));
  await findField('City');
  fill('City', 'Aspen');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByText('tenants.edit');
});

test('a changed schedule that is not saved asks before a link or the palette leads away from it [§2.24]', async () => {
  server.use(onRoute(auditRoutes.list, () => ok([])));
  const { user, router } = await renderPage({}, '/tenants/CEDARVA?view=backups');
  const frequency = await screen.findByRole('combobox', { name: 'Frequency' });
  await user.selectOptions(frequency, 'daily');
  await openView(user, 'History');
  const asking = within(await screen.findByRole('dialog', { name: 'Discard changes?' }));
  expect(router.state.location.search).toBe('?view=backups');
  await user.click(asking.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((frequency as HTMLSelectElement).value).toBe('daily');
  const leave = vi.fn();
  act(() => leaveBy(leave));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
  expect(leave).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await openView(user, 'History');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(router.state.location.search).toBe('?view=history'));
});
