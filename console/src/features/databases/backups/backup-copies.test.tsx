import { type Backup, type BackupCopy, backupRoutes } from '@apotheca/contract/backups';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeBackup } from '../../../testing/databases.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { mockServer, ok, onRoute } from '../../../testing/server.ts';
import { BackupsTable } from './backups-table.tsx';

const BUCKET = 's3://archives at s3.example.org';
const DISK = 'file:/mnt/nas';

/** The data of the mocked server. */
let backups: Backup[] = [];
let loads = 0;
mockServer(
  onRoute(backupRoutes.list, () => {
    loads += 1;
    return ok(backups);
  }),
);

const copy = (fields: Partial<BackupCopy>): BackupCopy => ({
  store: BUCKET,
  state: 'copied',
  isEncrypted: true,
  attempts: 0,
  reason: '',
  ...fields,
});

async function renderTable(...copiesOfEach: BackupCopy[][]) {
  backups = copiesOfEach.map((copies, index) => makeBackup({ databaseName: `T${index}`, copies }));
  renderWithStore(<BackupsTable onRestore={() => {}} />);
  await screen.findByText(`Displaying ${backups.length} of ${backups.length} results`);
}
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));

test('each backup says where its archive lies, and how each copy is [DECISIONS §13]', async () => {
  await renderTable(
    [copy({}), copy({ store: DISK, isEncrypted: false })],
    [copy({ state: 'waiting' }), copy({ store: DISK, state: 'copying' })],
    [copy({ state: 'failed', attempts: 2, reason: 'Access Denied' })],
  );
  row('T0').getByText('Copied, encrypted');
  row('T0').getByText('Copied');
  row('T0').getByText(DISK);
  row('T1').getByText('Waiting');
  row('T1').getByText('Copying');
  row('T2').getByText('Failed 2 times');
  row('T2').getByText(/Access Denied/);
  expect(screen.queryByText(/keep failing/)).toBeNull();
});

test('a copy on its way is looked at again until it is there, and then no more [DECISIONS §13]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await renderTable([copy({ state: 'copying' })]);
  const before = loads;
  backups = [makeBackup({ databaseName: 'T0', copies: [copy({})] })];
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  await waitFor(() => row('T0').getByText('Copied, encrypted'));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(loads).toBe(before + 1);
});

test('a store in which copies keep failing stands above the list, with the reason [DECISIONS §13]', async () => {
  const failing = copy({ state: 'failed', attempts: 3, reason: 'Access Denied' });
  await renderTable([failing, copy({ store: DISK })], [failing]);
  screen.getByText('Copies of backups keep failing. The server goes on trying.');
  screen.getByText(`2 copies in ${BUCKET}: Access Denied`);
});

test('a list without copies has no column of them [DECISIONS §13]', async () => {
  await renderTable([], []);
  expect(screen.queryByRole('columnheader', { name: 'Copies' })).toBeNull();
});

test('that its copies are deleted with it is said before a backup is deleted [§2.13]', async () => {
  await renderTable([copy({})]);
  fireEvent.click(screen.getByRole('button', { name: /^Delete the backup of T0/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Backup' });
  within(dialog).getByText(/is deleted for good, with its copies in all stores\. It cannot be brought back\.$/);
});
