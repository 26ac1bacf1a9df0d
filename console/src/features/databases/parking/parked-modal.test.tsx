import { type ParkedDatabase, parkedDatabase, parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { localMinute } from '../../../lib/moment.ts';
import { fill, findField } from '../../../testing/fields.ts';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { ParkedModal } from './parked-modal.tsx';

const PARKED = '2026-03-04T09:30:00.000Z';
const KEPT = '2026-03-11T09:30:00.000Z';

function makeParked(fields: Partial<ParkedDatabase>): ParkedDatabase {
  return parkedDatabase.parse({
    id: `id of ${fields.databaseName}`,
    databaseName: 'TRAINING',
    tenantCode: null,
    reason: 'deleted',
    sizeBytes: 12 * 1024 ** 2,
    parkedOnUtc: PARKED,
    keptUntilUtc: KEPT,
    operation: null,
    ...fields,
  });
}
const clone = makeParked({ databaseName: 'TRAINING' });
const tenant = makeParked({ databaseName: 'CEDARVA', tenantCode: 'CEDAR', reason: 'tenant-deleted' });
const replaced = makeParked({ databaseName: 'LAKESIDE', tenantCode: 'LAKE', reason: 'replaced' });
const MOMENT = localMinute(new Date(PARKED));

/** The data of the mocked server. */
let parked: ParkedDatabase[] = [];
mockServer(onRoute(parkedDatabaseRoutes.listParked, () => ok(parked)));

async function renderModal(rows = [clone, tenant, replaced]) {
  parked = rows;
  const onClose = vi.fn();
  const view = renderWithStore(<ParkedModal show onClose={onClose} />);
  await screen.findByText(`Displaying ${rows.length} of ${rows.length} results`);
  return { ...view, onClose };
}

/** Answers a call, after taking the database off the list. @returns the queries of the calls */
function answer(route: Parameters<typeof onRoute>[0], { id, databaseName }: ParkedDatabase, message: string) {
  const asked: Record<string, string>[] = [];
  server.use(
    onRoute(route, ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      parked = parked.filter((one) => one.id !== id);
      return ok({ id, databaseName }, message);
    }),
  );
  return asked;
}

test('each parked database shows its size, why it is parked, since when and until when [DECISIONS §13]', async () => {
  await renderModal([
    clone,
    tenant,
    replaced,
    makeParked({ databaseName: 'BUSY', operation: { id: '1', kind: 'unpark' } }),
  ]);
  const row = (name: string) =>
    [...screen.getByRole('row', { name: new RegExp(name) }).children].slice(0, -1).map((cell) => cell.textContent);
  const rest = ['12 MB', MOMENT, localMinute(new Date(KEPT))];
  expect(row('TRAINING')).toEqual(['TRAINING', 'Deleted', ...rest]);
  expect(row('CEDARVA')).toEqual(['CEDARVA', 'Deleted with tenant CEDAR', ...rest]);
  expect(row('LAKESIDE')).toEqual(['LAKESIDE', 'Replaced', ...rest]);
  expect(row('BUSY')[0]).toBe('BUSYPutting back …');
});

test('an empty list says what would stand there [DECISIONS §13]', async () => {
  parked = [];
  renderWithStore(<ParkedModal show onClose={() => {}} />);
  await screen.findByText('No database is parked');
});

test.each([
  [clone, /^TRAINING comes back as it was when it was deleted\.$/],
  [tenant, /^CEDARVA comes back .* with the tenant CEDAR and the same logins and passwords\.$/],
  [replaced, /^LAKESIDE becomes what it was .* What it is now is parked in its turn/],
])('Put back says what it does, and takes the database off the list [DECISIONS §13]', async (database, what) => {
  const { user } = await renderModal();
  const asked = answer(parkedDatabaseRoutes.putBack, database, 'It is back.');
  await user.click(screen.getByRole('button', { name: `Put back ${database.databaseName} of ${MOMENT}` }));
  const dialog = await screen.findByRole('dialog', { name: 'Put Database Back' });
  within(dialog).getByText(what);
  await user.click(within(dialog).getByRole('button', { name: /^Put back / }));
  await screen.findByText('It is back.');
  expect(asked).toEqual([{ id: database.id }]);
  await screen.findByText('Displaying 2 of 2 results');
});

test('what was moved away says that it goes back there [DECISIONS §13]', async () => {
  const moved = makeParked({ databaseName: 'LAKESIDE', reason: 'replaced', goesBackTo: 'South' });
  // As a server of the version before has it.
  const { goesBackTo: _, ...older } = makeParked({ databaseName: 'OLDER', reason: 'replaced' });
  const { user } = await renderModal([moved, older as ParkedDatabase]);
  screen.getByText('Replaced');
  screen.getByText('Replaced, kept on South');
  await user.click(screen.getByRole('button', { name: `Put back LAKESIDE of ${MOMENT}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Put Database Back' }));
  dialog.getByText(
    /^LAKESIDE becomes what it was .* It goes back to the database server South: name, role and passwords stay, host and port become those of South\.$/,
  );
});

test('a refusal to put back stays in the dialog [DECISIONS §13]', async () => {
  const { user } = await renderModal();
  const reason = 'Another database is named TRAINING now: please rename it, then TRAINING can be put back.';
  server.use(onRoute(parkedDatabaseRoutes.putBack, () => failed(409, reason)));
  await user.click(screen.getByRole('button', { name: `Put back TRAINING of ${MOMENT}` }));
  const dialog = await screen.findByRole('dialog', { name: 'Put Database Back' });
  await user.click(within(dialog).getByRole('button', { name: /^Put back / }));
  await within(dialog).findByText(reason);
});

test('after an attempt that was left in the background the next one closes its dialog at the end [DECISIONS §8, DECISIONS §13]', async () => {
  const { user } = await renderModal([clone]);
  const left = mockOperation(parkedDatabaseRoutes.putBack, { kind: 'unpark' });
  const putBack = async () => {
    await user.click(screen.getByRole('button', { name: `Put back TRAINING of ${MOMENT}` }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Put Database Back' }));
    await user.click(dialog.getByRole('button', { name: /^Put back / }));
    return dialog.findByRole('button', { name: 'Continue in background' });
  };
  await user.click(await putBack());
  left.fail('The disk is full.');
  await screen.findByText(/The disk is full/);
  const again = mockOperation(parkedDatabaseRoutes.putBack, { kind: 'unpark' });
  await putBack();
  again.succeed('It is back.');
  await screen.findByText('It is back.');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Put Database Back' })).toBeNull());
});

test('Remove now wants the name typed [DECISIONS §13]', async () => {
  const { user } = await renderModal();
  const asked = answer(parkedDatabaseRoutes.removeParked, clone, 'It is gone.');
  await user.click(screen.getByRole('button', { name: `Remove TRAINING of ${MOMENT} now` }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove Database Now' });
  within(dialog).getByText(`TRAINING, parked on ${MOMENT}, is removed with all its rows for good.`, { exact: false });
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Remove TRAINING now' });
  expect(confirm.disabled).toBe(true);
  await findField('Database Name');
  fill('Database Name', 'TRAINING');
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  await screen.findByText('It is gone.');
  expect(asked).toEqual([expect.objectContaining({ id: clone.id, databaseName: 'TRAINING' })]);
  await screen.findByText('Displaying 2 of 2 results');
});
