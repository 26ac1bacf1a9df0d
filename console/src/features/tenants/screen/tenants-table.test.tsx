import { findingRoutes } from '@apotheca/contract/findings';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { notify } from '../../../components/toast/toast.tsx';
import { addDays } from '../../../lib/expiry.ts';
import { localDay, utcDay } from '../../../lib/moment.ts';
import { liveOnAnotherDay } from '../../../testing/other-day.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { keepSavedFiles } from '../../../testing/saved-files.ts';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { failureNotice, findRow, shownNames, sortOf } from '../../../testing/table.ts';
import { makeTenant, STATUSES } from '../../../testing/tenants.ts';
import { TenantsTable } from './tenants-table.tsx';

const cedar = makeTenant({
  code: 'CEDARVA',
  customerCode: 'Cedar Valley Allergy',
  phone: '+1 217',
  tenantStatusId: 'live',
  createdOnUtc: '2026-11-05T12:00:00.000Z',
});
const harbor = makeTenant({
  code: 'HARBORPED',
  customerCode: 'Harbor Pediatrics',
  firstName: 'Tomás',
  lastName: 'Herrera',
  email: 'tomas@harbor.test',
  phone: '(207) 555-0177',
  city: 'Portland',
  state: 'ME',
  isActive: false,
  tenantStatusId: 'suspended',
  tenantStatus: { name: 'Suspended' },
  emrId: 'epic',
  emr: { name: 'Epic' },
  timezoneId: 'America/New_York',
  timezone: { displayName: '(UTC-05:00) Eastern Time (New York)' },
});

const { asked, answer: listOf } = keepQueries(tenantRoutes.list);

mockServer(
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  listOf([cedar, harbor]),
);

const onOpen = vi.fn();
const onOpenPage = vi.fn();
const renderTable = (route = '/tenants') => {
  asked.length = 0;
  const table = <TenantsTable tenantLink={(code) => `/tenants/${code}`} onOpenPage={onOpenPage} onOpen={onOpen} />;
  return renderWithStore(table, { route });
};

test("all columns of the specification show a tenant's data, in short where it is long [§2.6]", async () => {
  renderTable();
  const row = await findRow('Harbor Pediatrics');
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '',
    'Customer Name',
    'Tenant Code',
    'Active',
    'Status',
    'EMR',
    'Contact Name',
    'Address',
    'Phone',
    'Time Zone',
    'Expiry Date',
    'Created On',
    'Actions',
  ]);
  const cells = [...within(row).getAllByRole('rowheader'), ...within(row).getAllByRole('cell').slice(1, -1)];
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'Harbor Pediatrics',
    'HARBORPED',
    'Inactive',
    'Suspended',
    'Epic',
    'Tomás Herrera',
    'Portland, ME',
    '(207) 555-0177',
    'Eastern (New York)',
    '2099-01-01',
    localDay(new Date(harbor.createdOnUtc)),
  ]);
  screen.getByText('Displaying 2 of 2 results');
  expect(screen.getByText('Eastern (New York)').title).toBe('(UTC-05:00) Eastern Time (New York)');
});

test("a tenant's name leads to its page [§2.6]", async () => {
  renderTable();
  await findRow('Harbor');
  expect(screen.getByRole('link', { name: 'Harbor Pediatrics' }).getAttribute('href')).toBe('/tenants/HARBORPED');
});

test('the list is sorted by code ascending by default [§2.6]', async () => {
  renderTable();
  await findRow('Cedar');
  expect(asked).toEqual([{ sortColumn: 'code', sortDirection: 'asc' }]);
  expect(screen.getByRole('columnheader', { name: 'Tenant Code' }).getAttribute('aria-sort')).toBe('ascending');
});

test('a click on the sorted column reverses the order, another column sorts ascending [§4]', async () => {
  const { router, user } = renderTable();
  await findRow('Cedar');
  await user.click(screen.getByRole('button', { name: 'Tenant Code' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn: 'code', sortDirection: 'desc' }));
  expect(screen.getByRole('columnheader', { name: 'Tenant Code' }).getAttribute('aria-sort')).toBe('descending');
  await user.click(screen.getByRole('button', { name: 'Expiry Date' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn: 'subscriptionEndDate', sortDirection: 'asc' }));
  expect(router.state.location.search).toBe('?sort=subscriptionEndDate&dir=asc');
  expect(screen.getByRole('columnheader', { name: 'Tenant Code' }).hasAttribute('aria-sort')).toBe(false);
});

test.each([
  ['Customer Name', 'customerCode'],
  ['EMR', 'emrId'],
  ['Contact Name', 'firstName'],
])('%s is sorted by %s [§2.6]', async (header, sortColumn) => {
  const { user } = renderTable();
  await user.click(await screen.findByRole('button', { name: header }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn, sortDirection: 'asc' }));
});

test('the other columns cannot be sorted [§2.6]', async () => {
  renderTable();
  await findRow('Cedar');
  for (const header of ['Phone', 'Address', 'Time Zone', 'Active', 'Status', 'Created On']) {
    expect(within(screen.getByRole('columnheader', { name: header })).queryByRole('button')).toBeNull();
  }
});

test('sort and filters are read from the address, and invalid ones become the default [§2.6]', async () => {
  const first = renderTable('/tenants?sort=firstName&dir=desc&q=harbor&status=suspended&active=inactive');
  await findRow('Harbor');
  expect(asked).toEqual([{ sortColumn: 'firstName', sortDirection: 'desc' }]);
  expect(shownNames()).toEqual(['Harbor Pediatrics']);
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter tenants' }).value).toBe('harbor');
  screen.getByRole('button', { name: 'Filter by Active: Inactive' });
  screen.getByRole('button', { name: 'Filter by Status: Suspended' });
  first.unmount();

  renderTable('/tenants?sort=password&dir=up&active=maybe&status=bogus');
  await findRow('Cedar');
  expect(asked).toEqual([{ sortColumn: 'code', sortDirection: 'asc' }]);
  expect(shownNames()).toEqual(['Cedar Valley Allergy', 'Harbor Pediatrics']);
});

test('a tenant whose end day is before today in UTC is expired, in words too; one that ends today is not [§9]', async () => {
  liveOnAnotherDay();
  const today = utcDay();
  server.use(
    listOf([
      makeTenant({ customerCode: 'Yesterday', subscriptionEndDate: addDays(today, -1) }),
      makeTenant({ customerCode: 'Today', subscriptionEndDate: today }),
    ]),
  );
  renderTable();
  expect(within(await findRow('Yesterday')).queryByText('Expired')).not.toBeNull();
  expect(within(await findRow('Today')).queryByText('Expired')).toBeNull();
  cleanup();
  renderTable('/tenants?q=expired');
  await findRow('Yesterday');
  expect(shownNames()).toEqual(['Yesterday']);
  cleanup();
  renderTable('/tenants?expires=30');
  await findRow('Today');
  expect(shownNames()).toEqual(['Today']);
});

test('a tenant whose end was put off says to which day, and is not found as expired [§9] [DECISIONS §13]', async () => {
  const today = utcDay();
  const [yesterday, later] = [addDays(today, -1), addDays(today, 6)];
  const putOff = { subscriptionEndDate: yesterday, postponedTo: later };
  server.use(
    listOf([
      makeTenant({ customerCode: 'Ended', subscriptionEndDate: yesterday }),
      makeTenant({ customerCode: 'Put off', ...putOff }),
      makeTenant({ customerCode: 'Once put off', ...putOff, postponedTo: yesterday }),
      makeTenant({ customerCode: 'Extended', subscriptionEndDate: addDays(today, 90), postponedTo: later }),
    ]),
  );
  renderTable();
  const row = within(await findRow('Put off'));
  row.getByTitle(`Put off to ${later}`);
  // In sight, unlike what an expired one has for screen readers.
  expect(row.getByText(`Put off to ${later}`).className).not.toContain('visually-hidden');
  expect(row.queryByText('Expired')).toBeNull();
  cleanup();
  renderTable('/tenants?q=expired');
  await findRow('Ended');
  expect(shownNames()).toEqual(['Ended', 'Once put off']);
  cleanup();
  renderTable('/tenants?expires=30');
  await findRow('Put off');
  expect(shownNames()).toEqual(['Put off']);
});

test.each([
  ['name', 'cedar'],
  ['code', 'DARVA'],
  ['contact', 'maya ort'],
  ['city', 'spring'],
  ['e-mail', 'maya@customer'],
  ['phone', '1217'],
  ['EMR', 'athena'],
  ['time zone', 'america/chi'],
  ['status', 'live'],
  ['city and state together', 'Springfield, IL'],
  ['day of creation', '2026-11'],
])('the text filter finds the %s and the footer counts the shown rows [§2.6]', async (_field, text) => {
  const { router } = renderTable();
  await findRow('Harbor');
  fireEvent.change(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter tenants' }), {
    target: { value: text },
  });
  await screen.findByText('Displaying 1 of 2 results');
  expect(shownNames()).toEqual(['Cedar Valley Allergy']);
  await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('q')).toBe(text));
  expect(asked).toHaveLength(1);
});

test('columns of few values filter the list, with counts, several at once, and are cleared together [§2.6]', async () => {
  const { user, router } = renderTable();
  await findRow('Harbor');
  await user.click(screen.getByRole('button', { name: 'Filter by Status: any' }));
  await user.click(screen.getByRole('checkbox', { name: 'Live (1)' }));
  expect(shownNames()).toEqual(['Cedar Valley Allergy']);
  await user.click(screen.getByRole('checkbox', { name: 'Suspended (1)' }));
  expect(shownNames()).toHaveLength(2);
  screen.getByRole('button', { name: 'Filter by Status: 2 chosen' });
  await user.click(screen.getByRole('button', { name: 'Filter by Active: any' }));
  await user.click(screen.getByRole('checkbox', { name: 'Inactive (1)' }));
  expect(shownNames()).toEqual(['Harbor Pediatrics']);
  expect(router.state.location.search).toBe('?status=live&status=suspended&active=inactive');
  // What the other filters leave is counted.
  await user.click(screen.getByRole('button', { name: 'Filter by EMR: any' }));
  screen.getByRole('checkbox', { name: 'athenahealth (0)' });
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(shownNames()).toHaveLength(2);
  expect(router.state.location.search).toBe('');
});

test('/ focuses the filter, but not from inside a field [§2.6]', async () => {
  const { user } = renderTable();
  await findRow('Harbor');
  const filter = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter tenants' });
  await user.keyboard('/');
  expect(document.activeElement).toBe(filter);
  expect(filter.value).toBe('');
  await user.keyboard('a/b');
  expect(filter.value).toBe('a/b');
});

test('a filter without matches says so and can be cleared [§2.6]', async () => {
  const { user } = renderTable('/tenants?sort=code&dir=desc&q=nobody&active=active');
  await screen.findByText('No tenants match');
  screen.getByText('Displaying 0 of 2 results');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await findRow('Harbor');
  const filter = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter tenants' });
  expect(filter.value).toBe('');
  // The button is gone; the focus is in the filter.
  expect(document.activeElement).toBe(filter);
  expect(screen.getByRole('columnheader', { name: 'Tenant Code' }).getAttribute('aria-sort')).toBe('descending');
});

test('an empty list offers to create a tenant [§2.6]', async () => {
  server.use(listOf([]));
  const { user } = renderTable();
  await screen.findByText('No tenants yet');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(onOpen).toHaveBeenCalledWith({ kind: 'create' });
});

test('a failed load says why and can be retried [§2.6]', async () => {
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'The database cannot be reached. Please try again.')));
  const { user } = renderTable();
  await waitFor(() => expect(failureNotice()).toBe('The database cannot be reached. Please try again.Retry'));
  expect(screen.queryByText('No tenants yet')).toBeNull();
  server.use(listOf([cedar]));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findRow('Cedar');
  expect(failureNotice()).toBeUndefined();
});

test('the list of a finding waits for its records, says why they are not there, and loads them again [§2.5, §2.6]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(findingRoutes.records, async () => {
      await promise;
      return failed(503, 'Away.');
    }),
  );
  const { user, store } = renderTable('/tenants?finding=expired');
  const expectNoMatch = () => expect(screen.queryByText('No tenants match')).toBeNull();
  await waitFor(() => expect(asked).toHaveLength(1));
  // Nothing but the records is still waited for.
  await waitFor(() => expect(store.dispatch(api.util.getRunningQueriesThunk())).toHaveLength(1));
  expectNoMatch();
  expect(screen.getByRole('table').ariaBusy).toBe('true');
  resolve();
  await waitFor(() => expect(failureNotice()).toBe('Away.Retry'));
  expectNoMatch();
  const record = { id: harbor.id, name: harbor.code, tenantCode: harbor.code, detail: '', at: null, snooze: null };
  server.use(onRoute(findingRoutes.records, () => ok([record])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findRow('Harbor');
  expect(shownNames()).toEqual(['Harbor Pediatrics']);
  expect(failureNotice()).toBeUndefined();
});

test('a list can be filtered by all that a finding is not about [§2.5, §2.6]', async () => {
  const record = { id: harbor.id, name: harbor.code, tenantCode: harbor.code, detail: '', at: null, snooze: null };
  server.use(onRoute(findingRoutes.records, () => ok([record])));
  const { user, router } = renderTable('/tenants?finding=expired');
  await findRow('Harbor');
  await user.click(screen.getByRole('button', { name: /^Filter by Dashboard/ }));
  await user.click(screen.getByRole('checkbox', { name: /^All others/ }));
  await user.click(screen.getByRole('checkbox', { name: /^Expired/ }));
  expect(shownNames()).toEqual(['Cedar Valley Allergy']);
  expect(router.state.location.search).toBe('?finding=not-expired');
  await user.click(screen.getByRole('checkbox', { name: /^Expired/ }));
  expect(shownNames()).toEqual(['Cedar Valley Allergy', 'Harbor Pediatrics']);
});

test('each failed load is one error toast [§8]', async () => {
  const toast = vi.spyOn(notify, 'error');
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'Away.')));
  const { user } = renderTable();
  await waitFor(() => expect(toast.mock.calls).toEqual([['Away.']]));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(toast.mock.calls).toEqual([['Away.'], ['Away.']]));
  server.use(listOf([cedar]));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findRow('Cedar');
  expect(toast).toHaveBeenCalledTimes(2);
});

test('a failed sort says so, keeps the old mark, and a second click retries [§2.6, §4]', async () => {
  const { user } = renderTable();
  await findRow('Cedar');
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'Away.')));
  await user.click(screen.getByRole('button', { name: 'Expiry Date' }));
  await waitFor(() => expect(failureNotice()).toBe('Away.Retry'));
  expect([sortOf('Tenant Code'), sortOf('Expiry Date')]).toEqual(['ascending', null]);
  expect(shownNames()).toEqual(['Cedar Valley Allergy', 'Harbor Pediatrics']);
  server.use(listOf([harbor, cedar]));
  await user.click(screen.getByRole('button', { name: 'Expiry Date' }));
  await waitFor(() => expect(shownNames()).toEqual(['Harbor Pediatrics', 'Cedar Valley Allergy']));
  expect([sortOf('Tenant Code'), sortOf('Expiry Date')]).toEqual([null, 'ascending']);
  expect(failureNotice()).toBeUndefined();
  // A failed reload of the same sort keeps its own mark.
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'Away again.')));
  await user.click(screen.getByRole('button', { name: 'Expiry Date' }));
  await waitFor(() => expect(failureNotice()).toBe('Away again.Retry'));
  expect(sortOf('Expiry Date')).toBe('ascending');
});

test('while the list loads the table is marked as busy [§2.6]', async () => {
  server.use(onRoute(tenantRoutes.list, () => new Promise<HttpResponse<null>>(() => {})));
  renderTable();
  const table = await screen.findByRole('table', { name: 'Tenants' });
  expect(table.getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText('No tenants yet')).toBeNull();
});

test('the shown rows are saved as CSV, without formulas [§2.6]', async () => {
  const saved = keepSavedFiles();
  const { user } = renderTable('/tenants?q=cedar');
  await findRow('Cedar');
  await user.click(screen.getByRole('button', { name: 'Download the shown tenants as CSV' }));
  expect(saved).toHaveLength(1);
  const [head, row, end] = ((await saved[0]?.content.text()) ?? '').split('\r\n');
  expect(head).toContain(
    'Customer Name,Tenant Code,Active,Status,EMR,Contact Name,Address,Phone,Time Zone,Expiry Date',
  );
  expect(row).toContain('Cedar Valley Allergy,CEDARVA,Active,Live,athenahealth,Maya Ortiz,"Springfield, IL",\'+1 217,');
  expect(end).toBe('');
});

test('columns can be hidden, but for the name of a row [§2.6]', async () => {
  const { user } = renderTable();
  await findRow('Harbor');
  await user.click(screen.getByRole('button', { name: 'Choose columns' }));
  expect(screen.queryByRole('checkbox', { name: 'Customer Name' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Phone' }));
  expect(screen.queryByRole('columnheader', { name: 'Phone' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Phone' }));
  screen.getByRole('columnheader', { name: 'Phone' });
});

test('the bar of the selected rows stands below them, where it takes none from under the pointer [§2.25] [§9]', async () => {
  const { user } = renderTable();
  await findRow('Harbor');
  await user.click(screen.getByRole('checkbox', { name: 'Select Harbor Pediatrics' }));
  const rows = screen.getByRole('region', { name: 'Tenants' });
  expect(rows.nextElementSibling).toBe(screen.getByRole('region', { name: 'Selected rows' }));
});
