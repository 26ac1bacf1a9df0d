import { tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { field, fill } from '../../../testing/fields.ts';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { signedIn } from '../../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../../testing/stale.ts';
import { cedar, fillRequired, renderTenantModal, submit, tenantLookups } from '../../../testing/tenant-modal.tsx';

mockServer(...tenantLookups);

test('creating sends the fields and the signed-in user, shows the answer and closes [§2.7]', async () => {
  const bodies = keepBodies(tenantRoutes.create, 'Tenant SILVERLAKE has been created.');
  const { onClose } = await renderTenantModal('create');
  fillRequired();
  submit();
  await screen.findByText('Tenant SILVERLAKE has been created.');
  expect(onClose).toHaveBeenCalledOnce();
  expect(bodies).toHaveLength(1);
  expect(tenantRoutes.create.body.parse(bodies[0])).toMatchObject({
    code: 'SILVERLAKE',
    databaseName: 'SILVERLAKE',
    customerCode: 'Silver Lake',
    firstName: 'Ines',
    lastName: 'Moreau',
    emrId: 'epic',
    timezoneId: 'UTC',
    tenantStatusId: 'new',
    licenseCount: 0,
    isActive: true,
    createdBy: signedIn().id,
  });
});

test("editing starts with the tenant's values and sends them back with its id [§2.7]", async () => {
  const bodies = keepBodies(tenantRoutes.edit, 'Tenant CEDARVA has been changed.');
  const { onClose } = await renderTenantModal('edit', cedar);
  screen.getByText('CEDARVA');
  expect(field('City').value).toBe('Springfield');
  expect(field('Time Zone').value).toBe('America/Chicago');
  expect(field('Connection String').value).toBe(cedar.connectionString);
  screen.getByRole('textbox', { name: 'Connection String', description: /programs cannot log in with it/ });
  fill('City', 'Peoria');
  submit('Save');
  await screen.findByText('Tenant CEDARVA has been changed.');
  expect(onClose).toHaveBeenCalledOnce();
  expect(bodies).toEqual([
    expect.objectContaining({
      id: cedar.id,
      city: 'Peoria',
      code: 'CEDARVA',
      databaseName: 'CEDARVA',
      updatedBy: signedIn().id,
    }),
  ]);
  expect(bodies[0]).not.toHaveProperty('connectionString');
});

test.each([
  ['nothing was typed', []],
  ['what was typed was taken back', ['Peoria', 'Springfield']],
])('an edit where %s sends nothing, says so and closes [§2.7]', async (_, cities) => {
  const bodies = keepBodies(tenantRoutes.edit, 'Tenant CEDARVA has been changed.');
  const { onClose } = await renderTenantModal('edit', cedar);
  for (const city of cities) fill('City', city);
  submit('Save');
  await screen.findByText('Nothing was changed.');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toEqual([]);
});

test('while saving the button is busy, and two submits are one call [§2.20]', async () => {
  const bodies: unknown[] = [];
  const answered = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantRoutes.create, async ({ request }) => {
      bodies.push(await request.json());
      await answered.promise;
      return ok({ id: cedar.id }, 'Created.');
    }),
  );
  const { onClose } = await renderTenantModal('create');
  fillRequired();
  const form = field('First Name').closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create' }).getAttribute('aria-busy')).toBe('true'));
  answered.resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toHaveLength(1);
});

test("the server's message is shown at its field, and typed values stay [§8]", async () => {
  const errors = { phone: ['Phone Number is odd'], request: ['ignored'] };
  server.use(onRoute(tenantRoutes.create, () => failed(400, 'Some fields are not valid.', errors)));
  const { onClose } = await renderTenantModal('create');
  fillRequired();
  submit();
  await screen.findByText('phone: Phone Number is odd');
  await waitFor(() => expect(field('Phone').getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('Phone Number is odd');
  expect(document.activeElement).toBe(field('Phone'));
  expect(field('Phone').value).toBe('(425) 555-0100');
  expect(field('First Name').value).toBe('Ines');
  expect(onClose).not.toHaveBeenCalled();
});

test('a used code is reported at the code [§8]', async () => {
  server.use(onRoute(tenantRoutes.create, () => failed(409, 'A tenant with this code exists already.')));
  await renderTenantModal('create');
  fillRequired();
  submit();
  await waitFor(() => expect(field('Tenant Code').getAttribute('aria-invalid')).toBe('true'));
  const code = screen.getByRole('textbox', {
    name: 'Tenant Code',
    description: /A tenant with this code exists already/,
  });
  expect(document.activeElement).toBe(code);
  // Another code removes the message.
  const bodies = keepBodies(tenantRoutes.create, 'Created.');
  fill('Tenant Code', 'SILVERLAKE2');
  submit();
  await waitFor(() => expect(bodies).toHaveLength(1));
});

test.each(['create', 'edit'] as const)(
  'in %s, an error of the database name is shown at the code, which has the focus [§8]',
  async (mode) => {
    const errors = { databaseName: ['Database Name is reserved.'] };
    const { promise, resolve } = Promise.withResolvers<void>();
    const refuse = async () => {
      await promise;
      return failed(409, 'This name is reserved.', errors);
    };
    server.use(onRoute(tenantRoutes.create, refuse), onRoute(tenantRoutes.edit, refuse));
    const { onClose } = await renderTenantModal(mode, mode === 'edit' ? cedar : undefined);
    fillRequired();
    fill('Tenant Code', 'postgres');
    submit(mode === 'create' ? 'Create' : 'Save');
    await waitFor(() => expect(field('Tenant Code').closest('[inert]')).not.toBeNull());
    // A browser focuses nothing that is inert.
    let couldTakeFocus = false;
    field('Tenant Code').addEventListener('focus', () => {
      couldTakeFocus = field('Tenant Code').closest('[inert]') === null;
    });
    resolve();
    const code = await screen.findByRole('textbox', { name: 'Tenant Code', description: /Database Name is reserved/ });
    expect(document.activeElement).toBe(code);
    expect(couldTakeFocus).toBe(true);
    expect(onClose).not.toHaveBeenCalled();
  },
);

test('a refusal about another field leaves the code alone [§8]', async () => {
  server.use(onRoute(tenantRoutes.edit, () => failed(400, 'No.', { phone: ['Phone Number is odd'] })));
  await renderTenantModal('edit', cedar);
  fill('City', 'Peoria');
  submit('Save');
  await waitFor(() => expect(field('Phone').getAttribute('aria-invalid')).toBe('true'));
  expect(field('Tenant Code').hasAttribute('aria-invalid')).toBe(false);
});

test.each([
  ['follows the customer where it was its name', 'Cedar Valley Allergy', undefined, ''],
  ['of its own stays', 'Cedar Clinic', undefined, 'Cedar Clinic'],
  ['that is typed is kept', 'Cedar Valley Allergy', 'Cedar Clinic', 'Cedar Clinic'],
])('a name %s when the customer is renamed [§2.7]', async (_what, before, typed, sent) => {
  const bodies = keepBodies(tenantRoutes.edit, 'Changed.');
  await renderTenantModal('edit', { ...cedar, name: before });
  fill('Customer Name/Code', 'Cedar Hill');
  if (typed) fill('Name', typed);
  submit('Save');
  await screen.findByText('Changed.');
  expect(bodies).toEqual([expect.objectContaining({ customerCode: 'Cedar Hill', name: sent })]);
});

test('a name follows its customer also after both were changed by another user meanwhile [§2.7]', async () => {
  const bodies: unknown[] = [];
  const answers = [
    refusedAsStale({
      version: 2,
      changes: [
        changedByBob('customerCode', 'Cedar Valley Allergy', 'Cedar Hill'),
        changedByBob('name', 'Cedar Valley Allergy', 'Cedar Hill'),
      ],
    }),
    ok({ id: cedar.id }, 'Changed.'),
  ];
  server.use(
    onRoute(tenantRoutes.edit, async ({ request }) => {
      bodies.push(await request.json());
      return answers.shift() ?? ok({ id: cedar.id }, 'Changed.');
    }),
  );
  await renderTenantModal('edit', { ...cedar, name: 'Cedar Valley Allergy' });
  fill('City', 'Peoria');
  submit('Save');
  await waitFor(() => expect(field('Customer Name/Code').value).toBe('Cedar Hill'));
  submit('Save');
  await screen.findByText('Changed.');
  expect(bodies[1]).toMatchObject({ version: 2, customerCode: 'Cedar Hill', name: '' });
});

test('while saving the dialog stays open and takes no typing [§2.20]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantRoutes.edit, async () => {
      await promise;
      return ok({ id: cedar.id }, 'Changed.');
    }),
  );
  const { onClose, user } = await renderTenantModal('edit', cedar);
  fill('City', 'Peoria');
  submit('Save');
  await waitFor(() => expect(field('City').closest('[inert]')).not.toBeNull());
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Discard changes?')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
