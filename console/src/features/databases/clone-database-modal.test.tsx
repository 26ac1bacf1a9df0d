import { databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test, vi } from 'vitest';
import { makeDatabase } from '../../testing/databases.ts';
import { field, fill, fillAndLeave } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { CloneDatabaseModal } from './clone-database-modal.tsx';
import { DatabasesTable } from './screen/databases-table.tsx';

const cedar = makeDatabase({ databaseName: 'CEDAR OLD' });
const LABEL = 'Duplicate Database Name';
const EXISTS = 'Database name should be not same with existing name';

mockServer(onRoute(databaseRoutes.list, () => ok([cedar, makeDatabase({ databaseName: 'Harbor' })])));

/** Above the list, as on the page: the list's names are in use. */
async function renderModal() {
  const onClose = vi.fn();
  const view = renderWithStore(
    <>
      <DatabasesTable tenantLink={(code) => `/tenants/${code}`} onOpen={() => {}} />
      <CloneDatabaseModal show database={cedar} onClose={onClose} />
    </>,
  );
  await screen.findByText('Displaying 2 of 2 results');
  return { ...view, onClose };
}

const submit = () =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone CEDAR OLD' }));

test('the dialog names the database and says what will happen [§2.13]', async () => {
  await renderModal();
  screen.getByRole('dialog', { name: 'Clone Database' });
  screen.getByText(/^CEDAR OLD is copied under the new name with every row/);
  screen.getByText(/^Sessions that use CEDAR OLD are ended after a short grace/);
});

test('a name is required: Duplicate Database Name is Required [§5]', async () => {
  await renderModal();
  submit();
  await screen.findByText('Duplicate Database Name is Required');
  fill(LABEL, '   ');
  submit();
  await screen.findByText('Duplicate Database Name is Required');
});

test('a name may have 256 characters and not one more [§5]', async () => {
  await renderModal();
  expect(field(LABEL).maxLength).toBe(-1);
  const tooLong = 'Database Name should not be more than 256 characters';
  fillAndLeave(LABEL, 'X'.repeat(257));
  await screen.findByText(tooLong);
  fillAndLeave(LABEL, 'X'.repeat(256));
  await waitFor(() => expect(screen.queryByText(tooLong)).toBeNull());
});

test.each(['HARBOR', 'harbor', ' Harbor ', 'cedar old'])(
  '%j exists already, in upper or lower case, and is refused [§5]',
  async (name) => {
    await renderModal();
    fillAndLeave(LABEL, name);
    await screen.findByText(EXISTS);
    fillAndLeave(LABEL, 'HARBOR2');
    await waitFor(() => expect(screen.queryByText(EXISTS)).toBeNull());
  },
);

test('the clone is sent once, in upper case, without a tenant, and the message is shown [§5, §7.3]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(databaseRoutes.copy, async ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      await delay(20);
      return ok({ id: 'new', databaseName: 'TRAINING' }, 'TRAINING is a copy of CEDAR OLD.');
    }),
  );
  const { onClose, user } = await renderModal();
  await user.type(field(LABEL), 'training');
  expect(field(LABEL).value).toBe('TRAINING');
  const form = field(LABEL).closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await screen.findByText('TRAINING is a copy of CEDAR OLD.');
  expect(queries).toEqual([{ databaseName: 'TRAINING', copyFrom: 'CEDAR OLD', isCreateTenant: 'false' }]);
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([400, 409, 500])(
  'a status of %i shows its message as an error and keeps the typed name [§7.3, §8]',
  async (status) => {
    server.use(onRoute(databaseRoutes.copy, () => failed(status, 'The copy failed.')));
    const { onClose } = await renderModal();
    fill(LABEL, 'TRAINING');
    submit();
    expect((await screen.findByRole('alert')).textContent).toContain('The copy failed.');
    expect(field(LABEL).value).toBe('TRAINING');
    expect(onClose).not.toHaveBeenCalled();
  },
);

test.each([400, 409, 500])('a status of %i inside an answer does so too [§7.3, §8]', async (status) => {
  server.use(onRoute(databaseRoutes.copy, () => Response.json({ status, message: 'The copy failed.', result: null })));
  const { onClose } = await renderModal();
  fill(LABEL, 'TRAINING');
  submit();
  expect((await screen.findByRole('alert')).textContent).toContain('The copy failed.');
  expect(onClose).not.toHaveBeenCalled();
});

test("the server's message about the name is shown at the field [§8]", async () => {
  const errors = { databaseName: ['A database with this name exists already.'] };
  server.use(onRoute(databaseRoutes.copy, () => failed(409, 'A record with this name exists already.', errors)));
  await renderModal();
  fill(LABEL, 'TRAINING');
  submit();
  await waitFor(() => expect(field(LABEL).getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('A database with this name exists already.');
  expect(document.activeElement).toBe(field(LABEL));
});

test('closing asks before a typed name is lost [§2.13]', async () => {
  const { onClose, user } = await renderModal();
  await user.type(field(LABEL), 'T');
  await user.keyboard('{Escape}');
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
});
