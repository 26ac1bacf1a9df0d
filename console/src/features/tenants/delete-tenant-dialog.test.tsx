import { tenantRoutes } from '@apotheca/contract/tenants';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { field, fill, fillAndLeave } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { DeleteTenantDialog } from './delete-tenant-dialog.tsx';

const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley Allergy' });
const LABEL = 'Tenant Code';

mockServer();

function renderDialog() {
  const onClose = vi.fn();
  return { ...renderWithStore(<DeleteTenantDialog show tenant={cedar} onClose={onClose} />), onClose };
}

const deleteButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });

test('the dialog warns that everything of the tenant is erased [§2.9]', () => {
  renderDialog();
  screen.getByRole('heading', { name: 'Delete Tenant' });
  screen.getByText('Cedar Valley Allergy will be erased for good');
  screen.getByText("Deleting permanently erases all of the tenant's tables, records and data.");
});

test.each(['CEDARV', 'CEDARVAX', 'cedarva', ' CEDARVA'])(
  '%j is not the code, and Delete stays disabled [§5]',
  async (typed) => {
    renderDialog();
    fillAndLeave(LABEL, typed);
    await screen.findByText('Input value must be the same as the tenant name');
    expect(deleteButton().disabled).toBe(true);
  },
);

test('leaving the field empty is refused: Tenant Name Required [§5]', async () => {
  renderDialog();
  fillAndLeave(LABEL, '');
  await screen.findByText('Tenant Name Required');
  expect(deleteButton().disabled).toBe(true);
});

test('pasting the code is blocked [§2.9]', async () => {
  const { user } = renderDialog();
  const paste = createEvent.paste(field(LABEL), { clipboardData: { getData: () => 'CEDARVA' } });
  fireEvent(field(LABEL), paste);
  expect(paste.defaultPrevented).toBe(true);
  await user.click(field(LABEL));
  await user.paste('CEDARVA');
  expect(field(LABEL).value).toBe('');
});

test('the exact code deletes the tenant, by its id [§2.9]', async () => {
  const ids: (string | null)[] = [];
  server.use(
    onRoute(tenantRoutes.delete, ({ request }) => {
      ids.push(new URL(request.url).searchParams.get('id'));
      return ok({ id: cedar.id }, 'Gone.');
    }),
  );
  const { onClose, user } = renderDialog();
  await user.type(field(LABEL), 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  await user.click(deleteButton());
  await screen.findByText('Successfully deleted tenant.');
  expect(ids).toEqual([cedar.id]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a refused deletion says why and leaves the dialog open [§8]', async () => {
  server.use(onRoute(tenantRoutes.delete, () => failed(403, 'You do not have the permission for this.')));
  const { onClose, user } = renderDialog();
  fill(LABEL, 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  await user.click(deleteButton());
  const dialog = within(screen.getByRole('dialog'));
  expect((await dialog.findByRole('alert')).textContent).toBe('You do not have the permission for this.');
  expect(screen.getAllByText('You do not have the permission for this.')).toHaveLength(2);
  expect(onClose).not.toHaveBeenCalled();
  // Another try starts without the old message.
  server.use(onRoute(tenantRoutes.delete, () => new Promise<HttpResponse<null>>(() => {})));
  await user.click(deleteButton());
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());
});

test('two quick submits are one deletion [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(tenantRoutes.delete, () => {
      calls += 1;
      return ok({ id: cedar.id });
    }),
  );
  const { onClose } = renderDialog();
  fill(LABEL, 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  const form = field(LABEL).closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls).toBe(1);
});

test('Cancel deletes nothing [§2.9]', async () => {
  const { onClose, user } = renderDialog();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});
