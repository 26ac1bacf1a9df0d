import { databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { localDay, localMinute } from '../../../lib/moment.ts';
import { makeClone, makeDatabase } from '../../../testing/databases.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { keepSavedFiles } from '../../../testing/saved-files.ts';
import { failed, keepQueries, mockServer, onRoute, server } from '../../../testing/server.ts';
import { findRow, shownNames, textsOf } from '../../../testing/table.ts';
import { DatabasesTable } from './databases-table.tsx';

const BACKED_UP = '2026-03-04T09:30:00.000Z';
const cedar = makeDatabase({
  databaseName: 'CEDARVA',
  tenantCode: 'CEDAR',
  customerCode: 'Cédar Valley Allergy',
  newestBackupOnUtc: BACKED_UP,
});
const training = makeClone({ databaseName: 'TRAINING', copiedFrom: 'LAKESIDE' });

const { asked, answer: listOf } = keepQueries(databaseRoutes.list);

mockServer(listOf([cedar, training]));

const onOpen = vi.fn();
const renderTable = (route = '/database') => {
  asked.length = 0;
  return renderWithStore(<DatabasesTable tenantLink={(code) => `/tenants/${code}`} onOpen={onOpen} />, { route });
};
const filterField = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter databases' });

test("the columns show a database's tenant, or that it is a clone [§2.13]", async () => {
  renderTable();
  const day = localDay(new Date(cedar.createdOnUtc));
  const backedUp = localMinute(new Date(BACKED_UP));
  expect(textsOf(await findRow('CEDARVA'))).toEqual([
    'CEDARVA',
    'CEDAR Cédar Valley Allergy',
    '',
    '12 MB',
    backedUp,
    day,
  ]);
  expect(textsOf(await findRow('TRAINING'))).toEqual(['TRAINING', 'Clone', 'LAKESIDE', '12 MB', 'No backup', day]);
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '',
    'Database Name',
    'Tenant',
    'Copied From',
    'Size',
    'Newest Backup',
    'Created On',
    'Actions',
  ]);
  screen.getByText('Displaying 2 of 2 results');
});

test('the list is sorted by datName ascending, and a click reverses the order [§2.13]', async () => {
  const { router, user } = renderTable();
  await findRow('CEDARVA');
  expect(asked).toEqual([{ sortColumn: 'datName', sortDirection: 'asc' }]);
  const head = screen.getByRole('columnheader', { name: 'Database Name' });
  expect(head.getAttribute('aria-sort')).toBe('ascending');
  await user.click(screen.getByRole('button', { name: 'Database Name' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn: 'datName', sortDirection: 'desc' }));
  expect(head.getAttribute('aria-sort')).toBe('descending');
  expect(router.state.location.search).toBe('?sort=datName&dir=desc');
  await user.click(screen.getByRole('button', { name: 'Database Name' }));
  await waitFor(() => expect(router.state.location.search).toBe('?sort=datName&dir=asc'));
});

test.each([
  ['Tenant', 'tenantCode'],
  ['Size', 'sizeBytes'],
  ['Newest Backup', 'newestBackupOnUtc'],
])('%s sorts by %s [§2.13]', async (header, column) => {
  const { user } = renderTable();
  await findRow('CEDARVA');
  await user.click(screen.getByRole('button', { name: header }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ sortColumn: column, sortDirection: 'asc' }));
  await waitFor(() =>
    expect(screen.getByRole('columnheader', { name: header }).getAttribute('aria-sort')).toBe('ascending'),
  );
});

test('a database with a running operation, with an old schema, or closed to its programs has a badge [§2.13] [DECISIONS §13]', async () => {
  const busy = makeDatabase({ databaseName: 'BUSY', operation: { id: 'one', kind: 'clone' }, sizeBytes: null });
  const old = makeDatabase({ databaseName: 'OLD', isOutdated: true });
  const closed = makeDatabase({ databaseName: 'SHUT', access: 'closed' });
  const read = makeDatabase({ databaseName: 'READ', access: 'read-only' });
  server.use(listOf([busy, old, closed, read, cedar]));
  renderTable();
  within(await findRow('BUSY')).getByText('Cloning …');
  within(await findRow('OLD')).getByText('Old schema');
  expect(shownNames()).toEqual(['BUSYCloning …', 'OLDOld schema', 'SHUTClosed', 'READRead only', 'CEDARVA']);
});

test('the other columns cannot be sorted [§2.13]', async () => {
  renderTable();
  await findRow('CEDARVA');
  for (const header of ['Copied From', 'Created On']) {
    expect(within(screen.getByRole('columnheader', { name: header })).queryByRole('button')).toBeNull();
  }
});

test('sort and filter are read from the address, and invalid ones become the default [§2.13]', async () => {
  const first = renderTable('/database?sort=datName&dir=desc&q=train');
  await findRow('TRAINING');
  expect(asked).toEqual([{ sortColumn: 'datName', sortDirection: 'desc' }]);
  expect(shownNames()).toEqual(['TRAINING']);
  expect(filterField().value).toBe('train');
  first.unmount();

  renderTable('/database?sort=size&dir=up');
  await findRow('CEDARVA');
  expect(asked).toEqual([{ sortColumn: 'datName', sortDirection: 'asc' }]);
});

test.each([
  ['name', 'darva', 'CEDARVA'],
  ['tenant and customer, without accents', 'CEDAR valley', 'CEDARVA'],
  ['source of a copy', 'lake', 'TRAINING'],
])('the text filter finds the %s and the footer counts the shown rows [§2.13]', async (_field, text, name) => {
  const { router } = renderTable();
  await findRow('CEDARVA');
  fireEvent.change(filterField(), { target: { value: text } });
  await screen.findByText('Displaying 1 of 2 results');
  expect(shownNames()).toEqual([name]);
  await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('q')).toBe(text));
  expect(asked).toHaveLength(1);
});

test('/ focuses the filter [§2.13]', async () => {
  const { user } = renderTable();
  await findRow('CEDARVA');
  await user.keyboard('/');
  expect(document.activeElement).toBe(filterField());
  expect(filterField().value).toBe('');
});

test('a filter without matches says so and can be cleared [§2.13]', async () => {
  const { user } = renderTable('/database?dir=desc&q=nobody');
  await screen.findByText('No databases match');
  screen.getByText('Displaying 0 of 2 results');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await findRow('CEDARVA');
  expect(filterField().value).toBe('');
  expect(screen.getByRole('columnheader', { name: 'Database Name' }).getAttribute('aria-sort')).toBe('descending');
});

test('an empty list says where databases come from [§2.13]', async () => {
  server.use(listOf([]));
  renderTable('/database?q=any');
  await screen.findByText('No databases yet: every tenant comes with one');
});

test('a failed load says why and can be retried [§2.13]', async () => {
  server.use(onRoute(databaseRoutes.list, () => failed(503, 'The database cannot be reached. Please try again.')));
  const { user } = renderTable();
  const retry = await screen.findByRole('button', { name: 'Retry' });
  // In the table until the next load, and as a toast.
  const failure = 'The database cannot be reached. Please try again.';
  await waitFor(() => expect(screen.getAllByText(failure)).toHaveLength(2));
  server.use(listOf([cedar]));
  await user.click(retry);
  await findRow('CEDARVA');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('while the list loads the table is marked as busy [§2.13]', async () => {
  server.use(onRoute(databaseRoutes.list, () => new Promise<HttpResponse<null>>(() => {})));
  renderTable();
  const table = await screen.findByRole('table', { name: 'Database Management' });
  expect(table.getAttribute('aria-busy')).toBe('true');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /as CSV/ }).disabled).toBe(true);
});

test.each([
  ['View TRAINING', 'view'],
  ['Rename TRAINING', 'rename'],
  ['Back up TRAINING', 'backup'],
  ['Clone TRAINING', 'clone'],
])('%s is a button of the row [§2.13]', async (label, kind) => {
  const { user } = renderTable();
  await user.click(await screen.findByRole('button', { name: label }));
  expect(onOpen).toHaveBeenLastCalledWith({ kind, database: training });
});

test('deleting is in the menu of the row [§2.13]', async () => {
  const { user } = renderTable();
  await user.click(await screen.findByRole('button', { name: 'More actions for TRAINING' }));
  await user.click(screen.getByRole('menuitem', { name: 'Delete TRAINING' }));
  expect(onOpen).toHaveBeenLastCalledWith({ kind: 'delete', database: training });
});

test('restoring is in the menu of the row [§2.13]', async () => {
  const { user } = renderTable();
  await user.click(await screen.findByRole('button', { name: 'More actions for TRAINING' }));
  await user.click(screen.getByRole('menuitem', { name: 'Restore TRAINING' }));
  expect(onOpen).toHaveBeenLastCalledWith({ kind: 'restore', databaseName: 'TRAINING' });
});

test('an earlier moment is in the menu of the row [DECISIONS §13]', async () => {
  const { user } = renderTable();
  await user.click(await screen.findByRole('button', { name: 'More actions for TRAINING' }));
  await user.click(screen.getByRole('menuitem', { name: 'Restore TRAINING to a point in time' }));
  expect(onOpen).toHaveBeenLastCalledWith({ kind: 'moment', database: training });
});

test('the shown rows are saved as CSV [§2.13]', async () => {
  const saved = keepSavedFiles();
  const { user } = renderTable('/database?q=train');
  await findRow('TRAINING');
  await user.click(screen.getByRole('button', { name: 'Download the shown databases as CSV' }));
  const day = localDay(new Date(training.createdOnUtc));
  expect(((await saved[0]?.content.text()) ?? '').split('\r\n')).toEqual([
    expect.stringContaining('Database Name,Tenant,Copied From,Size,Newest Backup,Created On'),
    `TRAINING,Clone,LAKESIDE,12 MB,No backup,${day}`,
    '',
  ]);
});
