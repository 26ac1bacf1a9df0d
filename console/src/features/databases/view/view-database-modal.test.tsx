import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { makeBackup, makeDatabase, makeDetails } from '../../../testing/databases.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { ViewDatabaseModal } from './view-database-modal.tsx';

const cedar = makeDatabase({ databaseName: 'CEDARVA', tenantCode: 'CEDAR', customerCode: 'Cedar Valley Allergy' });
const details = makeDetails({
  ...cedar,
  physicalName: 'db_0001_cedarva',
  roleName: 'tenant_0001',
  sizeBytes: 12.5 * 1024 ** 2,
  schemaVersion: 7,
  connections: 3,
  tables: [
    { name: 'lots', rows: 20, sizeBytes: 8192 },
    { name: 'patients', rows: 1200, sizeBytes: 1024 ** 2 },
    { name: 'counts', rows: 0, sizeBytes: 8192 },
  ],
});

let asked: (string | null)[] = [];
const answer = () =>
  onRoute(databaseRoutes.details, ({ request }) => {
    asked.push(new URL(request.url).searchParams.get('databaseName'));
    return ok(details);
  });
const backup = makeBackup({ databaseName: 'CEDARVA' });
const listBackups = onRoute(backupRoutes.list, ({ request }) => {
  const name = new URL(request.url).searchParams.get('databaseName');
  return ok(name === 'CEDARVA' ? [backup] : []);
});

mockServer(answer(), listBackups);

function renderModal() {
  asked = [];
  const [onOpen, onClose] = [vi.fn(), vi.fn()];
  const view = renderWithStore(<ViewDatabaseModal show database={cedar} onOpen={onOpen} onClose={onClose} />);
  return { ...view, onOpen, onClose };
}

const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

test("the dialog shows the database's facts [§2.13]", async () => {
  renderModal();
  screen.getByRole('dialog', { name: 'View Database' });
  await screen.findByText('12.5 MB');
  expect(asked).toEqual(['CEDARVA']);
  expect(fact('Schema Version')).toBe('7');
  expect(fact('Open Sessions')).toBe('3');
  expect(fact('Tenant')).toBe('CEDAR Cedar Valley Allergy');
  expect(fact('Name in PostgreSQL')).toBe('db_0001_cedarva');
  expect(fact('Role')).toBe('tenant_0001');
  expect(screen.queryByText('Copied From')).toBeNull();
});

test('a clone is marked as one, with its source [§2.13]', async () => {
  const clone = { ...details, tenantCode: null, customerCode: null, copiedFrom: 'LAKESIDE' };
  server.use(onRoute(databaseRoutes.details, () => ok(clone)));
  renderModal();
  await screen.findByText('LAKESIDE');
  expect(fact('Copied From')).toBe('LAKESIDE');
  expect(fact('Tenant')).toBe('Clone');
});

test('the tables are sorted by size, with a total [§2.13]', async () => {
  renderModal();
  const table = await screen.findByRole('table', { name: 'Tables' });
  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ['Table', 'Rows', 'Size'],
    ['patients', '1,200', '1 MB'],
    ['counts', '0', '8 kB'],
    ['lots', '20', '8 kB'],
    ['Total', '1,220', '1 MB'],
  ]);
});

test('the dialog says that it is loading [§2.13]', async () => {
  server.use(onRoute(databaseRoutes.details, () => new Promise<HttpResponse<null>>(() => {})));
  const { onClose, user } = renderModal();
  within(screen.getByRole('dialog')).getByText('Loading the database');
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(databaseRoutes.details, () => failed(404, 'There is no such database.')));
  const { user } = renderModal();
  await within(await screen.findByRole('alert')).findByText('There is no such database.');
  server.use(answer());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('12.5 MB');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what is shown stays when it cannot be loaded anew, with why and Retry [§8]', async () => {
  const { store, user } = renderModal();
  await screen.findByText('12.5 MB');
  server.use(onRoute(databaseRoutes.details, () => failed(503, 'The database cannot be reached.')));
  act(() => void store.dispatch(api.util.invalidateTags(['Purges'])));
  await within(await screen.findByRole('alert')).findByText('The database cannot be reached.');
  expect(fact('Schema Version')).toBe('7');
  screen.getByRole('table', { name: 'Tables' });
  server.use(onRoute(databaseRoutes.details, () => ok({ ...details, schemaVersion: 8 })));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(fact('Schema Version')).toBe('8'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('its backups are listed, and one leads to restoring it under the same name [§2.13]', async () => {
  const { onOpen, user } = renderModal();
  const table = await screen.findByRole('table', { name: 'Backups' });
  await within(table).findByText('3 MB');
  expect(within(table).queryByText('Database Name')).toBeNull();
  await user.click(within(table).getByRole('button', { name: /^Restore the backup of CEDARVA/ }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ kind: 'restore', backup, databaseName: 'CEDARVA' });
});

test('without backups it says so [§2.13]', async () => {
  server.use(onRoute(backupRoutes.list, () => ok([])));
  renderModal();
  await screen.findByText('No backups of this database yet');
});

test('tables that are missing or damaged are named above the others [§2.13]', async () => {
  const unreadableTables = ['otps', 'patients'];
  server.use(onRoute(databaseRoutes.details, () => ok({ ...details, unreadableTables })));
  renderModal();
  await screen.findByText(/^These tables are missing or damaged.*: otps and patients\./);
  screen.getByRole('table', { name: 'Tables' });
});

test('rejected rows that are deleted are no longer told of [§2.13]', async () => {
  server.use(
    onRoute(databaseRoutes.details, () => ok({ ...details, rejectedRows: 3 })),
    onRoute(adoptionRoutes.deleteRejected, () => {
      server.use(answer());
      return ok({ databaseName: 'CEDARVA', rows: 3 });
    }),
  );
  const { user } = renderModal();
  await user.click(await screen.findByRole('button', { name: 'Delete rejected rows' }));
  await user.click(await screen.findByRole('button', { name: 'Delete rows' }));
  await screen.findByText('The rejected rows are deleted.');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete rejected rows' })).toBeNull());
});

test('why rejected rows could not be deleted is not told when it is asked anew [§2.13]', async () => {
  server.use(
    onRoute(databaseRoutes.details, () => ok({ ...details, rejectedRows: 3 })),
    onRoute(adoptionRoutes.deleteRejected, () => failed(503, 'Away.')),
  );
  const { user } = renderModal();
  const dialog = async () => {
    await user.click(await screen.findByRole('button', { name: 'Delete rejected rows' }));
    return within(await screen.findByRole('dialog', { name: 'Delete Rejected Rows' }));
  };
  const first = await dialog();
  await user.click(first.getByRole('button', { name: 'Delete rows' }));
  await first.findByText('Away.');
  await user.click(first.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Rejected Rows' })).toBeNull());
  expect((await dialog()).queryByText('Away.')).toBeNull();
});
