import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { field, fillAndLeave, findField } from '../../../testing/fields.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { mockServer } from '../../../testing/server.ts';
import { tenantLookups } from '../../../testing/tenant-modal.tsx';
import { makeTenant } from '../../../testing/tenants.ts';
import { TenantModal } from './tenant-modal.tsx';
import { SECTION_OF } from './tenant-sections.ts';

mockServer(...tenantLookups);

const renderForm = async () => {
  const view = renderWithStore(<TenantModal show mode="edit" tenant={makeTenant()} onClose={() => {}} />);
  await findField('First Name');
  return view;
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

test('the database name is required together with its code: Database Name is required. [§5]', async () => {
  await renderForm();
  fillAndLeave('Tenant Code', '');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Database Name is required.');
  fillAndLeave('Tenant Code', 'A');
  await waitFor(() => expect(screen.queryByText('Database Name is required.')).toBeNull());
});

test('an expiry before the start is refused at its field, whichever of the two was changed [§5]', async () => {
  await renderForm();
  fillAndLeave('Start Date', '2026-05-02');
  fillAndLeave('Expiry Date', '2026-05-01');
  await screen.findByText('Expiry Date must not be before the Start Date');
  expect(field('Expiry Date').getAttribute('aria-invalid')).toBe('true');
  fillAndLeave('Start Date', '2026-05-01');
  await waitFor(() => expect(screen.queryByText('Expiry Date must not be before the Start Date')).toBeNull());
});

test('the status of a tenant cannot be emptied [§2.7]', async () => {
  await renderForm();
  expect(field('Status').getAttribute('aria-required')).toBe('true');
  fillAndLeave('Status', '');
  await screen.findByText('Status is required');
});

test.each([
  ['Email', 'jane at clinic', 'jane@clinic.test', 'This does not look like an email address.'],
  ['Phone', 'ask Jane', '+1 (425) 555-0134 ext. 7', 'This does not look like a phone number.'],
])('%s may be %j, which causes a warning and no error [§5]', async (label, odd, right, warning) => {
  await renderForm();
  expect(screen.queryByText(warning)).toBeNull();
  fillAndLeave(label, odd);
  const { id } = await screen.findByText(warning);
  expect(field(label).getAttribute('aria-describedby')).toContain(id);
  expect(field(label).getAttribute('aria-invalid')).toBeNull();
  fillAndLeave(label, right);
  await waitFor(() => expect(screen.queryByText(warning)).toBeNull());
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
])('%s may have %i characters and not one more [§5]', async (label, max, message) => {
  const { user } = await renderForm();
  await user.clear(field(label));
  await user.paste('X'.repeat(max + 1));
  await user.tab();
  await screen.findByText(message);
  expect(field(label).value).toBe('X'.repeat(max + 1));
  fillAndLeave(label, 'X'.repeat(max));
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
});

test('no field cuts a pasted text: the message says what is too long [§5]', async () => {
  await renderForm();
  const controls = [...document.querySelectorAll<HTMLInputElement>('input,textarea')];
  expect(controls.filter((control) => control.maxLength !== -1)).toEqual([]);
});

test('a section with errors is marked, also in words [§5]', async () => {
  await renderForm();
  const marked = () =>
    within(screen.getByRole('navigation', { name: 'Sections' }))
      .getAllByRole('button')
      .map((button) => button.textContent)
      .filter((text) => text.includes('has errors'));
  expect(marked()).toEqual([]);
  fillAndLeave('Zip Code', 'X'.repeat(11));
  fillAndLeave('Expiry Date', '');
  await waitFor(() => expect(marked()).toEqual(['Address has errors', 'License Info has errors']));
  fillAndLeave('Zip Code', '62701');
  await waitFor(() => expect(marked()).toEqual(['License Info has errors']));
});

test('the section of every field is marked when the field has an error [§2.7]', async () => {
  await renderForm();
  const controls = [...document.querySelectorAll<HTMLInputElement>('[data-section] [name]')];
  expect(controls.length).toBeGreaterThan(20);
  const shown = controls.map((control) => [control.name, control.closest('fieldset')?.dataset.section]);
  expect(shown).toEqual(shown.map(([name = '']) => [name, new Map(Object.entries(SECTION_OF)).get(name)]));
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
