import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeClone, makeDatabase } from '../../testing/databases.ts';
import { field, fill, fillAndLeave } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { RenameDatabaseModal } from './rename-database-modal.tsx';
import { DatabasesTable } from './screen/databases-table.tsx';

const cedar = makeDatabase({ databaseName: 'CEDARVA', tenantCode: 'CEDAR' });
const training = makeClone({ databaseName: 'TRAINING' });
const LABEL = 'Database Name';
const EXISTS = 'Database name should be not same with existing name';

mockServer(onRoute(databaseRoutes.list, () => ok([cedar, training])));

/** Above the list, as on the page: the list's names are in use. */
async function renderModal(database: Database = cedar) {
  const onClose = vi.fn();
  const view = renderWithStore(
    <>
      <DatabasesTable tenantLink={(code) => `/tenants/${code}`} onOpen={() => {}} />
      <RenameDatabaseModal show database={database} onClose={onClose} />
    </>,
  );
  await screen.findByText('Displaying 2 of 2 results');
  return { ...view, onClose };
}

const renameButton = () =>
  within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Rename CEDARVA' });
const submit = () => fireEvent.click(renameButton());

test('the dialog starts with the present name and says what changes for the tenant [§2.13]', async () => {
  await renderModal();
  screen.getByRole('dialog', { name: 'Rename Database' });
  expect(field(LABEL).value).toBe('CEDARVA');
  screen.getByText(/^The database name shown for the tenant CEDAR changes with it\. Nothing else does/);
});

test("a clone's name affects no tenant [§2.13]", async () => {
  await renderModal(training);
  screen.getByText(/^Nothing but the name changes/);
});

test('while the name is unchanged Rename stays disabled [§2.13]', async () => {
  await renderModal();
  expect(renameButton().disabled).toBe(true);
  fillAndLeave(LABEL, 'CEDAR2');
  await waitFor(() => expect(renameButton().disabled).toBe(false));
});

test("another database's name is refused, in upper or lower case; its own is not [§5]", async () => {
  await renderModal();
  fillAndLeave(LABEL, 'training');
  await screen.findByText(EXISTS);
  fillAndLeave(LABEL, 'cedarva');
  await waitFor(() => expect(screen.queryByText(EXISTS)).toBeNull());
});

test('a name is required and may have 256 characters [§5]', async () => {
  await renderModal();
  fillAndLeave(LABEL, '');
  await screen.findByText('Database Name is Required');
  fillAndLeave(LABEL, 'X'.repeat(257));
  await screen.findByText('Database Name should not be more than 256 characters');
  fillAndLeave(LABEL, 'X'.repeat(256));
  await waitFor(() => expect(screen.queryByText(/should not be more/)).toBeNull());
});

test('the new name is sent in upper case, and the message is shown [§2.13]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(databaseRoutes.rename, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({ id: cedar.id, databaseName: 'CEDAR2' }, 'CEDARVA is now CEDAR2.');
    }),
  );
  const { onClose, user } = await renderModal();
  await user.clear(field(LABEL));
  await user.type(field(LABEL), 'cedar2{Enter}');
  await screen.findByText('CEDARVA is now CEDAR2.');
  expect(queries).toEqual([{ databaseName: 'CEDARVA', newName: 'CEDAR2' }]);
  expect(onClose).toHaveBeenCalledOnce();
});

test.each(['newName', 'databaseName'])("the server's message about %s is shown at the field [§8]", async (name) => {
  const errors = { [name]: ['This name is reserved.'] };
  server.use(onRoute(databaseRoutes.rename, () => failed(409, 'Refused.', errors)));
  const { onClose } = await renderModal();
  fill(LABEL, 'POSTGRES');
  submit();
  await waitFor(() => expect(field(LABEL).getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('This name is reserved.');
  expect(field(LABEL).value).toBe('POSTGRES');
  expect(onClose).not.toHaveBeenCalled();
});
