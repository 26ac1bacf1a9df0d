import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { backupRoutes } from '@apotheca/contract/backups';
import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  makeAnonymizedClone,
  makeBackup,
  makeClone,
  makeDatabase,
  makeDetails,
  makePlan,
  makeRefreshPlan,
  makeRestorePlan,
} from '../../testing/databases.ts';
import { fill, findField } from '../../testing/fields.ts';
import { mockOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { DatabasesPage } from './databases-page.tsx';

const backup = makeBackup({ databaseName: 'CEDARVA' });

/** The data of the mocked server. */
let databases: Database[] = [];

mockServer(
  onRoute(databaseRoutes.list, () => ok(databases)),
  onRoute(databaseRoutes.details, () => ok(makeDetails())),
  onRoute(databaseRoutes.planDeletion, () => ok(makePlan(), 'All of it goes.')),
  onRoute(backupRoutes.list, () => ok([backup])),
  onRoute(backupRoutes.planRestore, () => ok(makeRestorePlan(), 'A new database is made.')),
  onRoute(parkedDatabaseRoutes.listParked, () => ok([])),
  onRoute(reconciliationRoutes.reconcile, () => ok({ checkedOnUtc: '2026-03-04', databases: 2, findings: [] })),
);

async function renderPage() {
  const cedar = makeDatabase({ databaseName: 'CEDARVA' });
  const training = makeClone({ databaseName: 'TRAINING' });
  databases = [cedar, training];
  const view = renderWithStore(<DatabasesPage />, { route: '/database' });
  await screen.findByRole('row', { name: /TRAINING/ });
  return { ...view, cedar, training };
}

/** Answers a changing call with that message, after changing the data. */
const answer = (route: Parameters<typeof onRoute>[0], message: string, change: () => void) =>
  server.use(
    onRoute(route, () => {
      change();
      return ok({ id: '', databaseName: '' }, message);
    }),
  );

test('the page has a heading and a link home [§2.13]', async () => {
  await renderPage();
  screen.getByRole('heading', { level: 1, name: 'Database Management' });
  expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
  expect(document.title).toContain('Database Management');
});

test('the tenant of a database leads to its page [§2.24]', async () => {
  const { cedar } = await renderPage();
  const link = within(screen.getByRole('row', { name: /CEDARVA/ })).getByRole('link');
  expect(link.getAttribute('href')).toBe(`/tenants/${cedar.tenantCode}`);
  expect(within(screen.getByRole('row', { name: /TRAINING/ })).queryByRole('link')).toBeNull();
});

test.each<[button: string, title: string, menu?: string]>([
  ['View CEDARVA', 'View Database'],
  ['Rename CEDARVA', 'Rename Database'],
  ['Back up CEDARVA', 'Back Up Database'],
  ['Clone CEDARVA', 'Clone Database'],
  ['Restore Database', 'Restore Database'],
  ['Backups', 'Backups'],
  ['Parked Databases', 'Parked Databases', 'More for all databases'],
  ['Reconcile', 'Reconcile', 'More for all databases'],
])('%s opens %s, and closing it gives the focus back [§2.13]', async (button, title, menu) => {
  const { user } = await renderPage();
  if (menu !== undefined) await user.click(screen.getByRole('button', { name: menu }));
  await user.click(screen.getByRole(menu === undefined ? 'button' : 'menuitem', { name: button }));
  const dialog = await screen.findByRole('dialog', { name: title });
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] ?? dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: menu ?? button }));
});

test('a dialog opened again starts with fresh state [§2.13]', async () => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Clone CEDARVA' }));
  fill('Duplicate Database Name', 'TYPED');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Clone CEDARVA' }));
  expect((await findField('Duplicate Database Name')).value).toBe('');
});

test('a clone is in the list afterwards [§2.13]', async () => {
  const { user } = await renderPage();
  answer(databaseRoutes.copy, 'CEDAR2 is a copy of CEDARVA.', () => {
    databases = [...databases, makeClone({ databaseName: 'CEDAR2', copiedFrom: 'CEDARVA' })];
  });
  await user.click(screen.getByRole('button', { name: 'Clone CEDARVA' }));
  fill('Duplicate Database Name', 'CEDAR2');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone CEDARVA' }));
  await screen.findByText('CEDAR2 is a copy of CEDARVA.');
  await screen.findByText('Displaying 3 of 3 results');
});

test('a name that the list contains is refused before it is sent [§5]', async () => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Clone CEDARVA' }));
  fill('Duplicate Database Name', 'training');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone CEDARVA' }));
  await screen.findByText('Database name should be not same with existing name');
});

test('a renamed database shows its new name [§2.13]', async () => {
  const { user, cedar, training } = await renderPage();
  answer(databaseRoutes.rename, 'TRAINING is now COURSE.', () => {
    databases = [cedar, { ...training, databaseName: 'COURSE' }];
  });
  await user.click(screen.getByRole('button', { name: 'Rename TRAINING' }));
  fill('Database Name', 'COURSE');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Rename TRAINING' }));
  await screen.findByText('TRAINING is now COURSE.');
  await screen.findByRole('row', { name: /COURSE/ });
});

test('a deleted database is gone from the list [§2.13, §8]', async () => {
  const { user, cedar } = await renderPage();
  answer(databaseRoutes.delete, 'OK', () => {
    databases = [cedar];
  });
  await user.click(screen.getByRole('button', { name: 'More actions for TRAINING' }));
  await user.click(screen.getByRole('menuitem', { name: 'Delete TRAINING' }));
  await findField('Database Name');
  fill('Database Name', 'TRAINING');
  const dialog = screen.getByRole('dialog');
  await waitFor(() =>
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete TRAINING' }).disabled).toBe(false),
  );
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete TRAINING' }));
  await screen.findByText('Successfully deleted database.');
  await screen.findByText('Displaying 1 of 1 results');
});

test('Restore in the list of backups leads to the restore dialog with that backup [§2.13]', async () => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: 'Backups' }));
  await user.click(await screen.findByRole('button', { name: /^Restore the backup of CEDARVA/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Restore Database' });
  expect((await within(dialog).findByRole<HTMLInputElement>('radio')).checked).toBe(true);
  expect((await findField('Database Name')).value).toBe('CEDARVA');
});

test('an operation that ends late does not close the dialog opened meanwhile [DECISIONS §8]', async () => {
  const { user } = await renderPage();
  const operation = mockOperation(databaseRoutes.copy);
  await user.click(screen.getByRole('button', { name: 'Clone CEDARVA' }));
  fill('Duplicate Database Name', 'CEDAR2');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone CEDARVA' }));
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Clone TRAINING' }));
  await findField('Duplicate Database Name');
  fill('Duplicate Database Name', 'TYPED');
  databases = [...databases, makeClone({ databaseName: 'CEDAR2' })];
  operation.succeed('CEDAR2 is a copy of CEDARVA.', { id: 'new', databaseName: 'CEDAR2' });
  await screen.findByText('CEDAR2 is a copy of CEDARVA.');
  expect((await findField('Duplicate Database Name')).value).toBe('TYPED');
  // Behind the dialog the list contains the new database.
  await screen.findByText('Displaying 3 of 3 results');
});

test('a refresh left in the background does not close the dialog opened meanwhile [DECISIONS §8, DECISIONS §13]', async () => {
  server.use(
    onRoute(anonymizedCloneRoutes.get, () => ok(makeAnonymizedClone())),
    onRoute(anonymizedCloneRoutes.planRefresh, () => ok(makeRefreshPlan(), 'Every row of STAGING goes.')),
  );
  const operation = mockOperation(anonymizedCloneRoutes.refresh);
  databases = [makeClone({ databaseName: 'STAGING', refreshedOnUtc: '2026-03-04T09:30:00.000Z' })];
  const { user } = renderWithStore(<DatabasesPage />, { route: '/database' });
  await user.click(await screen.findByRole('button', { name: 'More actions for STAGING' }));
  await user.click(screen.getByRole('menuitem', { name: 'Refresh STAGING' }));
  const refresh = await screen.findByRole<HTMLButtonElement>('button', { name: 'Refresh now' });
  await waitFor(() => expect(refresh.disabled).toBe(false));
  await user.click(refresh);
  await findField('Database Name');
  fill('Database Name', 'STAGING');
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: 'Refresh' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Clone STAGING' }));
  await findField('Duplicate Database Name');
  fill('Duplicate Database Name', 'TYPED');
  operation.succeed('STAGING has been refreshed.');
  await screen.findByText('STAGING has been refreshed.');
  expect((await findField('Duplicate Database Name')).value).toBe('TYPED');
});

test('another change during a running operation is shown at once [DECISIONS §8]', async () => {
  const { user, cedar } = await renderPage();
  mockOperation(databaseRoutes.copy);
  await user.click(screen.getByRole('button', { name: 'Clone CEDARVA' }));
  fill('Duplicate Database Name', 'CEDAR2');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone CEDARVA' }));
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer(databaseRoutes.rename, 'TRAINING is now COURSE.', () => {
    databases = [cedar, makeClone({ databaseName: 'COURSE' })];
  });
  await user.click(screen.getByRole('button', { name: 'Rename TRAINING' }));
  fill('Database Name', 'COURSE');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Rename TRAINING' }));
  await screen.findByRole('row', { name: /COURSE/ });
});
