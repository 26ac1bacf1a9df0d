import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addDays } from '../../lib/expiry.ts';
import { utcDay } from '../../lib/moment.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { LicencesPage } from './licences-page.tsx';

const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley Allergy' });
const harbor = makeTenant({
  code: 'HARBORPED',
  customerCode: 'Harbor Pediatrics',
  firstName: 'Tomás',
  lastName: 'Herrera',
  phone: '(207) 555-0177',
  city: 'Portland',
  state: 'ME',
  isActive: false,
  tenantStatus: { name: 'Suspended' },
  emr: { name: 'Epic' },
  subscriptionEndDate: addDays(utcDay(), -1),
});

/** The queries of the list's calls. */
let asked: Record<string, string>[] = [];
const listOf = (tenants: Tenant[]) =>
  onRoute(tenantRoutes.list, ({ request }) => {
    asked.push(Object.fromEntries(new URL(request.url).searchParams));
    return ok(tenants);
  });

mockServer(listOf([cedar, harbor]));

const renderPage = (route = '/licence') => {
  asked = [];
  return renderWithStore(<LicencesPage />, { route });
};
const findRow = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const sortOf = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');

test("the page is a read-only table of the tenants in the specification's columns [§2.12]", async () => {
  renderPage();
  const row = await findRow('Harbor');
  screen.getByRole('heading', { level: 1, name: 'Licence Management' });
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Licence Id',
    'Customer Name',
    'Tenant Code',
    'Licence Type',
    'Exp. Date',
    'Contact Name',
    'Address',
    'Contact Phone',
    'Active',
    'Status',
  ]);
  const cells = [...within(row).getAllByRole('rowheader'), ...within(row).getAllByRole('cell')];
  expect(cells.map((cell) => cell.textContent?.trim())).toEqual([
    harbor.id.slice(0, 8),
    'Harbor Pediatrics',
    'HARBORPED',
    'Epic',
    `Expired ${harbor.subscriptionEndDate}`,
    'Tomás Herrera',
    'Portland, ME',
    '(207) 555-0177',
    'Inactive',
    'Suspended',
  ]);
  expect(within(row).getByRole('rowheader').title).toBe(harbor.id);
  screen.getByText('Displaying 2 of 2 results');
  expect(screen.queryByRole('button', { name: 'Create' })).toBeNull();
});

test('only a licence whose end day has passed is marked as expired [§9]', async () => {
  renderPage();
  expect(within(await findRow('Harbor')).queryByText('Expired')).not.toBeNull();
  expect(within(await findRow('Cedar')).queryByText('Expired')).toBeNull();
});

test('a licence whose end was put off says to which day, and is not found as expired [§9] [DECISIONS §13]', async () => {
  const later = addDays(utcDay(), 6);
  server.use(onRoute(tenantRoutes.list, () => ok([cedar, { ...harbor, postponedTo: later }])));
  const all = renderPage();
  const row = within(await findRow('Harbor'));
  row.getByTitle(`Put off to ${later}`);
  expect(row.queryByText('Expired')).toBeNull();
  all.unmount();
  renderPage('/licence?q=expired');
  await screen.findByText('No licences match');
});

test('the whole licence id can be copied [§2.12]', async () => {
  const { user } = renderPage();
  await findRow('Cedar');
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(screen.getByRole('button', { name: 'Copy the licence id of Cedar Valley Allergy' }));
  await screen.findByText('Copied to the clipboard.');
  expect(write).toHaveBeenCalledExactlyOnceWith(cedar.id);
});

test.each([
  ['Customer Name', 'customerCode'],
  ['Licence Type', 'emrId'],
  ['Contact Name', 'firstName'],
  ['Exp. Date', 'subscriptionEndDate'],
])('%s is sorted by %s [§2.12]', async (header, sortColumn) => {
  const { user } = renderPage();
  await findRow('Cedar');
  expect(asked).toEqual([{ sortColumn: 'code', sortDirection: 'asc' }]);
  expect(sortOf('Tenant Code')).toBe('ascending');
  await user.click(screen.getByRole('button', { name: header }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn, sortDirection: 'asc' }));
  expect(sortOf(header)).toBe('ascending');
});

test.each([
  ['id', cedar.id],
  ['customer', 'cedar'],
  ['code', 'darva'],
  ['licence type', 'athena'],
  ['contact', 'maya ort'],
  ['phone', '2175550142'],
  ['address', 'spring'],
  ['status', 'live'],
])('the text filter finds the %s [§2.12]', async (_field, text) => {
  renderPage();
  await findRow('Harbor');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Filter licences' }), { target: { value: text } });
  await screen.findByText('Displaying 1 of 2 results');
  screen.getByRole('row', { name: /Cedar/ });
  expect(asked).toHaveLength(1);
});

test('an empty list, a filter without matches, and a failed load each say so [§2.12]', async () => {
  server.use(listOf([]));
  const first = renderPage();
  await screen.findByText('No licences yet: they come with tenants');
  first.unmount();

  server.use(listOf([cedar]));
  const second = renderPage('/licence?q=nobody');
  await screen.findByText('No licences match');
  await second.user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await findRow('Cedar');
  second.unmount();

  server.use(onRoute(tenantRoutes.list, () => failed(503, 'Away.')));
  const third = renderPage();
  await waitFor(() => expect(document.querySelector('.data-table [role=alert]')?.textContent).toBe('Away.Retry'));
  server.use(listOf([cedar]));
  await third.user.click(screen.getByRole('button', { name: 'Retry' }));
  await findRow('Cedar');
});
