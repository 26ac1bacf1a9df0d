import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeDatabase, makeMovePlan } from '../../../testing/databases.ts';
import { makeDatabaseServer, makeHomeServer } from '../../../testing/databaseservers.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { MoveDatabaseDialog } from './move-database-dialog.tsx';

const database = makeDatabase({ databaseName: 'TRAINING', serverName: 'Home' });
const south = makeDatabaseServer({ name: 'South' });
/** The queries of the plan's calls. */
let planned: Record<string, string>[] = [];

mockServer(
  onRoute(databaseServerRoutes.list, () =>
    ok([makeHomeServer(), south, makeDatabaseServer({ name: 'Full of days', state: 'draining' })]),
  ),
  onRoute(moveRoutes.planMove, ({ request }) => {
    planned.push(Object.fromEntries(new URL(request.url).searchParams));
    return ok(makeMovePlan({ databaseServerId: south.id }), 'Its programs then connect to South.');
  }),
);

function renderDialog() {
  planned = [];
  const onClose = vi.fn();
  return { ...renderWithStore(<MoveDatabaseDialog show database={database} onClose={onClose} />), onClose };
}

const moveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Move TRAINING' });
const choices = () => within(screen.getByLabelText('Database Server')).getAllByRole('option');

test('it offers the other active servers, shows the plan of the chosen one, and sends its digest [§2.31]', async () => {
  const { user, onClose } = renderDialog();
  await screen.findByText('Its programs then connect to South.');
  await screen.findByRole('option', { name: 'South' });
  expect(choices().map(({ textContent }) => textContent)).toEqual(['The one with the most room', 'South']);
  await user.selectOptions(screen.getByLabelText('Database Server'), 'South');
  await waitFor(() => expect(planned.at(-1)).toEqual({ id: database.id, databaseServerId: south.id }));
  expect(planned[0]).toEqual({ id: database.id });
  await waitFor(() => expect(moveButton().disabled).toBe(false));
  const bodies = keepBodies(moveRoutes.move, 'Success! TRAINING has been moved to South.', {
    id: database.id,
    databaseName: 'TRAINING',
    databaseServerId: south.id,
    way: 'replication',
    heldMs: 300,
  });
  await user.click(moveButton());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies).toEqual([expect.objectContaining({ id: database.id, databaseServerId: south.id, plan: 'digest-1' })]);
});

test('nothing can be moved while there is no plan, and the dialog says why [§2.31]', async () => {
  server.use(onRoute(moveRoutes.planMove, () => failed(503, 'The database server South does not answer.')));
  renderDialog();
  await screen.findByText('The database server South does not answer.');
  expect(moveButton().disabled).toBe(true);
});

test('a move that is refused as its plan has changed stays open, with the new plan [§2.31]', async () => {
  const { user, onClose } = renderDialog();
  await screen.findByText('Its programs then connect to South.');
  const before = planned.length;
  server.use(onRoute(moveRoutes.move, () => failed(409, 'TRAINING has changed since it was looked at.')));
  await user.click(moveButton());
  await within(screen.getByRole('dialog')).findByText('TRAINING has changed since it was looked at.');
  await waitFor(() => expect(planned.length).toBeGreaterThan(before));
  expect(onClose).not.toHaveBeenCalled();
});

test('nothing can be moved once the plan could not be loaded again [§8]', async () => {
  const { user } = renderDialog();
  await screen.findByText('Its programs then connect to South.');
  server.use(
    onRoute(moveRoutes.planMove, () => failed(503, 'The database server South does not answer.')),
    onRoute(moveRoutes.move, () => failed(409, 'TRAINING has changed since it was looked at.')),
  );
  await user.click(moveButton());
  await screen.findByText('The database server South does not answer.');
  expect(moveButton().disabled).toBe(true);
});
