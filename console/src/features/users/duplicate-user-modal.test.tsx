import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test, vi } from 'vitest';
import { field, fill, fillAndLeave } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { makeUser } from '../../testing/users.ts';
import { DuplicateUserModal } from './duplicate-user-modal.tsx';

const grace = makeUser({ userName: 'grace', email: 'grace@apotheca.test' });

mockServer();

function renderModal() {
  const onClose = vi.fn();
  return { ...renderWithStore(<DuplicateUserModal show user={grace} onClose={onClose} />), onClose };
}
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Duplicate grace' }));

test('the dialog names the user and says that the copy has no password [§2.11]', () => {
  renderModal();
  screen.getByRole('dialog', { name: 'Duplicate User' });
  screen.getByText('All fields of Grace B Hopper are copied but the names and the password.');
  screen.getByText('Nobody can sign in as the copy until a password is set.');
});

test('one of the two names is required [§5]', async () => {
  renderModal();
  submit();
  await screen.findByText('User Name or Email is Required');
  screen.getByText('Email or User Name is required');
  fillAndLeave('User Name', 'grace2');
  await waitFor(() => expect(document.querySelector('.invalid-feedback')).toBeNull());
});

test.each([
  ['User Name', 'GRACE', 'Username should not be the same as the existing username'],
  ['Email', 'Grace@Apotheca.Test', 'Email should not be the same as the existing email'],
  ['User Name', 'u'.repeat(21), 'User Name can not be more than 20 characters'],
  ['Email', 'nobody', 'Please enter a valid Email'],
])('%s refuses %j: %s [§5]', async (label, value, message) => {
  renderModal();
  fillAndLeave(label, value);
  await screen.findByText(message);
});

test('the names are sent once, with the signed-in user [§7.2, §8]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(userRoutes.duplicate, async ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      await delay(20);
      return ok({ id: grace.id });
    }),
  );
  const { onClose } = renderModal();
  fill('Email', 'copy@apotheca.test');
  const form = field('Email').closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await screen.findByText('Success! User has been Duplicated.');
  expect(queries).toEqual([{ id: grace.id, email: 'copy@apotheca.test', createdBy: signedIn().id }]);
  expect(onClose).toHaveBeenCalledOnce();
});

test("the server's message is shown at its field, which has the focus [§8]", async () => {
  const errors = { email: ['This Email is taken already.'] };
  server.use(onRoute(userRoutes.duplicate, () => failed(409, 'Taken.', errors)));
  const { onClose } = renderModal();
  fill('Email', 'copy@apotheca.test');
  submit();
  await waitFor(() => expect(field('Email').getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('This Email is taken already.');
  expect(document.activeElement).toBe(field('Email'));
  expect(field('Email').value).toBe('copy@apotheca.test');
  expect(onClose).not.toHaveBeenCalled();
});

test('closing asks before typed names are lost [§2.11]', async () => {
  const { onClose, user } = renderModal();
  fill('User Name', 'copy');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
});
