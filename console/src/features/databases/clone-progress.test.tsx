import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test, vi } from 'vitest';
import { useListOperationsQuery } from '../../api/operations.ts';
import { makeDatabase } from '../../testing/databases.ts';
import { field, fill } from '../../testing/fields.ts';
import { makeOperation, mockOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { CloneDatabaseModal } from './clone-database-modal.tsx';

const cedar = makeDatabase({ databaseName: 'CEDAR' });
const LABEL = 'Duplicate Database Name';

mockServer(onRoute(databaseRoutes.list, () => ok([cedar])));

/** The list of operations; it is loaded only when something invalidates it. */
function Operations() {
  const { data } = useListOperationsQuery();
  return <p>{data?.map(({ databaseName }) => databaseName).join(', ')}</p>;
}

/** Submits the dialog; its operation is then running. */
async function startClone(fields?: Parameters<typeof mockOperation>[1]) {
  const operation = mockOperation(databaseRoutes.copy, fields);
  const onClose = vi.fn();
  const view = renderWithStore(<CloneDatabaseModal show database={cedar} onClose={onClose} />);
  fill(LABEL, 'TRAINING');
  fireEvent.click(screen.getByRole('button', { name: 'Clone CEDAR' }));
  await screen.findByRole('progressbar');
  return { ...view, operation, onClose };
}

test('the progress replaces the buttons [DECISIONS §8]', async () => {
  const { operation } = await startClone();
  const dialog = screen.getByRole('dialog');
  const bar = within(dialog).getByRole('progressbar', { name: 'Copying the files' });
  expect(bar.getAttribute('aria-valuenow')).toBe('40');
  within(dialog).getByText('Step 2 of 3');
  within(dialog).getByText('12 s of about 40 s');
  within(dialog).getByText('40 %');
  expect(within(dialog).getByRole('status').textContent).toBe('Copying the files');
  expect(screen.queryByRole('button', { name: 'Clone CEDAR' })).toBeNull();
  expect(dialog.contains(document.activeElement)).toBe(true);
  operation.change({ step: 2, percent: 90, elapsedSeconds: 50, cancellable: false });
  await within(dialog).findByText('Step 3 of 3');
  within(dialog).getByText('50 s, usually about 40 s');
  expect(within(dialog).queryByRole('button', { name: 'Cancel' })).toBeNull();
});

test('a queued operation says that it waits [DECISIONS §8]', async () => {
  await startClone({ state: 'queued', step: 0, percent: 0, elapsedSeconds: 0, expectedSeconds: null });
  expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe('Waiting to begin');
  screen.getByText('less than a second');
});

test('below a second no expected time is shown [DECISIONS §8]', async () => {
  await startClone({ elapsedSeconds: 0.2, expectedSeconds: 0.4 });
  screen.getByText('less than a second');
});

test('when it has succeeded its message is shown and the dialog closes [DECISIONS §8]', async () => {
  const { operation, onClose } = await startClone();
  operation.succeed('TRAINING is a copy of CEDAR.', { id: 'new', databaseName: 'TRAINING' });
  await screen.findByText('TRAINING is a copy of CEDAR.');
  expect(onClose).toHaveBeenCalledOnce();
  expect(operation.queries).toHaveLength(1);
});

test('its start and its end reload the list of operations [DECISIONS §8]', async () => {
  let loads = 0;
  server.use(
    onRoute(operationRoutes.list, () => {
      loads += 1;
      return ok([makeOperation({ databaseName: `LOAD ${loads}` })]);
    }),
  );
  const operation = mockOperation(databaseRoutes.copy);
  renderWithStore(
    <>
      <Operations />
      <CloneDatabaseModal show database={cedar} onClose={vi.fn()} />
    </>,
  );
  await screen.findByText('LOAD 1');
  fill(LABEL, 'TRAINING');
  fireEvent.click(screen.getByRole('button', { name: 'Clone CEDAR' }));
  await screen.findByText('LOAD 2');
  operation.succeed('TRAINING is a copy of CEDAR.');
  await waitFor(() => expect(screen.queryByText('LOAD 2')).toBeNull());
  expect(loads).toBeGreaterThan(2);
});

test('the list of operations is not asked before the state of the new one is known [DECISIONS §8]', async () => {
  const asked: string[] = [];
  const operation = mockOperation(databaseRoutes.copy);
  server.use(
    onRoute(operationRoutes.list, () => {
      asked.push('list');
      return ok([]);
    }),
    onRoute(operationRoutes.get, async () => {
      // What is asked at the same time comes first.
      await delay(50);
      asked.push('state');
      return ok(operation.operation);
    }),
  );
  renderWithStore(
    <>
      <Operations />
      <CloneDatabaseModal show database={cedar} onClose={vi.fn()} />
    </>,
  );
  await waitFor(() => expect(asked).toEqual(['list']));
  fill(LABEL, 'TRAINING');
  fireEvent.click(screen.getByRole('button', { name: 'Clone CEDAR' }));
  await waitFor(() => expect(asked.slice(0, 3)).toEqual(['list', 'state', 'list']));
  operation.succeed('TRAINING is a copy of CEDAR.');
});

test('when it has failed the reason is shown, and the name can be typed again [§8, DECISIONS §8]', async () => {
  const { operation, onClose } = await startClone();
  const errors = { databaseName: ['A database with this name exists already.'] };
  operation.fail('It exists.', { status: 409, title: 'Already exists', errors, result: null });
  await waitFor(() => expect(field(LABEL).getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('A database with this name exists already.');
  expect(document.activeElement).toBe(field(LABEL));
  screen.getByRole('button', { name: 'Clone CEDAR' });
  expect(onClose).not.toHaveBeenCalled();
});

test('Cancel cancels it: the dialog waits for that and stays open [DECISIONS §8]', async () => {
  const { operation, onClose, user } = await startClone();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const button = await screen.findByRole('button', { name: 'Cancelling …' });
  expect(button.ariaDisabled).toBe('true');
  expect(operation.cancels).toBe(1);
  operation.cancel('It was cancelled.');
  // A warning: nothing has failed.
  expect((await screen.findByText('It was cancelled.')).closest('[role=status]')).not.toBeNull();
  expect(field(LABEL).value).toBe('TRAINING');
  screen.getByRole('button', { name: 'Clone CEDAR' });
  expect(onClose).not.toHaveBeenCalled();
});

test('a cancellation that comes too late says so [DECISIONS §8]', async () => {
  const { user } = await startClone();
  server.use(onRoute(operationRoutes.cancel, () => failed(409, 'It can no longer be cancelled.')));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('It can no longer be cancelled.');
});

test.each([
  ['success', 'TRAINING is a copy of CEDAR.', 'TRAINING is a copy of CEDAR.'],
  ['failure', 'The disk is full.', 'Clone of ACME as TRAINING: The disk is full.'],
])('it continues in the background, and only a toast tells its %s [DECISIONS §8]', async (end, message, toast) => {
  const { operation, onClose, user } = await startClone();
  await user.click(screen.getByRole('button', { name: 'Continue in background' }));
  expect(onClose).toHaveBeenCalledOnce();
  if (end === 'success') operation.succeed(message);
  else operation.fail(message);
  await screen.findByText(toast);
  // A second call would close a dialog that was opened meanwhile.
  expect(onClose).toHaveBeenCalledOnce();
});

test('a failed question about the operation does not count as its end [DECISIONS §8]', async () => {
  const { operation, onClose } = await startClone();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(operationRoutes.get, () => {
      resolve();
      return failed(503, 'The database cannot be reached.');
    }),
  );
  await asked;
  server.use(onRoute(operationRoutes.get, () => ok(operation.operation)));
  operation.succeed('TRAINING is a copy of CEDAR.');
  await screen.findByText('TRAINING is a copy of CEDAR.');
  expect(screen.queryByText('The database cannot be reached.')).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});
