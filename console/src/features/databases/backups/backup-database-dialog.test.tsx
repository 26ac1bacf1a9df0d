import { backupRoutes } from '@apotheca/contract/backups';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeBackup, makeDatabase } from '../../../testing/databases.ts';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, onRoute, server } from '../../../testing/server.ts';
import { BackupDatabaseDialog } from './backup-database-dialog.tsx';

const cedar = makeDatabase({ databaseName: 'CEDAR' });

mockServer();

function renderDialog() {
  const onClose = vi.fn();
  return { ...renderWithStore(<BackupDatabaseDialog show database={cedar} onClose={onClose} />), onClose };
}

const backUp = () => fireEvent.click(screen.getByRole('button', { name: 'Back up CEDAR' }));

test('the dialog says what happens, and asks first [§2.13]', async () => {
  const operation = mockOperation(backupRoutes.create);
  const { onClose, user } = renderDialog();
  const dialog = screen.getByRole('dialog', { name: 'Back Up Database' });
  within(dialog).getByText(/^All of CEDAR is written to an archive/);
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(operation.queries).toEqual([]);
});

test('a backup shows its progress, and its size in the end [§2.13, DECISIONS §8]', async () => {
  const operation = mockOperation(backupRoutes.create, { kind: 'backup' });
  const { onClose } = renderDialog();
  backUp();
  await screen.findByText('Step 2 of 3');
  expect(operation.queries).toEqual([{ databaseName: 'CEDAR' }]);
  operation.succeed('Done.', makeBackup({ sizeBytes: 3 * 1024 ** 2 }));
  await screen.findByText('CEDAR is backed up: 3 MB.');
  expect(onClose).toHaveBeenCalledOnce();
});

test('a refused backup says why, and the dialog stays open [§8]', async () => {
  server.use(onRoute(backupRoutes.create, () => failed(409, 'CEDAR is being cloned (started by ada).')));
  const { onClose } = renderDialog();
  backUp();
  expect((await screen.findByRole('alert')).textContent).toContain('CEDAR is being cloned (started by ada).');
  expect(onClose).not.toHaveBeenCalled();
});

test('it continues in the background, and a toast tells its end [DECISIONS §8]', async () => {
  const operation = mockOperation(backupRoutes.create, { kind: 'backup' });
  const { onClose, user } = renderDialog();
  backUp();
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  operation.succeed('Done.', makeBackup({ sizeBytes: 1024 }));
  await screen.findByText('CEDAR is backed up: 1 kB.');
  expect(onClose).toHaveBeenCalledOnce();
});
