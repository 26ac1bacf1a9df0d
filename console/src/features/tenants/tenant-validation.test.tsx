import { TENANT_LIMITS, tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { field, fillAndLeave, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { EMRS, makeTenant, STATUSES, TIMEZONES } from '../../testing/tenants.ts';
import { TenantModal } from './tenant-modal.tsx';

mockServer(
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(tenantRoutes.listTimezones, () => ok(TIMEZONES)),
  onRoute(tenantRoutes.listEmrs, () => ok(EMRS)),
);

const renderForm = async () => {
  renderWithStore(<TenantModal show mode="edit" tenant={makeTenant()} onClose={() => {}} />);
  await findField('First Name');
};

test.each([
  ['Tenant Code', 'Tenant CODE is required'],
  ['Customer Name/Code', 'Customer Name/Code is required'],
  ['First Name', 'Fist Name is required'],
  ['Last Name', 'Last Name is required'],
  ['EMR', 'EMR is required.'],
  ['Email', 'Email is required'],
  ['Phone', 'Phone Number is required'],
  ['Time Zone', 'Time Zone is required.'],
])('%s is required: %s [§5]', async (label, message) => {
  await renderForm();
  expect(field(label).getAttribute('aria-required')).toBe('true');
  fillAndLeave(label, '');
  await screen.findByText(message);
  expect(field(label).getAttribute('aria-invalid')).toBe('true');
});

test('the database name is required with the code it follows: Database Name is required. [§5]', async () => {
  await renderForm();
  fillAndLeave('Tenant Code', '');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Database Name is required.');
  fillAndLeave('Tenant Code', 'A');
  await waitFor(() => expect(screen.queryByText('Database Name is required.')).toBeNull());
});

test.each([
  ['Tenant Code', 100, 'Tenant Code should not be more than 100 characters'],
  ['Customer Name/Code', 100, 'Customer Name/Code should not be more than 100 characters'],
  ['First Name', 256, 'First Name should not be more than 256 characters'],
  ['Last Name', 256, 'Last Name should not be more than 256 characters'],
  ['Email', 256, 'Email should not be more than 256 characters'],
  ['Phone', 20, 'Phone Number should not be more than 20 characters'],
  ['Address Line 1', 256, 'Address Line 1 should not be more than 256 characters'],
  ['Address Line 2', 256, 'Address Line 2 should not be more than 256 characters'],
  ['City', 256, 'City should not be more than 256 characters'],
  ['State', 50, 'State should not be more than 50 characters'],
  ['Zip Code', 10, 'Zip Code should not be more than 10 characters'],
  ['API Version', 50, 'API Version should not be more than 50 characters'],
])('%s takes %i characters and not one more [§5]', async (label, max, message) => {
  await renderForm();
  expect(field(label).maxLength).toBe(max);
  fillAndLeave(label, 'X'.repeat(max + 1));
  await screen.findByText(message);
  fillAndLeave(label, 'X'.repeat(max));
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
});

test('every text field stops at the limit of the contract [§5]', async () => {
  await renderForm();
  const limits = Object.entries(TENANT_LIMITS).filter(([name]) => name !== 'emrId' && name !== 'databaseName');
  for (const [name, max] of limits) {
    const control = document.querySelector<HTMLInputElement>(`[name="${name}"]`);
    expect([name, control?.maxLength]).toEqual([name, max]);
  }
});

test.each([
  ['Expiry Date', '', 'Expiry Date must be a date'],
  ['Start Date', '', 'Start Date must be a date'],
  ['License Count', '', 'License Count must be a whole number'],
  ['License Count', '1.5', 'License Count must be a whole number'],
  ['License Count', '-1', 'License Count must be at least 0'],
  ['Logo URL', 'javascript:alert(1)', 'Logo URL must start with http:// or https://'],
  ['API URL', 'ftp://example.test', 'API URL must start with http:// or https://'],
])('%s of %j is refused [§5]', async (label, value, message) => {
  await renderForm();
  fillAndLeave(label, value);
  await screen.findByText(message);
});
