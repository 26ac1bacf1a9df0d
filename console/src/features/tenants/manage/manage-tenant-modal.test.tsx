import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { makeBackup, makeDetails } from '../../../testing/databases.ts';
import { manageDialog, quietServer, renderManage } from '../../../testing/manage-tenant.tsx';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../../testing/server.ts';

mockServer(...quietServer);

const backUp = () => fireEvent.click(screen.getByRole('button', { name: 'Backup Database' }));
const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test('the modal names the tenant and has its three tabs, the connection and the history, 65vh high [§2.8] [DECISIONS §13]', () => {
  renderManage();
  const dialog = screen.getByRole('dialog', { name: 'Manage Tenant' });
  expect(dialog.textContent).toContain('Cedar Valley Allergy · CEDARVA');
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Database Setting',
    'Delete Transaction Data & Reseed',
    'Permissions',
    'Connection',
    'History',
  ]);
  expect(dialog.querySelector<HTMLElement>('.modal-main')?.style.getPropertyValue('--modal-body-height')).toBe('65vh');
});

test('Database Setting shows name, size, sessions and newest backup [§2.8]', async () => {
  server.use(
    onRoute(databaseRoutes.details, () =>
      ok(makeDetails({ sizeBytes: 184 * 1024 ** 2, connections: 2, newestBackupOnUtc: '2026-03-04T09:30:00.000Z' })),
    ),
  );
  renderManage();
  expect(screen.getAllByText('CEDARVA').length).toBeGreaterThan(1);
  // A dash would say that there are none.
  expect([fact('Size'), fact('Open sessions'), fact('Newest backup')]).toEqual(['', '', '']);
  expect(document.querySelectorAll('.manage-facts[aria-busy=true] .skeleton')).toHaveLength(3);
  await waitFor(() => expect(fact('Size')).toBe('184 MB'));
  expect(fact('Open sessions')).toBe('2');
  expect(fact('Newest backup')).toMatch(/^2026-03-04 /);
});

test('the name can be copied [§2.8]', async () => {
  const { user } = renderManage();
  await user.click(screen.getByRole('button', { name: 'Copy the database name' }));
  expect(await navigator.clipboard.readText()).toBe('CEDARVA');
});

test('figures that could not be loaded say why and can be loaded again [§8]', async () => {
  server.use(onRoute(databaseRoutes.details, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderManage();
  expect((await screen.findByRole('alert')).textContent).toContain('The database cannot be reached.');
  expect([fact('Size'), fact('Open sessions'), fact('Newest backup')]).toEqual(['–', '–', '–']);
  server.use(onRoute(databaseRoutes.details, () => ok(makeDetails({ sizeBytes: 1024 }))));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(fact('Size')).toBe('1 kB'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the five newest backups are listed, the others counted [§2.8]', async () => {
  const asked: (string | null)[] = [];
  const backups = [1, 2, 3, 4, 5, 6, 7].map((size) => makeBackup({ sizeBytes: size * 1024 }));
  server.use(
    onRoute(backupRoutes.list, ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('databaseName'));
      return ok(backups);
    }),
  );
  renderManage();
  await screen.findByText('and 2 more in Database Management');
  expect(screen.getAllByText('3f9ac1eeeeee…')).toHaveLength(5);
  screen.getByText('5 kB');
  expect(screen.queryByText('6 kB')).toBeNull();
  expect(asked).toEqual(['CEDARVA']);
});

test('Backup Database shows its progress and its result [§2.8] [DECISIONS §8]', async () => {
  const operation = mockOperation(backupRoutes.create, { kind: 'backup', steps: ['Writing the archive'], step: 0 });
  const { onClose, user } = renderManage();
  await screen.findByText(/No backups yet/);
  backUp();
  await screen.findByRole('progressbar', { name: 'Writing the archive' });
  expect(operation.queries).toEqual([{ databaseName: 'CEDARVA' }]);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).not.toHaveBeenCalled();

  const made = makeBackup({ sizeBytes: 18 * 1024 ** 2, sha256: 'ab12'.padEnd(64, '0') });
  server.use(onRoute(backupRoutes.list, () => ok([made])));
  operation.succeed('CEDARVA is backed up.', made);
  await screen.findByText('CEDARVA is backed up.');
  expect((await screen.findByText('The backup is made')).closest('[role=status]')?.textContent).toContain(
    '18 MB · SHA-256 ab1200000000…',
  );
  // The list is loaded again.
  await waitFor(() => expect(screen.getAllByTitle(made.sha256)).toHaveLength(2));
  expect(onClose).not.toHaveBeenCalled();
});

test('a backup continues in the background, and a toast tells its end [DECISIONS §8]', async () => {
  const operation = mockOperation(backupRoutes.create, { kind: 'backup' });
  const { onClose, user } = renderManage();
  backUp();
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  expect(onClose).toHaveBeenCalledOnce();
  operation.succeed('CEDARVA is backed up.', makeBackup());
  await screen.findByText('CEDARVA is backed up.');
  expect(onClose).toHaveBeenCalledOnce();
});

test('a backup that continues in the background leaves a changed schedule open, which can be saved meanwhile [§2.8] [DECISIONS §13]', async () => {
  const operation = mockOperation(backupRoutes.create, { kind: 'backup' });
  const schedules = keepBodies(backupScheduleRoutes.set, 'Saved.');
  const { onClose, user } = renderManage();
  await user.selectOptions(await screen.findByLabelText('Frequency'), 'daily');
  backUp();
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByRole('progressbar')).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await user.click(screen.getByRole('button', { name: 'Save schedule' }));
  await waitFor(() => expect(schedules).toMatchObject([{ frequency: 'daily' }]));
  operation.succeed('CEDARVA is backed up.', makeBackup());
  await screen.findByText('CEDARVA is backed up.');
  expect(onClose).not.toHaveBeenCalled();
});

test('a backup that ends after its page was left is told by a toast [DECISIONS §8]', async () => {
  const operation = mockOperation(backupRoutes.create, { kind: 'backup' });
  const { store, unmount } = renderManage();
  backUp();
  await screen.findByRole('progressbar');
  unmount();
  renderWithStore(<p>Another page</p>, { store });
  operation.succeed('CEDARVA is backed up.', makeBackup());
  await screen.findByText('CEDARVA is backed up.');
});

test('a backup that fails says why until the next attempt [§8]', async () => {
  const why = 'This needs pg_dump: install the PostgreSQL client programs.';
  server.use(onRoute(backupRoutes.create, () => failed(503, why)));
  renderManage();
  backUp();
  await screen.findByText('The backup was not made');
  await waitFor(() => expect(screen.getAllByText(why)).toHaveLength(2));
  // The next attempt starts without the old message.
  const next = vi.fn(() => new Promise<HttpResponse<null>>(() => {}));
  server.use(onRoute(backupRoutes.create, next));
  backUp();
  // Waited for: else it may come while the next test counts its own.
  await waitFor(() => expect(next).toHaveBeenCalledOnce());
  expect(screen.queryByText('The backup was not made')).toBeNull();
});

test('two quick clicks make one backup [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(backupRoutes.create, () => {
      calls += 1;
      return ok(makeBackup(), 'Done.');
    }),
  );
  renderManage();
  const button = screen.getByRole('button', { name: 'Backup Database' });
  fireEvent.click(button);
  fireEvent.click(button);
  await screen.findByText('Done.');
  expect(calls).toBe(1);
});

test('the tabs are reached by arrow keys, and ticks stay [§2.8]', async () => {
  const { user } = renderManage();
  screen.getByRole('tab', { name: 'Database Setting' }).focus();
  await user.keyboard('{ArrowRight}');
  await user.click(manageDialog().getByRole('checkbox', { name: 'shots' }));
  await user.click(screen.getByRole('tab', { name: 'Permissions' }));
  expect(screen.queryByRole('checkbox', { name: 'shots' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Delete Transaction Data & Reseed' }));
  expect(manageDialog().getByRole<HTMLInputElement>('checkbox', { name: 'shots' }).checked).toBe(true);
});

test('ticks alone cause no question at closing [§2.8]', async () => {
  const { onClose, user } = renderManage();
  await user.click(screen.getByRole('tab', { name: 'Delete Transaction Data & Reseed' }));
  await user.click(screen.getByRole('checkbox', { name: 'shots' }));
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});
