import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addDays } from '../../../lib/expiry.ts';
import { utcDay } from '../../../lib/moment.ts';
import { makeDatabaseServer, makeHomeServer } from '../../../testing/databaseservers.ts';
import { factOf, field, fill } from '../../../testing/fields.ts';
import { liveOnAnotherDay } from '../../../testing/other-day.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { cedar, renderTenantModal, tenantLookups } from '../../../testing/tenant-modal.tsx';
import { EMRS } from '../../../testing/tenants.ts';
import { TenantModal } from './tenant-modal.tsx';

mockServer(...tenantLookups);

const leave = (label: string) => fireEvent.blur(field(label));

test('a new tenant starts with the defaults of the specification, from today in UTC [§3, §9]', async () => {
  // The server counts the days of a subscription in UTC, wherever the browser is.
  liveOnAnotherDay();
  await renderTenantModal('create');
  const today = utcDay();
  const values = (labels: string[]) => labels.map((label) => field(label).value);
  expect(values(['Subscription Level', 'Start Date', 'Expiry Date', 'License Count', 'Status'])).toEqual([
    'Monthly',
    today,
    addDays(today, 30),
    '0',
    'new',
  ]);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Active' }).checked).toBe(true);
  expect(values(['Number of Users', 'Number of Providers', 'Number of Locations'])).toEqual(['200', '500', '50']);
  screen.getByText('The tenant gets a database of its own.');
});

test('a new tenant goes to the server with the most room, or to a chosen one [§2.30]', async () => {
  server.use(onRoute(databaseServerRoutes.list, () => ok([makeHomeServer(), makeDatabaseServer({ name: 'South' })])));
  await renderTenantModal('create');
  const choice = await screen.findByLabelText('Database Server');
  const choices = within(choice).getAllByRole('option');
  expect(choices.map(({ textContent }) => textContent)).toEqual(['The one with the most room', 'Home', 'South']);
});

test('the status is told to be a note, which suspends nothing [§2.7]', async () => {
  await renderTenantModal('edit');
  expect(screen.getByRole('combobox', { name: 'Status', description: /opens and closes nothing/ })).toBe(
    field('Status'),
  );
});

test('the hint that the code names the database is shown where that is so [§2.7]', async () => {
  const hint = 'Also the name of its database';
  const created = await renderTenantModal('create');
  screen.getByText(hint);
  fill('Tenant Code', 'lake');
  screen.getByText(hint);
  created.unmount();
  const viewed = await renderTenantModal('view', { ...cedar, databaseName: 'CEDAR_OLD' });
  expect(screen.queryByText(hint)).toBeNull();
  expect(screen.queryByText('Taken from the tenant code')).toBeNull();
  viewed.unmount();
  await renderTenantModal('edit', { ...cedar, databaseName: 'CEDAR_OLD' });
  expect(screen.queryByText(hint)).toBeNull();
  fill('Tenant Code', 'CEDAR');
  screen.getByText(hint);
});

test("a new tenant's time zone is the browser's if the server knows it [§2.7]", async () => {
  const zone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  zone.mockReturnValue({
    ...new Intl.NumberFormat().resolvedOptions(),
    timeZone: 'Europe/Vienna',
    calendar: 'iso8601',
  });
  const first = await renderTenantModal('create');
  expect(field('Time Zone').value).toBe('Europe/Vienna');
  first.unmount();
  zone.mockReturnValue({ ...new Intl.NumberFormat().resolvedOptions(), timeZone: 'Moon/Tycho', calendar: 'iso8601' });
  await renderTenantModal('create');
  expect(field('Time Zone').value).toBe('');
});

test('the fields are in the five sections, and the unbound ones are marked as not saved [§2.7]', async () => {
  await renderTenantModal('create');
  const labelsOf = (section: string) =>
    [...screen.getByRole('group', { name: section }).querySelectorAll('label')].map((label) => label.textContent);
  expect(labelsOf('Contact')).toEqual([
    'Customer Name/Code',
    'Tenant Code',
    'First Name',
    'Last Name',
    'Email',
    'Phone',
  ]);
  expect(labelsOf('Address')).toEqual([
    'Address Line 1',
    'Address Line 2',
    'Address Line 3',
    'City',
    'State',
    'Zip Code',
  ]);
  expect(labelsOf('Other Details')).toEqual(expect.arrayContaining(['EMR', 'Time Zone', 'Status', 'Active']));
  expect(labelsOf('Database Info')).toEqual(expect.arrayContaining(['Database Name', 'API Version', 'API URL']));
  const unbound = screen.getAllByRole('group', { name: 'Not saved yet' });
  expect(unbound.map((group) => [...group.querySelectorAll('label')].map((label) => label.textContent))).toEqual([
    ['Type', 'Login Type', 'Instance Notes', 'Integration Notes', 'Login-Related Details'],
    ['Connection Info', 'Database Notes', 'Security Notes'],
    ['License Type', 'Number of Users', 'Number of Providers', 'Number of Locations'],
  ]);
  const choicesOf = (label: string) =>
    within(field(label))
      .getAllByRole('option')
      .map((option) => option.textContent);
  expect(choicesOf('Type')).toEqual(['Please pick..', 'Prod', 'Test', 'Training']);
  expect(choicesOf('Login Type')).toEqual(['Please pick..', 'Portal', 'Google', 'Microsoft', 'SSO']);
  expect(choicesOf('License Type')).toEqual(['Please pick..', 'Provider', 'User', 'Location']);
});

test('the code is changed to upper case and copied into the database name, and the caret stays [§5]', async () => {
  const { user } = await renderTenantModal('create');
  const code = screen.getByRole<HTMLInputElement>('textbox', { name: 'Tenant Code' });
  await user.type(code, 'slake');
  await user.type(code, 'ilver', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(code.value).toBe('SILVERLAKE');
  expect(code.selectionStart).toBe(6);
  expect(field('Database Name').value).toBe('SILVERLAKE');
  expect(field('Database Name').disabled).toBe(true);
});

test('viewing shows all fields as text, and nothing to change [§2.7]', async () => {
  const { onClose, user } = await renderTenantModal('view', cedar);
  const dialog = screen.getByRole('dialog', { name: 'View Tenant' });
  expect(dialog.querySelectorAll('input,select,textarea')).toHaveLength(0);
  expect(dialog.querySelectorAll('dt').length).toBeGreaterThan(30);
  const shown = [
    'Customer Name/Code',
    'EMR',
    'Time Zone',
    'Status',
    'Active',
    'License Count',
    'Zip Code',
    'Subdomain',
  ];
  expect(shown.map(factOf)).toEqual([
    'Cedar Valley Allergy',
    'athenahealth',
    '(UTC-06:00) America/Chicago',
    'Live',
    'Yes',
    '5',
    '62701',
    'Not set',
  ]);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  const close = screen.getAllByRole('button', { name: 'Close' }).at(-1);
  await user.click(close ?? document.body);
  expect(onClose).toHaveBeenCalledOnce();
});

test('Edit turns the view into the edit [§2.7]', async () => {
  const { user } = await renderTenantModal('view', cedar);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  screen.getByRole('dialog', { name: 'Edit Tenant' });
  expect(field('City').value).toBe('Springfield');
  expect(field('Time Zone').value).toBe('America/Chicago');
  expect(document.activeElement).toBe(field('Customer Name/Code'));
  screen.getByRole('button', { name: 'Save' });
});

test('Cancel asks before typed text is lost, and closes at once without any [§2.7]', async () => {
  const { onClose, user } = await renderTenantModal('edit', cedar);
  fill('City', 'Everett');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  fill('City', cedar.city);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a dialog with typed text asks before it closes [§2.7]', async () => {
  const { onClose, user } = await renderTenantModal('create');
  fill('City', 'Everett');
  await user.keyboard('{Escape}');
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(field('City').value).toBe('Everett');
});

test('an untouched dialog closes at once [§2.7]', async () => {
  const { onClose, user } = await renderTenantModal('edit', cedar);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('when the choices could not be loaded the dialog says so and loads them again [§2.7]', async () => {
  server.use(onRoute(tenantRoutes.listEmrs, () => failed(503, 'Away.')));
  renderWithStore(<TenantModal show mode="create" onClose={() => {}} />);
  await screen.findByText('Away.');
  await screen.findByText('The choices of EMR, time zone and status could not be loaded.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);
  server.use(onRoute(tenantRoutes.listEmrs, () => ok(EMRS)));
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('option', { name: 'Epic' });
});

test('the list of sections leads to each of them [§2.7]', async () => {
  const { user } = await renderTenantModal('create');
  const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
  expect(sections.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Contact',
    'Address',
    'Other Details',
    'Database Info',
    'License Info',
  ]);
  await user.click(sections.getByRole('button', { name: 'License Info' }));
  expect(document.activeElement?.textContent).toBe('License Info');
  expect(sections.getByRole('button', { current: true }).textContent).toBe('License Info');
});

test('an error appears once its field was left, not during the first typing [§5]', async () => {
  await renderTenantModal('create');
  expect(screen.queryByText('Fist Name is required')).toBeNull();
  leave('First Name');
  await screen.findByText('Fist Name is required');
  expect(screen.queryByText('Last Name is required')).toBeNull();
});
