import { operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  cedarsDatabase,
  proceedButton,
  quietServer,
  REASON,
  renderManageAt,
  shotsStay,
  tick,
} from '../../../../testing/manage-tenant.tsx';
import { makeOperation } from '../../../../testing/operations.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../../testing/server.ts';
import { makePurgePlan } from '../../../../testing/tenant-data.ts';

mockServer(...quietServer);

const open = () => renderManageAt('Delete Transaction Data & Reseed');
const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox');
const all = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Check All / None' });
const groupBox = (name: string) =>
  within(screen.getByRole('group', { name })).getByRole<HTMLInputElement>('checkbox', { name });
const plan = () => within(screen.getByRole('region', { name: 'What will happen' }));

test('the tab shows its target, and all 37 tables in their groups with their rows [§2.8] [§3]', async () => {
  await open();
  screen.getByText('Target DB');
  screen.getByText('0 of 37');
  const tables = ['Athena', 'Inventory', 'Others'].map(
    (name) => within(screen.getByRole('group', { name })).getAllByRole('listitem').length,
  );
  expect(tables).toEqual([9, 5, 23]);
  await waitFor(() => {
    const order = within(screen.getByRole('group', { name: 'Athena' })).getByRole('checkbox', { name: 'Athena order' });
    expect(document.getElementById(order.getAttribute('aria-describedby') ?? '')?.textContent).toBe('1,005 rows');
  });
});

test('Check All / None ticks all and none, and is indeterminate in between [§2.8]', async () => {
  const { user } = await open();
  await user.click(all());
  expect(boxes().every((box) => box.checked)).toBe(true);
  screen.getByText('37 of 37');
  await tick(user, 'Others', 'users');
  expect(all().checked).toBe(false);
  expect(all().indeterminate).toBe(true);
  screen.getByText('36 of 37');
  await user.click(all());
  await user.click(all());
  expect(boxes().some((box) => box.checked || box.indeterminate)).toBe(false);
});

test('the box of a group ticks only that group [§2.8]', async () => {
  const { user } = await open();
  await user.click(groupBox('Inventory'));
  screen.getByText('5 of 37');
  expect(groupBox('Inventory').checked).toBe(true);
  expect(groupBox('Athena').indeterminate).toBe(false);
  await tick(user, 'Inventory', 'count');
  expect(groupBox('Inventory').indeterminate).toBe(true);
});

test('Proceed needs at least one ticked table [§2.8]', async () => {
  const { user } = await open();
  expect(proceedButton().disabled).toBe(true);
  await tick(user, 'Others', 'shots');
  expect(proceedButton().disabled).toBe(false);
  await tick(user, 'Others', 'shots');
  expect(proceedButton().disabled).toBe(true);
});

test('the plan stands next to the checklist: what is purged, what stays and why [DECISIONS §9]', async () => {
  server.use(shotsStay({ newestBackupOnUtc: '2026-03-04T09:30:00.000Z' }));
  const { user } = await open();
  plan().getByText(/^Tick tables to see/);
  await tick(user, 'Athena', 'order', 'patient');
  await tick(user, 'Others', 'shots');
  await plan().findByText(REASON);
  plan().getByText(/^20 rows will be deleted from 2 tables/);
  plan().getByText(/Newest backup:/);
  // The button names the number of the plan's tables.
  expect(proceedButton().textContent).toBe('Delete data from 2 tables');
});

test('several quick ticks cause one call [DECISIONS §9]', async () => {
  const asked: (string | null)[] = [];
  server.use(
    onRoute(purgeRoutes.planPurge, ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('tables'));
      return ok(makePurgePlan(['athena_orders']));
    }),
  );
  await open();
  fireEvent.click(groupBox('Inventory'));
  fireEvent.click(groupBox('Athena'));
  fireEvent.click(all());
  await plan().findByText(/^10 rows will be deleted from 1 table,/);
  expect(asked).toEqual([TENANT_TABLE_NAMES.join(',')]);
});

test('a plan that could not be loaded says why and can be loaded again [§8]', async () => {
  server.use(onRoute(purgeRoutes.planPurge, () => failed(503, 'The database cannot be reached.')));
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  expect((await plan().findByRole('alert')).textContent).toContain('The database cannot be reached.');
  server.use(onRoute(purgeRoutes.planPurge, () => ok(makePurgePlan(['shots']))));
  await user.click(plan().getByRole('button', { name: 'Retry' }));
  await plan().findByText(/^10 rows will be deleted from 1 table,/);
});

test('after a failed plan the button names no number and waits for Retry [DECISIONS §8]', async () => {
  const { user } = await open();
  await tick(user, 'Others', 'shots', 'users');
  await plan().findByText(/^20 rows will be deleted from 2 tables,/);
  expect(proceedButton().textContent).toBe('Delete data from 2 tables');
  server.use(onRoute(purgeRoutes.planPurge, () => failed(503, 'The database cannot be reached.')));
  await tick(user, 'Others', 'units');
  // The plan with the third table is not loaded yet.
  expect(proceedButton().textContent).toBe('Proceed');
  await plan().findByRole('alert');
  expect([proceedButton().textContent, proceedButton().disabled]).toEqual(['Proceed', true]);
  expect(plan().queryByText(/rows will be deleted/)).toBeNull();
  server.use(onRoute(purgeRoutes.planPurge, () => ok(makePurgePlan(['shots', 'users', 'units']))));
  await user.click(plan().getByRole('button', { name: 'Retry' }));
  await plan().findByText(/^30 rows will be deleted from 3 tables,/);
  expect([proceedButton().textContent, proceedButton().disabled]).toEqual(['Delete data from 3 tables', false]);
});

test("another user's running operation on the database is shown, whatever its name was [DECISIONS §8]", async () => {
  const ofDatabase = { databaseId: cedarsDatabase.id, databaseName: 'CEDAR' };
  const running = makeOperation({ ...ofDatabase, kind: 'backup', steps: ['Writing the archive'], step: 0 });
  const others = [makeOperation({ databaseName: 'CEDARVA', steps: ['Copying'], step: 0 }), running];
  server.use(onRoute(operationRoutes.list, () => ok(others)));
  await open();
  await screen.findByRole('progressbar', { name: 'Writing the archive' });
  expect(screen.getAllByRole('progressbar')).toHaveLength(1);
});

test('a plan for one row says one row [DECISIONS §9]', async () => {
  server.use(
    onRoute(purgeRoutes.planPurge, () =>
      ok(makePurgePlan(['shots'], { rows: 1, tables: [{ name: 'shots', rows: 1 }] })),
    ),
  );
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  await plan().findByText(/^1 row will be deleted from 1 table,/);
});
