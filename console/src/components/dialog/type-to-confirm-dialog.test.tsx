import { databaseName } from '@apotheca/contract/database-name';
import { deleteDatabaseForm } from '@apotheca/contract/databases';
import { deleteTenantForm, newTenantCode } from '@apotheca/contract/tenant-form';
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { TypeToConfirmDialog } from './type-to-confirm-dialog.tsx';

function renderDialog(props: { busy?: boolean; error?: string; blocksPaste?: boolean } = {}) {
  const onConfirm = vi.fn();
  render(
    <TypeToConfirmDialog
      show
      title="Delete tenant"
      warning="All is erased for good."
      expected="LAKESIDE"
      label="Tenant code"
      schema={deleteTenantForm('LAKESIDE')}
      confirmLabel="Delete"
      onConfirm={onConfirm}
      onCancel={() => {}}
      {...props}
    />,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Tenant code');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
  return { onConfirm, field, button };
}

test('Delete stays disabled until the code is typed exactly [§2.9]', async () => {
  const { onConfirm, field, button } = renderDialog();
  expect(button.disabled).toBe(true);
  await userEvent.type(field, 'lakeside');
  expect(button.disabled).toBe(true);
  await userEvent.clear(field);
  await userEvent.type(field, 'LAKESIDE');
  await waitFor(() => expect(button.disabled).toBe(false));
  await userEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});

test.each([
  ['letters with an accent of their own', 'CAFE\u0301', 'CAF\u00c9'],
  ['whole letters', 'CAF\u00c9', 'CAFE\u0301'],
])('a name that was stored with %s is typed by any keyboard [§5]', (_how, stored, typed) => {
  expect(deleteTenantForm(stored).safeParse({ typed }).success).toBe(true);
  expect(deleteDatabaseForm(stored).safeParse({ typed }).success).toBe(true);
  expect([newTenantCode.parse(stored), databaseName('').parse(stored)]).toEqual(['CAF\u00c9', 'CAF\u00c9']);
  expect(deleteTenantForm(stored).safeParse({ typed: 'CAFE' }).success).toBe(false);
});

test('the messages are those of the schema, and Enter does not bypass them [§5]', async () => {
  const { onConfirm, field } = renderDialog();
  await userEvent.type(field, 'LAKE{Enter}');
  await userEvent.tab();
  expect(await screen.findByText('Input value must be the same as the tenant name')).toBeTruthy();
  await userEvent.clear(field);
  expect(await screen.findByText('Tenant Name Required')).toBeTruthy();
  expect(onConfirm).not.toHaveBeenCalled();
});

test('pasting counts as typing [§2.13]', async () => {
  const { field, button } = renderDialog();
  await userEvent.click(field);
  await userEvent.paste('LAKESIDE');
  await waitFor(() => expect(button.disabled).toBe(false));
});

test('pasting is blocked where the dialog says so, and a message says so [§2.9]', async () => {
  const { field, button } = renderDialog({ blocksPaste: true });
  await userEvent.click(field);
  await userEvent.paste('LAKESIDE');
  expect(field.value).toBe('');
  expect(button.disabled).toBe(true);
  expect(screen.getByText(/pasting and dropping are switched off/)).toBeTruthy();
});

test('dropping is blocked too [§2.9]', () => {
  const { field } = renderDialog({ blocksPaste: true });
  const drop = createEvent.drop(field);
  fireEvent(field, drop);
  expect(drop.defaultPrevented).toBe(true);
});

test('says why the last attempt failed, and what must be typed [§2.13]', () => {
  renderDialog({ error: 'The database is in use.' });
  expect(screen.getByRole('alert').textContent).toBe('The database is in use.');
  expect(screen.getByText('LAKESIDE').tagName).toBe('CODE');
});

test('Enter while busy does not confirm a second time [§2.20]', async () => {
  const { onConfirm, field } = renderDialog({ busy: true });
  await userEvent.type(field, 'LAKESIDE{Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
});

const CODE = 'A<b>&amp;  {{B}}';

test('HTML characters in a code are shown literally [§2.9]', () => {
  render(
    <TypeToConfirmDialog
      show
      title="Delete tenant"
      warning=""
      expected={CODE}
      label="Tenant code"
      schema={deleteTenantForm('A')}
      confirmLabel="Delete"
      onConfirm={() => {}}
      onCancel={() => {}}
    />,
  );
  expect(document.querySelector('code')?.textContent).toBe(CODE);
});
