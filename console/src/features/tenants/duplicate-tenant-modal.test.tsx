import { databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test, vi } from 'vitest';
import { field, fill, fillAndLeave } from '../../testing/fields.ts';
import { mockOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { DuplicateTenantModal } from './duplicate-tenant-modal.tsx';

const cedar = makeTenant({ code: 'CEDARVA', databaseName: 'CEDAR OLD', customerCode: 'Cedar Valley Allergy' });
const LABEL = 'New Tenant Code';

mockServer();

function renderModal() {
  const onClose = vi.fn();
  return { ...renderWithStore(<DuplicateTenantModal show tenant={cedar} onClose={onClose} />), onClose };
}

const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Duplicate CEDARVA' }));

test('the dialog names the tenant and says what will happen [§2.10]', () => {
  renderModal();
  screen.getByRole('dialog', { name: 'Duplicate Tenant' });
  screen.getByText(
    /All fields of Cedar Valley Allergy but its subdomain are copied .* its database CEDAR OLD with every row/,
  );
  screen.getByText(/^Sessions that use CEDAR OLD are ended after a short grace/);
});

test('a code is required: Tenant code is Required [§5]', async () => {
  renderModal();
  submit();
  await screen.findByText('Tenant code is Required');
});

test('a code may have 100 characters and not one more [§5]', async () => {
  const { user } = renderModal();
  await user.click(field(LABEL));
  await user.paste('x'.repeat(101));
  await user.tab();
  await screen.findByText('Tenant Code should not be more than 100 characters');
  expect(field(LABEL).value).toBe('X'.repeat(101));
  fillAndLeave(LABEL, 'X'.repeat(100));
  await waitFor(() => expect(screen.queryByText('Tenant Code should not be more than 100 characters')).toBeNull());
});

test('Cancel asks before a typed code is lost [§2.7]', async () => {
  const { onClose, user } = renderModal();
  await user.type(field(LABEL), 'cedar2');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
});

test('the code is sent once, in upper case, as code and as database name [§5, §7.3]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(databaseRoutes.copy, async ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      await delay(20);
      return ok({ id: cedar.id, databaseName: 'CEDAR2' }, 'Tenant CEDAR2 has been created from CEDARVA.');
    }),
  );
  const { onClose, user } = renderModal();
  await user.type(field(LABEL), 'cedar2');
  expect(field(LABEL).value).toBe('CEDAR2');
  const form = field(LABEL).closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await screen.findByText('Tenant CEDAR2 has been created from CEDARVA.');
  expect(queries).toEqual([
    { tenantCode: 'CEDAR2', databaseName: 'CEDAR2', copyFrom: 'CEDAR OLD', isCreateTenant: 'true' },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('the toast of the new tenant leads to its page [§2.24]', async () => {
  const made = { id: cedar.id, databaseName: 'CEDAR 2' };
  server.use(onRoute(databaseRoutes.copy, () => ok(made, 'Tenant CEDAR 2 has been created.')));
  const onOpenPage = vi.fn();
  const { user } = renderWithStore(
    <DuplicateTenantModal show tenant={cedar} onOpenPage={onOpenPage} onClose={() => undefined} />,
  );
  // The code has single spaces, and none at its ends.
  await user.type(field(LABEL), 'cedar  2 ');
  submit();
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  expect(onOpenPage).toHaveBeenCalledWith('CEDAR 2');
});

test.each([400, 409, 500])(
  'a status of %i shows its message as an error and keeps the dialog [§7.3]',
  async (status) => {
    server.use(onRoute(databaseRoutes.copy, () => failed(status, 'The copy failed.')));
    const { onClose } = renderModal();
    fill(LABEL, 'CEDAR2');
    submit();
    expect((await screen.findByRole('alert')).textContent).toContain('The copy failed.');
    expect(field(LABEL).value).toBe('CEDAR2');
    expect(onClose).not.toHaveBeenCalled();
  },
);

test.each([400, 409, 500])('a status of %i inside an answer does so too [§7.3]', async (status) => {
  server.use(onRoute(databaseRoutes.copy, () => Response.json({ status, message: 'The copy failed.', result: null })));
  const { onClose } = renderModal();
  fill(LABEL, 'CEDAR2');
  submit();
  expect((await screen.findByRole('alert')).textContent).toContain('The copy failed.');
  expect(onClose).not.toHaveBeenCalled();
});

const CODE_TAKEN = 'A tenant with this code exists already.';
const NAME_TAKEN = 'A database with this name exists already.';

test.each([
  ['tenantCode', { tenantCode: [CODE_TAKEN] }, [CODE_TAKEN]],
  ['databaseName', { databaseName: [NAME_TAKEN] }, [NAME_TAKEN]],
  ['both', { tenantCode: [CODE_TAKEN], databaseName: [NAME_TAKEN] }, [CODE_TAKEN, NAME_TAKEN]],
])(
  "the server's message about %s is shown at the field, which has the focus [§8]",
  async (_which, errors, messages) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      onRoute(databaseRoutes.copy, async () => {
        await promise;
        return failed(409, 'A record with this name exists already.', errors);
      }),
    );
    const { onClose } = renderModal();
    fill(LABEL, 'CEDAR2');
    submit();
    await waitFor(() => expect(field(LABEL).closest('[inert]')).not.toBeNull());
    // A browser focuses nothing that is inert.
    let couldTakeFocus = false;
    field(LABEL).addEventListener('focus', () => {
      couldTakeFocus = field(LABEL).closest('[inert]') === null;
    });
    resolve();
    await waitFor(() => expect(field(LABEL).getAttribute('aria-invalid')).toBe('true'));
    for (const message of messages) screen.getByText(message);
    expect(document.activeElement).toBe(field(LABEL));
    expect(couldTakeFocus).toBe(true);
    expect(onClose).not.toHaveBeenCalled();
  },
);

test('during the call the dialog stays open and takes no typing [§2.20]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(databaseRoutes.copy, async () => {
      await promise;
      return ok({ id: cedar.id, databaseName: 'CEDAR2' }, 'Done.');
    }),
  );
  const { onClose, user } = renderModal();
  fill(LABEL, 'CEDAR2');
  submit();
  await waitFor(() => expect(field(LABEL).closest('[inert]')).not.toBeNull());
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Discard changes?')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('progress is shown, and a copy left in the background closes no other dialog [DECISIONS §8]', async () => {
  const steps = ['Ending sessions', 'Copying the files'];
  const operation = mockOperation(databaseRoutes.copy, { kind: 'duplicate-tenant', steps, step: 1 });
  const { onClose, user } = renderModal();
  fill(LABEL, 'CEDAR2');
  submit();
  await screen.findByRole('progressbar', { name: 'Copying the files' });
  await user.click(screen.getByRole('button', { name: 'Continue in background' }));
  expect(onClose).toHaveBeenCalledOnce();
  operation.succeed('Tenant CEDAR2 has been created.', { id: cedar.id, databaseName: 'CEDAR2' });
  await screen.findByText('Tenant CEDAR2 has been created.');
  expect(onClose).toHaveBeenCalledOnce();
});

test('an operation that fails says why and keeps the typed code [DECISIONS §8]', async () => {
  const operation = mockOperation(databaseRoutes.copy, { kind: 'duplicate-tenant' });
  const { onClose } = renderModal();
  fill(LABEL, 'CEDAR2');
  submit();
  await screen.findByRole('progressbar');
  operation.fail('Sessions could not be ended.');
  expect((await screen.findByRole('alert')).textContent).toContain('Sessions could not be ended.');
  expect(field(LABEL).value).toBe('CEDAR2');
  expect(onClose).not.toHaveBeenCalled();
});
