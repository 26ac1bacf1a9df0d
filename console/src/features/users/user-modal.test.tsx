import { type User, userRoutes } from '@apotheca/contract/users';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { api } from '../../api/http/client.ts';
import { factOf, field, fill, findField, optionsOf } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { makeOwnUser, makeUser, ROLE_IDS, USER_OPTIONS } from '../../testing/users.ts';
import type { UserMode } from './user-form-types.ts';
import { UserModal } from './user-modal.tsx';

const grace = makeUser({ userName: 'grace', email: 'grace@apotheca.test', notes: 'Night shift' });

mockServer(onRoute(userRoutes.options, () => ok(USER_OPTIONS)));

async function renderModal(mode: UserMode, of?: User) {
  const onClose = vi.fn();
  const view = renderWithStore(<UserModal show mode={mode} user={of} onClose={onClose} />);
  await (mode === 'view' ? screen.findByText('First Name') : findField('First Name'));
  return { ...view, onClose };
}

const submit = (name: 'Create' | 'Save' = 'Create') => fireEvent.click(screen.getByRole('button', { name }));

/** Fills in the required fields. */
function fillRequired() {
  fill('User Name', 'ines');
  fill('Password', 'correct horse');
  fill('Confirm Password', 'correct horse');
  fill('First Name', 'Ines');
  fill('Last Name', 'Moreau');
  fill('Credentials', 'MD');
  fill('Clinical Role', 'physician');
  fill('Access Role', ROLE_IDS.viewer);
}

const labelsOf = (section: string) =>
  [...screen.getByRole('group', { name: section }).querySelectorAll('label')].map((label) => label.textContent);

test('the fields of a new user are in three sections with their defaults [§2.11, §3]', async () => {
  await renderModal('create');
  screen.getByRole('dialog', { name: 'Create User' });
  expect(labelsOf('Sign-in')).toEqual(['User Name', 'Email', 'Password', 'Confirm Password']);
  expect(labelsOf('Person')).toEqual([
    'First Name',
    'Last Name',
    'Middle Initial',
    'Credentials',
    'NPI',
    'Phone',
    'Notes',
  ]);
  expect(labelsOf('Access')).toEqual(['Clinical Role', 'Access Role', 'Active']);
  expect([field('NPI').value, field('NPI').disabled]).toEqual(['NA', true]);
  expect([field('Active').checked, field('Active').disabled]).toEqual([true, false]);
  const choicesOf = (label: string) =>
    within(field(label))
      .getAllByRole('option')
      .map((option) => option.textContent);
  expect(choicesOf('Clinical Role')).toEqual(['Please pick..', 'None', 'Pharmacist', 'Physician']);
  expect(choicesOf('Access Role')).toEqual(['Please pick..', 'Administrator', 'Viewer']);
});

test('creating sends the fields and the signed-in user, shows a message and closes [§2.11, §8]', async () => {
  const bodies = keepBodies(userRoutes.create);
  const { onClose } = await renderModal('create');
  fillRequired();
  submit();
  await screen.findByText('Success! User profile has been Created.');
  expect(onClose).toHaveBeenCalledOnce();
  expect(bodies).toEqual([
    {
      userName: 'ines',
      email: '',
      password: 'correct horse',
      confirmPassword: 'correct horse',
      fName: 'Ines',
      lName: 'Moreau',
      mi: '',
      title: 'MD',
      deaNumber: 'NA',
      phone: '',
      notes: '',
      clinicalRoleId: 'physician',
      roleId: ROLE_IDS.viewer,
      isActive: true,
      createdBy: signedIn().id,
    },
  ]);
  expect(userRoutes.create.body.safeParse(bodies[0]).success).toBe(true);
});

test("editing starts with the user's values, and an empty password keeps the stored one [§2.11]", async () => {
  const bodies = keepBodies(userRoutes.edit);
  const { onClose } = await renderModal('edit', grace);
  screen.getByRole('dialog', { name: 'Edit User' });
  expect(field('Notes').value).toBe('Night shift');
  expect(field('Password').value).toBe('');
  expect(field('Clinical Role').value).toBe('pharmacist');
  expect(field('Access Role').value).toBe(ROLE_IDS.viewer);
  expect([field('SPSRX ID').value, field('SPSRX ID').readOnly]).toEqual([grace.spSRXID, true]);
  expect([field('Active').checked, field('Active').disabled]).toEqual([true, true]);
  fill('Phone', '1');
  submit('Save');
  await screen.findByText('Success! User profile has been updated.');
  expect(onClose).toHaveBeenCalledOnce();
  expect(bodies).toEqual([
    {
      id: grace.id,
      version: 3,
      updatedBy: signedIn().id,
      userName: 'grace',
      email: 'grace@apotheca.test',
      password: '',
      confirmPassword: '',
      fName: 'Grace',
      lName: 'Hopper',
      mi: 'B',
      title: 'PharmD',
      deaNumber: 'NA',
      phone: '1',
      notes: 'Night shift',
      clinicalRoleId: 'pharmacist',
      roleId: ROLE_IDS.viewer,
    },
  ]);
  expect(userRoutes.edit.body.safeParse(bodies[0]).success).toBe(true);
});

test('a new password is sent, and the form says what it does [§5, DECISIONS §4]', async () => {
  const bodies = keepBodies(userRoutes.edit);
  await renderModal('edit', grace);
  const description = 'Leave empty to keep it. A new one of 5 to 30 characters signs this user out everywhere.';
  expect(screen.getByLabelText('Password', { selector: 'input' })).toHaveProperty(
    'id',
    screen.getByText(description).id.replace(/-hint$/, ''),
  );
  screen.getByText('Another role signs this user out everywhere.');
  fill('Password', 'new password');
  fill('Confirm Password', 'new password');
  submit('Save');
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ password: 'new password', confirmPassword: 'new password' });
});

test("the signed-in user's role cannot be changed, and their new password ends this session too [DECISIONS §5]", async () => {
  const bodies = keepBodies(userRoutes.edit);
  await renderModal('edit', makeOwnUser({ clinicalRoleId: 'physician' }));
  expect([field('Access Role').value, field('Access Role').disabled]).toEqual([ROLE_IDS.administrator, true]);
  expect(field('Active').disabled).toBe(true);
  screen.getByText('Nobody changes their own role.');
  screen.getByText('Leave empty to keep it. A new one of 5 to 30 characters signs you out everywhere, here too.');
  fill('Notes', 'On leave');
  submit('Save');
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ roleId: ROLE_IDS.administrator });
});

test('an edit of a user without a clinical role adds neither one nor credentials [§5]', async () => {
  const bodies = keepBodies(userRoutes.edit);
  await renderModal('edit', makeOwnUser({ title: '' }));
  expect(field('Clinical Role').selectedOptions[0]?.text).toBe('None');
  expect(field('Credentials').getAttribute('aria-required')).toBeNull();
  fill('Email', 'new@people.test');
  submit('Save');
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ email: 'new@people.test', clinicalRoleId: null, title: '' });
});

test('an edit overtaken by who took the clinical role away shows None and wants no credentials [DECISIONS §3]', async () => {
  const stale = { version: 5, changes: [changedByBob('clinicalRoleId', 'physician', null)] };
  server.use(onRoute(userRoutes.edit, () => refusedAsStale(stale)));
  await renderModal('edit', makeOwnUser({ clinicalRoleId: 'physician' }));
  fill('Notes', 'On leave');
  submit('Save');
  await screen.findByText('Clinical Role: Physician → None, by bob');
  expect(field('Clinical Role').selectedOptions[0]?.text).toBe('None');
  expect(field('Credentials').getAttribute('aria-required')).toBeNull();
});

/** A role that somebody has made since the options were loaded. */
const AUDITOR = { id: '00000000-0000-4000-8000-0000000000a9', roleName: 'Auditor' };
const NEWER_OPTIONS = { ...USER_OPTIONS, roles: [AUDITOR, ...USER_OPTIONS.roles] };

test.each(['edit', 'view'] as const)(
  'in %s, a role that was made after the options were loaded is shown, and kept when it is left [§2.11]',
  async (mode) => {
    const { store } = await renderModal(mode, { ...grace, roleId: AUDITOR.id, role: { roleName: AUDITOR.roleName } });
    if (mode === 'view') return expect(factOf('Access Role')).toBe('Auditor');
    const shown = () => field('Access Role').selectedOptions[0]?.text;
    expect(shown()).toBe('Auditor');
    fireEvent.blur(field('Access Role'));
    expect(shown()).toBe('Auditor');
    server.use(onRoute(userRoutes.options, () => ok(NEWER_OPTIONS)));
    act(() => void store.dispatch(api.util.invalidateTags(['Lookups'])));
    await waitFor(() =>
      expect(optionsOf('Access Role')).toEqual(['Please pick..', 'Auditor', 'Administrator', 'Viewer']),
    );
    expect(shown()).toBe('Auditor');
    const bodies = keepBodies(userRoutes.edit);
    fill('Phone', '1');
    submit('Save');
    await waitFor(() => expect(bodies).toMatchObject([{ roleId: AUDITOR.id }]));
  },
);

test('an edit overtaken by who gave a role that was just made names that role, and keeps it when it is left [DECISIONS §3]', async () => {
  const stale = { version: 5, changes: [changedByBob('roleId', ROLE_IDS.viewer, AUDITOR.id)] };
  server.use(onRoute(userRoutes.edit, () => refusedAsStale(stale)));
  await renderModal('edit', grace);
  const reloaded = Promise.withResolvers<void>();
  server.use(
    onRoute(userRoutes.options, async () => {
      await reloaded.promise;
      return ok(NEWER_OPTIONS);
    }),
  );
  fill('Notes', 'On leave');
  submit('Save');
  await screen.findByText(/^Access Role: Viewer → /);
  fireEvent.blur(field('Access Role'));
  reloaded.resolve();
  await screen.findByText('Access Role: Viewer → Auditor, by bob');
  await waitFor(() => expect(field('Access Role').selectedOptions[0]?.text).toBe('Auditor'));
});

test('the empty choice is no clinical role, and is refused [§5]', async () => {
  await renderModal('edit', makeOwnUser());
  fill('Clinical Role', '');
  submit('Save');
  await screen.findByText('Clinical Role is Required');
  await waitFor(() => expect(document.activeElement).toBe(field('Clinical Role')));
});

test.each(['edit', 'view'] as const)('in %s, a user without a password is marked as such [§4]', async (mode) => {
  const first = await renderModal(mode, { ...grace, hasPassword: false });
  screen.getByText('Nobody can sign in as this user until a password is set.');
  first.unmount();
  await renderModal(mode, grace);
  expect(screen.queryByText('Nobody can sign in as this user until a password is set.')).toBeNull();
});

test('viewing shows all fields but the password as text; Edit turns it into the edit [§2.11]', async () => {
  const { onClose, user } = await renderModal('view', { ...grace, isActive: false });
  const dialog = screen.getByRole('dialog', { name: 'View User' });
  expect(dialog.querySelectorAll('input,select,textarea')).toHaveLength(0);
  expect(dialog.querySelectorAll('dt')).toHaveLength(13);
  expect([factOf('User Name'), factOf('Active'), factOf('Last Name')]).toEqual([grace.userName, 'No', grace.lName]);
  expect(screen.queryByText('Password')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  screen.getByRole('dialog', { name: 'Edit User' });
  expect(document.activeElement).toBe(field('User Name'));
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
  expect(onClose).toHaveBeenCalledOnce();
});

test('while saving the button is busy, and two submits are one call [§2.20]', async () => {
  const bodies: unknown[] = [];
  const answered = Promise.withResolvers<void>();
  server.use(
    onRoute(userRoutes.create, async ({ request }) => {
      bodies.push(await request.json());
      await answered.promise;
      return ok({ id: grace.id });
    }),
  );
  const { onClose } = await renderModal('create');
  fillRequired();
  const form = field('First Name').closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create' }).getAttribute('aria-busy')).toBe('true'));
  answered.resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toHaveLength(1);
});

test.each(['create', 'edit'] as const)(
  "in %s, the server's message is shown at its field, and typed values stay [§8]",
  async (mode) => {
    const refuse = () => failed(409, 'Taken.', { userName: ['This User Name is taken already.'] });
    server.use(onRoute(userRoutes.create, refuse), onRoute(userRoutes.edit, refuse));
    const { onClose } = await renderModal(mode, mode === 'edit' ? grace : undefined);
    fillRequired();
    submit(mode === 'create' ? 'Create' : 'Save');
    await screen.findByText('userName: This User Name is taken already.');
    await waitFor(() => expect(field('User Name').getAttribute('aria-invalid')).toBe('true'));
    screen.getByText('This User Name is taken already.');
    expect(document.activeElement).toBe(field('User Name'));
    expect(field('User Name').value).toBe('ines');
    expect(field('Password').value).toBe('correct horse');
    expect(onClose).not.toHaveBeenCalled();
  },
);

test('a refusal that names no field is shown, and the dialog stays open [§8]', async () => {
  const message = 'You need the permission permissions.write for this.';
  server.use(onRoute(userRoutes.edit, () => failed(403, message)));
  const { onClose } = await renderModal('edit', grace);
  fill('Access Role', ROLE_IDS.administrator);
  submit('Save');
  expect((await screen.findByRole('alert')).textContent).toContain(message);
  expect(field('Access Role').value).toBe(ROLE_IDS.administrator);
  expect(onClose).not.toHaveBeenCalled();
});

test('a dialog with typed text asks before it closes, an untouched one closes [§2.11]', async () => {
  const { onClose, user } = await renderModal('edit', grace);
  fill('Phone', '2');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  fill('Phone', grace.phone);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('when the roles could not be loaded the dialog says so and loads them again [§2.11]', async () => {
  server.use(onRoute(userRoutes.options, () => failed(503, 'Away.')));
  renderWithStore(<UserModal show mode="create" onClose={() => {}} />);
  await screen.findByText('Away.');
  await screen.findByText('The roles to choose from could not be loaded.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);
  server.use(onRoute(userRoutes.options, () => ok(USER_OPTIONS)));
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('option', { name: 'Physician' });
});
