import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { field, fillAndLeave, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { makeUser, USER_OPTIONS } from '../../testing/users.ts';
import { UserModal } from './user-modal.tsx';

mockServer(onRoute(userRoutes.options, () => ok(USER_OPTIONS)));

async function renderModal(mode: 'create' | 'edit' = 'create') {
  const user = mode === 'edit' ? makeUser() : undefined;
  renderWithStore(<UserModal show mode={mode} user={user} onClose={() => {}} />);
  await findField('First Name');
}
const errorsShown = () => [...document.querySelectorAll('.invalid-feedback')].map((line) => line.textContent);

test('an empty form reports all required fields, and only when it is submitted [§5]', async () => {
  await renderModal();
  expect(errorsShown()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Create' }));
  await screen.findByText('User Name or Email is Required');
  expect(errorsShown()).toEqual([
    'User Name or Email is Required',
    'Email or User Name is required',
    'Password is Required',
    'Confirm Password is Required',
    'First Name is required',
    'Last Name is required',
    'Credentials are required',
    'Clinical Role is Required',
    'User Role is Required',
  ]);
  expect(document.activeElement).toBe(field('User Name'));
});

test('an edit requires no password [§5]', async () => {
  await renderModal('edit');
  fillAndLeave('User Name', '');
  fillAndLeave('Email', '');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('User Name or Email is Required');
  expect(errorsShown()).toEqual(['User Name or Email is Required', 'Email or User Name is required']);
});

test('a phone may be any text, which causes a warning and no error [§5]', async () => {
  const warning = 'This does not look like a phone number.';
  await renderModal();
  fillAndLeave('Phone', 'ask Grace');
  const { id } = await screen.findByText(warning);
  expect(field('Phone').getAttribute('aria-describedby')).toContain(id);
  expect(field('Phone').getAttribute('aria-invalid')).toBeNull();
  fillAndLeave('Phone', '(425) 555-0134');
  await waitFor(() => expect(screen.queryByText(warning)).toBeNull());
});

test('either name removes the message from both [§5]', async () => {
  await renderModal();
  fireEvent.blur(field('User Name'));
  fireEvent.blur(field('Email'));
  await screen.findByText('User Name or Email is Required');
  await screen.findByText('Email or User Name is required');
  fillAndLeave('Email', 'ines@lake.test');
  await waitFor(() => expect(errorsShown()).toEqual([]));
});

test.each([
  ['User Name', 'u'.repeat(21), 'User Name can not be more than 20 characters', 'u'.repeat(20)],
  ['Email', 'nobody', 'Please enter a valid Email', 'ines@lake.test'],
  ['Email', `${'e'.repeat(90)}@lake.test.x`, 'Email should not be more than 100 characters', 'ines@lake.test'],
  ['Password', '1234', 'Must be 5 characters or more', '12345'],
  ['Password', 'x'.repeat(31), 'Must be 30 characters or less', 'x'.repeat(30)],
  ['Password', '😀😀😀😀', 'Must be 5 characters or more', '😀😀😀😀😀'],
  ['First Name', 'f'.repeat(41), 'First Name should not be more than 40 characters', 'f'.repeat(40)],
  ['Last Name', 'l'.repeat(41), 'Last Name should not be more than 40 characters', 'l'.repeat(40)],
  ['Middle Initial', 'AB', 'Middle Initial should not be more than 1 character', 'A'],
  ['Credentials', 'c'.repeat(16), 'Credentials should not be more than 15 characters', 'c'.repeat(15)],
  ['Phone', '1'.repeat(31), 'Phone should not be more than 30 characters', '1'.repeat(30)],
])('%s refuses %j: %s [§5]', async (label, wrong, message, right) => {
  await renderModal();
  fillAndLeave(label, wrong);
  await screen.findByText(message);
  fillAndLeave(label, right);
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
});

test.each(['create', 'edit'] as const)(
  'in %s the passwords must match, whichever of them is corrected [§5]',
  async (mode) => {
    await renderModal(mode);
    fillAndLeave('Password', 'correct horse');
    fillAndLeave('Confirm Password', 'battery staple');
    await screen.findByText('Passwords must match');
    fillAndLeave('Password', 'battery staple');
    await waitFor(() => expect(screen.queryByText('Passwords must match')).toBeNull());
    fillAndLeave('Password', 'staple');
    await screen.findByText('Passwords must match');
  },
);
