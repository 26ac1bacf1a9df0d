import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test, vi } from 'vitest';
import { addDays, localDay } from '../../lib/expiry.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { EMRS, makeTenant, STATUSES, TIMEZONES } from '../../testing/tenants.ts';
import type { TenantMode } from './tenant-form-types.ts';
import { TenantModal } from './tenant-modal.tsx';

const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley Allergy' });

mockServer(
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(tenantRoutes.listTimezones, () => ok(TIMEZONES)),
  onRoute(tenantRoutes.listEmrs, () => ok(EMRS)),
);

async function renderModal(mode: TenantMode, tenant?: Tenant) {
  const onClose = vi.fn();
  const view = renderWithStore(<TenantModal show mode={mode} tenant={tenant} onClose={onClose} />);
  await findField('First Name');
  return { ...view, onClose };
}

const leave = (label: string) => fireEvent.blur(field(label));
const submit = (name: 'Create' | 'Save' = 'Create') => fireEvent.click(screen.getByRole('button', { name }));

/** Fills in what is required, as a new tenant of customer Silver Lake. */
function fillRequired() {
  fill('Customer Name/Code', 'Silver Lake');
  fill('Tenant Code', 'silverlake');
  fill('First Name', 'Ines');
  fill('Last Name', 'Moreau');
  fill('Email', 'ines@silverlake.test');
  fill('Phone', '(425) 555-0100');
  fill('EMR', 'epic');
  fill('Time Zone', 'UTC');
}

/** Notes the bodies that the route is called with. */
function record(route: typeof tenantRoutes.create | typeof tenantRoutes.edit, message: string) {
  const bodies: unknown[] = [];
  server.use(
    onRoute(route, async ({ request }) => {
      bodies.push(await request.json());
      return ok({ id: cedar.id }, message);
    }),
  );
  return bodies;
}

test('a new tenant starts with the defaults of the specification [§3]', async () => {
  await renderModal('create');
  const today = localDay();
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
  screen.getByText('A database of its own is made with it.');
});

test("a new tenant's time zone is the browser's where the server knows it [§2.7]", async () => {
  const zone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  zone.mockReturnValue({
    ...new Intl.NumberFormat().resolvedOptions(),
    timeZone: 'Europe/Vienna',
    calendar: 'iso8601',
  });
  const first = await renderModal('create');
  expect(field('Time Zone').value).toBe('Europe/Vienna');
  first.unmount();
  zone.mockReturnValue({ ...new Intl.NumberFormat().resolvedOptions(), timeZone: 'Moon/Tycho', calendar: 'iso8601' });
  await renderModal('create');
  expect(field('Time Zone').value).toBe('');
});

test('the fields stand in the five sections, the unbound ones among them marked as not saved [§2.7]', async () => {
  await renderModal('create');
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

test('the code is put in upper case, copied into the database name, and the caret stays [§5]', async () => {
  const { user } = await renderModal('create');
  const code = screen.getByRole<HTMLInputElement>('textbox', { name: 'Tenant Code' });
  await user.type(code, 'slake');
  await user.type(code, 'ilver', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(code.value).toBe('SILVERLAKE');
  expect(code.selectionStart).toBe(6);
  expect(field('Database Name').value).toBe('SILVERLAKE');
  expect(field('Database Name').disabled).toBe(true);
});

test('creating sends the fields and who creates, shows the answer and closes [§2.7]', async () => {
  const bodies = record(tenantRoutes.create, 'Tenant SILVERLAKE has been created.');
  const { onClose } = await renderModal('create');
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

test('editing starts with what the tenant has and sends it back with its id [§2.7]', async () => {
  const bodies = record(tenantRoutes.edit, 'Tenant CEDARVA has been changed.');
  const { onClose } = await renderModal('edit', cedar);
  screen.getByText('CEDARVA');
  expect(field('City').value).toBe('Springfield');
  expect(field('Time Zone').value).toBe('America/Chicago');
  expect(field('Connection String').value).toBe(cedar.connectionString);
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

test('viewing shows everything and lets nothing be changed [§2.7]', async () => {
  const { onClose, user } = await renderModal('view', cedar);
  const controls = [...screen.getByRole('dialog').querySelectorAll<HTMLInputElement>('input,select,textarea')];
  expect(controls.length).toBeGreaterThan(30);
  const open = controls.filter((control) => !control.disabled && !control.readOnly);
  expect(open).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  const close = screen.getAllByRole('button', { name: 'Close' }).at(-1);
  await user.click(close ?? document.body);
  expect(onClose).toHaveBeenCalledOnce();
});

test('while saving the button is busy, and two submits are one call [§2.20]', async () => {
  const bodies: unknown[] = [];
  server.use(
    onRoute(tenantRoutes.create, async ({ request }) => {
      bodies.push(await request.json());
      await delay(30);
      return ok({ id: cedar.id }, 'Created.');
    }),
  );
  const { onClose } = await renderModal('create');
  fillRequired();
  const form = field('First Name').closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create' }).getAttribute('aria-busy')).toBe('true'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toHaveLength(1);
});

test('what the server refuses stands at its field, and nothing typed is lost [§8]', async () => {
  const errors = { phone: ['Phone Number is odd'], request: ['ignored'] };
  server.use(onRoute(tenantRoutes.create, () => failed(400, 'Some fields are not valid.', errors)));
  const { onClose } = await renderModal('create');
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

test('a code that is taken is said at the code [§8]', async () => {
  server.use(onRoute(tenantRoutes.create, () => failed(409, 'A tenant with this code exists already.')));
  await renderModal('create');
  fillRequired();
  submit();
  await waitFor(() => expect(field('Tenant Code').getAttribute('aria-invalid')).toBe('true'));
  const code = screen.getByRole('textbox', {
    name: 'Tenant Code',
    description: /A tenant with this code exists already/,
  });
  expect(document.activeElement).toBe(code);
  // Another code is another try.
  const bodies = record(tenantRoutes.create, 'Created.');
  fill('Tenant Code', 'SILVERLAKE2');
  submit();
  await waitFor(() => expect(bodies).toHaveLength(1));
});

test.each(['create', 'edit'] as const)(
  'in %s, what is wrong with the database name stands at the code, which has the focus [§8]',
  async (mode) => {
    const errors = { databaseName: ['Database Name is reserved.'] };
    const { promise, resolve } = Promise.withResolvers<void>();
    const refuse = async () => {
      await promise;
      return failed(409, 'This name is reserved.', errors);
    };
    server.use(onRoute(tenantRoutes.create, refuse), onRoute(tenantRoutes.edit, refuse));
    const { onClose } = await renderModal(mode, mode === 'edit' ? cedar : undefined);
    fillRequired();
    fill('Tenant Code', 'postgres');
    submit(mode === 'create' ? 'Create' : 'Save');
    await waitFor(() => expect(field('Tenant Code').closest('[inert]')).not.toBeNull());
    // A browser gives no focus to what is inert.
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
  await renderModal('edit', cedar);
  submit('Save');
  await waitFor(() => expect(field('Phone').getAttribute('aria-invalid')).toBe('true'));
  expect(field('Tenant Code').hasAttribute('aria-invalid')).toBe(false);
});

test.each([
  ['follows the customer where it was its name', 'Cedar Valley Allergy', undefined, ''],
  ['of its own stays', 'Cedar Clinic', undefined, 'Cedar Clinic'],
  ['that is typed is kept', 'Cedar Valley Allergy', 'Cedar Clinic', 'Cedar Clinic'],
])('a name %s when the customer is renamed [§2.7]', async (_what, before, typed, sent) => {
  const bodies = record(tenantRoutes.edit, 'Changed.');
  await renderModal('edit', { ...cedar, name: before });
  fill('Customer Name/Code', 'Cedar Hill');
  if (typed) fill('Name', typed);
  submit('Save');
  await screen.findByText('Changed.');
  expect(bodies).toEqual([expect.objectContaining({ customerCode: 'Cedar Hill', name: sent })]);
});

test('while saving the dialog stays and takes no more typing [§2.20]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantRoutes.edit, async () => {
      await promise;
      return ok({ id: cedar.id }, 'Changed.');
    }),
  );
  const { onClose, user } = await renderModal('edit', cedar);
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

test('Cancel asks before typed text is thrown away, and closes at once where there is none [§2.7]', async () => {
  const { onClose, user } = await renderModal('edit', cedar);
  fill('City', 'Everett');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  fill('City', cedar.city);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a dialog with something typed asks before it is thrown away [§2.7]', async () => {
  const { onClose, user } = await renderModal('create');
  fill('City', 'Everett');
  await user.keyboard('{Escape}');
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(field('City').value).toBe('Everett');
});

test('an untouched dialog closes at once [§2.7]', async () => {
  const { onClose, user } = await renderModal('edit', cedar);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('when the choices cannot be loaded the dialog says so and tries again [§2.7]', async () => {
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
  const { user } = await renderModal('create');
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

test('an error shows once its field was left, not while it is first typed in [§5]', async () => {
  await renderModal('create');
  expect(screen.queryByText('Fist Name is required')).toBeNull();
  leave('First Name');
  await screen.findByText('Fist Name is required');
  expect(screen.queryByText('Last Name is required')).toBeNull();
});
