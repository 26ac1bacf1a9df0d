import { purgeRoutes } from '@apotheca/contract/purges';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { api } from '../../../../api/http/client.ts';
import { localMinute } from '../../../../lib/moment.ts';
import { fill, findField } from '../../../../testing/fields.ts';
import { manageDialog, proceedButton, quietServer, renderManageAt, tick } from '../../../../testing/manage-tenant.tsx';
import { mockOperation } from '../../../../testing/operations.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../../testing/server.ts';
import { makePurge, makePurgePlan } from '../../../../testing/tenant-data.ts';

mockServer(...quietServer);

const CANCELLED = 'The operation was cancelled; nothing was changed.';

const open = () => renderManageAt('Delete Transaction Data & Reseed');
/** Names the purge, as there may be several. */
const OPEN = `Put back: ${localMinute(new Date(makePurge().purgedOnUtc))}`;
const card = () => within(screen.getByRole('region', { name: 'Put back' }));

async function openDialog(purge = makePurge()) {
  server.use(onRoute(purgeRoutes.listPurges, () => ok([purge])));
  const view = await open();
  await view.user.click(await card().findByRole('button', { name: OPEN }));
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Put Rows Back' })) };
}

test('without anything to put back, the card says so [DECISIONS §9]', async () => {
  await open();
  await card().findByText('Nothing from the last 7 days is left to put back.');
});

test('a purge is listed with its time, what is left of it, and its expiry [DECISIONS §9]', async () => {
  const tables = [...makePurge().tables, { name: 'wslogs', rows: 7, putBack: true }];
  server.use(onRoute(purgeRoutes.listPurges, () => ok([makePurge({ tables })])));
  await open();
  await card().findByText('1,234 rows of 2 tables');
  expect(
    card()
      .getAllByText(/^2026-03-/)
      .map((moment) => moment.textContent?.slice(0, 10)),
  ).toEqual(['2026-03-04', '2026-03-11']);
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(purgeRoutes.listPurges, () => failed(409, 'The schema is too old.')));
  const { user } = await open();
  expect((await card().findByRole('alert')).textContent).toContain('The schema is too old.');
  server.use(onRoute(purgeRoutes.listPurges, () => ok([makePurge()])));
  await user.click(card().getByRole('button', { name: 'Retry' }));
  await card().findByText('1,234 rows of 2 tables');
});

test('all tables are put back unless some are unticked; the result is shown [DECISIONS §9]', async () => {
  const calls: { query: Record<string, string>; body: unknown }[] = [];
  server.use(
    onRoute(purgeRoutes.putBack, async ({ request }) => {
      calls.push({ query: Object.fromEntries(new URL(request.url).searchParams), body: await request.json() });
      server.use(onRoute(purgeRoutes.listPurges, () => ok([])));
      return ok({ tables: [{ name: 'shots', rows: 30 }] }, '30 rows were put back.');
    }),
  );
  const { dialog, user } = await openDialog();
  dialog.getByRole('button', { name: 'Put back 2 tables' });
  await user.click(dialog.getByRole('checkbox', { name: 'Athena order' }));
  await user.click(dialog.getByRole('button', { name: 'Put back 1 table' }));
  // As a toast, and in the card.
  await waitFor(() => expect(screen.getAllByText('30 rows were put back.')).toHaveLength(2));
  expect(calls).toEqual([
    { query: { databaseName: 'CEDARVA', operationId: makePurge().operationId }, body: ['shots'] },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Put Rows Back' })).toBeNull());
  // The list is loaded again.
  await card().findByText('Nothing from the last 7 days is left to put back.');
  // The button that opened the dialog is gone.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Put back' })));
});

test("tables that were put back leave the results' deleted tables [§2.8, DECISIONS §9]", async () => {
  const operationId = makePurge().operationId;
  const deletedTables = ['athena_orders', 'shots'];
  server.use(
    onRoute(purgeRoutes.purge, () =>
      ok({ deletedTables, invalidTables: [], tablesNotDeleted: [], operationId }, 'Emptied.'),
    ),
    onRoute(purgeRoutes.listPurges, () => ok([makePurge()])),
    onRoute(purgeRoutes.putBack, () => ok({ tables: [] }, 'Put back.')),
  );
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  await user.click(proceedButton());
  await findField('Database Name');
  fill('Database Name', 'CEDARVA');
  const confirm = within(await screen.findByRole('dialog', { name: 'Delete Transaction Data' }));
  const button = confirm.getByRole<HTMLButtonElement>('button', { name: 'Delete data from 1 table' });
  await waitFor(() => expect(button.disabled || button.ariaDisabled === 'true').toBe(false));
  fireEvent.click(button);
  await manageDialog().findByRole('button', { name: 'Deleted Tables (2)', hidden: true });
  const putBack = async (leaveOut?: string) => {
    await waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(1));
    await user.click(card().getByRole('button', { name: OPEN }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Put Rows Back' }));
    if (leaveOut) await user.click(dialog.getByRole('checkbox', { name: leaveOut }));
    await user.click(dialog.getByRole('button', { name: /^Put back \d/ }));
  };
  await putBack('Athena order');
  await manageDialog().findByRole('button', { name: 'Deleted Tables (1)', hidden: true });
  const half = makePurge({ tables: [{ name: 'athena_orders', rows: 1204, putBack: false }] });
  server.use(onRoute(purgeRoutes.listPurges, () => ok([half])));
  await putBack();
  await waitFor(() => expect(manageDialog().queryByRole('region', { name: 'Results', hidden: true })).toBeNull());
  card().getByText('Put back.');
});

test('what was put back can be deleted at once where it is ticked already [DECISIONS §9]', async () => {
  let isEmpty = true;
  server.use(
    onRoute(purgeRoutes.listPurges, () => ok([makePurge()])),
    onRoute(purgeRoutes.planPurge, () => ok(makePurgePlan(isEmpty ? [] : ['shots']))),
    onRoute(purgeRoutes.putBack, () => {
      isEmpty = false;
      return ok({ tables: [] }, 'Put back.');
    }),
  );
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  await waitFor(() => expect(proceedButton().disabled).toBe(true));
  await user.click(card().getByRole('button', { name: OPEN }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Put Rows Back' }));
  await user.click(dialog.getByRole('button', { name: /^Put back \d/ }));
  await manageDialog().findByRole('button', { name: 'Delete data from 1 table' });
});

test('the plan that is being confirmed is not exchanged by a put-back that ends beside it [DECISIONS §9]', async () => {
  const operation = mockOperation(purgeRoutes.putBack, { kind: 'put-back' });
  let digest = 'digest-1';
  const confirmed: (string | null)[] = [];
  server.use(
    onRoute(purgeRoutes.planPurge, () =>
      ok(makePurgePlan(['shots'], { digest, rows: digest === 'digest-1' ? 10 : 4321 })),
    ),
    onRoute(purgeRoutes.purge, ({ request }) => {
      confirmed.push(new URL(request.url).searchParams.get('plan'));
      return failed(409, 'CEDARVA has changed.');
    }),
  );
  const { dialog: putBack, user } = await openDialog();
  await user.click(putBack.getByRole('button', { name: 'Put back 2 tables' }));
  await user.click(await putBack.findByRole('button', { name: 'Continue in background' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Put Rows Back' })).toBeNull());
  await tick(user, 'Others', 'shots');
  await user.click(await manageDialog().findByRole('button', { name: 'Delete data from 1 table' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Transaction Data' }));
  await findField('Database Name');
  fill('Database Name', 'CEDARVA');
  digest = 'digest-2';
  operation.succeed('Put back.', { tables: [] });
  // The panel below shows the new plan; the confirmation has the one that was read.
  await manageDialog().findByText(/4,321 rows/);
  expect(dialog.queryByText('4,321')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Delete data from 1 table' }));
  await dialog.findByText('CEDARVA has changed.');
  await dialog.findByText('4,321');
  expect(confirmed).toEqual(['digest-1']);
});

test('without a ticked table nothing can be put back [DECISIONS §9]', async () => {
  const { dialog, user } = await openDialog();
  await user.click(dialog.getByRole('checkbox', { name: 'Check All / None' }));
  dialog.getByText('0 of 2');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: /^Put back/ }).disabled).toBe(true);
});

test('tables that were put back are not offered again [DECISIONS §9]', async () => {
  const tables = [...makePurge().tables, { name: 'wslogs', rows: 7, putBack: true }];
  const { dialog } = await openDialog(makePurge({ tables }));
  expect(dialog.getAllByRole('listitem')).toHaveLength(2);
});

test('a refusal says why and keeps the dialog open with its ticks [§8]', async () => {
  const why = 'There are rows with these keys again.';
  server.use(onRoute(purgeRoutes.putBack, () => failed(409, why)));
  const { dialog, user } = await openDialog();
  await user.click(dialog.getByRole('checkbox', { name: 'shots' }));
  await user.click(dialog.getByRole('button', { name: 'Put back 1 table' }));
  await dialog.findByText(why);
  dialog.getByRole('button', { name: 'Retry' });
  dialog.getByText('1 of 2');
});

test('a cancellation is reported as such, not as a refusal [DECISIONS §8]', async () => {
  const operation = mockOperation(purgeRoutes.putBack, { kind: 'put-back' });
  const { dialog, user } = await openDialog();
  await user.click(dialog.getByRole('button', { name: 'Put back 2 tables' }));
  await dialog.findByRole('progressbar');
  operation.cancel(CANCELLED);
  await screen.findByText(CANCELLED);
  expect(dialog.queryByRole('button', { name: 'Retry' })).toBeNull();
  dialog.getByRole('button', { name: 'Put back 2 tables' });
});

test('it continues in the background [DECISIONS §8]', async () => {
  const operation = mockOperation(purgeRoutes.putBack, {
    kind: 'put-back',
    steps: ['Putting rows back'],
    step: 0,
  });
  const { dialog, user, onClose } = await openDialog();
  await user.click(dialog.getByRole('button', { name: 'Put back 2 tables' }));
  await dialog.findByRole('progressbar', { name: 'Putting rows back' });
  await user.click(dialog.getByRole('button', { name: 'Continue in background' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Put Rows Back' })).toBeNull());
  operation.succeed('1,234 rows were put back.', { tables: [] });
  await waitFor(() => expect(screen.getAllByText('1,234 rows were put back.')).toHaveLength(2));
  expect(onClose).not.toHaveBeenCalled();
});

test('one row is one row [DECISIONS §9]', async () => {
  const tables = [{ name: 'shots', rows: 1, putBack: false }];
  server.use(onRoute(purgeRoutes.listPurges, () => ok([makePurge({ tables })])));
  await open();
  await card().findByText('1 row of 1 table');
});

test('purges that are refused are not shown any more [DECISIONS §5]', async () => {
  server.use(onRoute(purgeRoutes.listPurges, () => ok([makePurge()])));
  const { store } = await open();
  await card().findByRole('button', { name: OPEN });
  server.use(onRoute(purgeRoutes.listPurges, () => failed(403, 'You may not.')));
  act(() => void store.dispatch(api.util.invalidateTags(['Purges'])));
  await card().findByText('You may not.', { exact: false });
  expect(card().queryByRole('button', { name: OPEN })).toBeNull();
});
