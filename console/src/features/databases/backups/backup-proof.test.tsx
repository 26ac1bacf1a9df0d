import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { type Backup, type BackupProof, backupRoutes } from '@apotheca/contract/backups';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeBackup } from '../../../testing/databases.ts';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { BackupsTable } from './backups-table.tsx';

/** The data of the mocked server. */
let backups: Backup[] = [];
mockServer(onRoute(backupRoutes.list, () => ok(backups)));

const HOUR = 3_600_000;
const proof = (fields: Partial<BackupProof> = {}): BackupProof => ({
  result: 'proved',
  endedOnUtc: new Date(Date.now() - 3 * HOUR).toISOString(),
  restoreMs: 134_000,
  comparedWith: 'checksums',
  reason: '',
  tables: [],
  ...fields,
});
const REASON = 'The restored rows of patients are not those that were backed up.';
const broken = proof({ result: 'failed', restoreMs: null, comparedWith: null, reason: REASON, tables: ['patients'] });

async function renderTable(...proofs: (BackupProof | null)[]) {
  backups = proofs.map((one, index) => makeBackup({ databaseName: `T${index}`, proof: one }));
  const view = renderWithStore(<BackupsTable onRestore={() => {}} />);
  await screen.findByText(`Displaying ${backups.length} of ${backups.length} results`);
  return view;
}
const cell = (name: string) => screen.getByRole('row', { name: new RegExp(name) }).textContent;

test('each backup says when it was proved and how long restoring it takes, or for which table that failed [DECISIONS §13]', async () => {
  await renderTable(proof(), broken, null, proof({ comparedWith: 'counts', restoreMs: 500 }));
  expect(cell('T0')).toMatch(/Proved 3 h ago, restores in 2 min 14 s(?!;)/);
  expect(cell('T1')).toContain(`Cannot be restored patients ${REASON}`);
  screen.getByTitle(`Cannot be restored patients ${REASON}`);
  expect(cell('T2')).toContain('Not proved');
  expect(cell('T3')).toContain('restores in less than a second; only the rows were counted');
});

test('a list of which nothing was proved has no column of it [DECISIONS §13]', async () => {
  await renderTable(null);
  expect(screen.queryByRole('columnheader', { name: 'Restore' })).toBeNull();
});

async function openDialog(...proofs: (BackupProof | null)[]) {
  const { user } = await renderTable(...proofs);
  await user.click(screen.getByRole('button', { name: /^Prove the restore of the backup of T0 of / }));
  const dialog = await screen.findByRole('dialog', { name: 'Prove Restore' });
  return { user, dialog, start: () => user.click(within(dialog).getByRole('button', { name: 'Prove restore' })) };
}

test('a proof says what it does before it starts; the list then has its result [DECISIONS §13]', async () => {
  const asked: (string | null)[] = [];
  server.use(
    onRoute(backupProofRoutes.prove, ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('id'));
      backups = backups.map((backup) => ({ ...backup, proof: proof() }));
      return ok(backups[0], 'Success! The backup of T0 can be restored.');
    }),
  );
  const { dialog, start } = await openDialog(null);
  within(dialog).getByText(/^The backup of T0 of .* is restored into a database that nobody sees/);
  within(dialog).getByText('Last proof: Not proved');
  expect(asked).toEqual([]);
  await start();
  await screen.findByText('Success! The backup of T0 can be restored.');
  expect(asked).toEqual([backups[0]?.id]);
  await screen.findByText(/restores in 2 min 14 s/);
});

test('a proof that fails says why in the dialog, and in the list [DECISIONS §13]', async () => {
  server.use(
    onRoute(backupProofRoutes.prove, () => {
      backups = backups.map((backup) => ({ ...backup, proof: broken }));
      return failed(400, REASON);
    }),
  );
  const { dialog, start } = await openDialog(proof());
  await start();
  await within(dialog).findByText(REASON);
  await screen.findByText('patients');
});

test('a backup is proved again after a proof that was left in the background, and the dialog closes at the end [DECISIONS §8, DECISIONS §13]', async () => {
  const left = mockOperation(backupProofRoutes.prove, { kind: 'prove' });
  const { user, start } = await openDialog(null);
  await start();
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  left.succeed('The first proof has ended.', backups[0]);
  await screen.findByText('The first proof has ended.');
  const again = mockOperation(backupProofRoutes.prove, { kind: 'prove' });
  await user.click(screen.getByRole('button', { name: /^Prove the restore of the backup of T0 of / }));
  await user.click(await screen.findByRole('button', { name: 'Prove restore' }));
  await screen.findByRole('button', { name: 'Continue in background' });
  again.succeed('The second proof has ended.', backups[0]);
  await screen.findByText('The second proof has ended.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
