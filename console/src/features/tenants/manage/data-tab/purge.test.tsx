import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDetails } from '../../../../testing/databases.ts';
import { field, fill, findField } from '../../../../testing/fields.ts';
import {
  cedarsDatabase,
  manageDialog,
  proceedButton,
  quietServer,
  REASON,
  renderManageAt,
  shotsStay,
  tick,
} from '../../../../testing/manage-tenant.tsx';
import { mockOperation } from '../../../../testing/operations.ts';
import { renderWithStore } from '../../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../../testing/server.ts';
import { makePurgePlan } from '../../../../testing/tenant-data.ts';

mockServer(...quietServer);

const LABEL = 'Database Name';
const CHANGED = 'CEDARVA has changed since it was looked at: please check again.';

const open = () => renderManageAt('Delete Transaction Data & Reseed');
const confirmDialog = () => screen.findByRole('dialog', { name: 'Delete Transaction Data' });
/**
 * The panel next to the checklist has its plan. It asks for one 0.3 s after the last tick: in that moment a button may
 * load, or become disabled by what it says, and takes no click.
 */
const planLoaded = () =>
  waitFor(() =>
    expect(screen.getByRole('region', { name: 'What will happen' }).getAttribute('aria-busy')).toBe('false'),
  );
const isInert = (button: HTMLButtonElement) => button.disabled || button.ariaDisabled === 'true';

/** Ticks three tables, opens the confirmation, types the name and confirms. */
async function purge(user: Awaited<ReturnType<typeof open>>['user']) {
  await tick(user, 'Athena', 'order', 'patient');
  await tick(user, 'Others', 'shots');
  await planLoaded();
  await user.click(proceedButton());
  const dialog = within(await confirmDialog());
  await findField(LABEL);
  fill(LABEL, 'CEDARVA');
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete data from 2 tables' });
  await waitFor(() => expect(isInert(button)).toBe(false));
  fireEvent.click(button);
}

test('until the plan is loaded the dialog can only be closed [DECISIONS §9]', async () => {
  server.use(onRoute(purgeRoutes.planPurge, () => new Promise<HttpResponse<null>>(() => {})));
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  await user.click(proceedButton());
  const dialog = within(await confirmDialog());
  dialog.getByText('Finding out what would be deleted');
  expect(dialog.queryByRole('textbox')).toBeNull();
  expect(dialog.queryByRole('button', { name: /Delete/ })).toBeNull();
});

test('where no table can be purged the dialog says so and has nothing to confirm [DECISIONS §9]', async () => {
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  await planLoaded();
  server.use(
    onRoute(purgeRoutes.planPurge, () =>
      ok(makePurgePlan([], { tablesNotDeleted: [{ name: 'shots', reason: REASON }] }), 'Nothing can be emptied.'),
    ),
  );
  await user.click(proceedButton());
  const dialog = within(await confirmDialog());
  await dialog.findByText('Nothing can be emptied.');
  expect(dialog.queryByRole('textbox')).toBeNull();
});

test('where no table can be purged Proceed is disabled, and the plan says why [§2.8]', async () => {
  server.use(
    onRoute(purgeRoutes.planPurge, () =>
      ok(makePurgePlan([], { tablesNotDeleted: [{ name: 'shots', reason: REASON }] }), 'Nothing can be emptied.'),
    ),
  );
  const { user } = await open();
  await tick(user, 'Others', 'shots');
  await screen.findByText('None of the ticked tables can be emptied.');
  expect(screen.getByText(REASON)).toBeTruthy();
  expect([proceedButton().textContent, proceedButton().disabled]).toEqual(['Proceed', true]);
});

test('the confirmation shows the plan and asks for the name of the database [DECISIONS §9] [§5]', async () => {
  server.use(shotsStay());
  const { user } = await open();
  await tick(user, 'Athena', 'order', 'patient');
  await user.click(proceedButton());
  const dialog = within(await confirmDialog());
  await dialog.findByText('They can be put back.');
  const list = within(dialog.getByRole('region', { name: 'Tables that will be emptied, with their rows' }));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Athena order10', 'Athena patient10']);
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete data from 2 tables' });
  fill(LABEL, 'CEDARV');
  expect(confirm.disabled).toBe(true);
  await user.clear(field(LABEL));
  await user.click(field(LABEL));
  await user.paste('CEDARVA');
  await waitFor(() => expect(confirm.disabled).toBe(false));
});

test("the confirmed tables are sent with the plan's digest, and the results come in three coloured groups [§2.8] [§8]", async () => {
  const calls: { query: Record<string, string>; body: unknown }[] = [];
  server.use(
    shotsStay(),
    onRoute(purgeRoutes.purge, async ({ request }) => {
      calls.push({ query: Object.fromEntries(new URL(request.url).searchParams), body: await request.json() });
      return ok(
        {
          deletedTables: ['athena_orders', 'athena_patients'],
          invalidTables: ['gone'],
          tablesNotDeleted: ['shots'],
          operationId: 'o1',
        },
        'Success! 2 tables of CEDARVA were emptied.',
      );
    }),
  );
  const { user } = await open();
  await purge(user);
  await screen.findByText('Success! 2 tables of CEDARVA were emptied.');
  expect(calls).toEqual([
    {
      query: { databaseName: 'CEDARVA', plan: 'digest-1' },
      body: ['athena_orders', 'athena_patients', 'shots'],
    },
  ]);
  const results = within(await screen.findByRole('region', { name: 'Results' }));
  const heads = ['Deleted Tables (2)', 'Invalid Tables (1)', 'Not Deleted Tables (1)'];
  const groups = heads.map((name) => results.getByRole('button', { name }).closest('.result-group'));
  expect(groups.map((group) => group?.className)).toEqual([
    'result-group result-group-success',
    'result-group result-group-warning',
    'result-group result-group-danger',
  ]);
  expect(groups.map((group) => group?.querySelector('li')?.textContent)).toEqual([
    'Athena order10 rows deleted',
    'goneThere is no such table in this database.',
    `shots${REASON}`,
  ]);
  // The checklist starts with no ticks.
  screen.getByText('0 of 37');
  expect(proceedButton().disabled).toBe(true);
});

test('after a purge the database is shown as it is now [§2.8]', async () => {
  server.use(
    shotsStay(),
    onRoute(purgeRoutes.purge, () => {
      server.use(onRoute(databaseRoutes.details, () => ok(makeDetails({ sizeBytes: 5 * 1024 ** 2 }))));
      return ok({ deletedTables: ['athena_orders'], invalidTables: [], tablesNotDeleted: [], operationId: 'o1' });
    }),
  );
  const { user } = await open();
  await screen.findByText(/^12 MB ·/);
  await purge(user);
  await screen.findByText(/^5 MB ·/);
});

test('a group of results closes and opens by keyboard; an empty one starts closed [§2.8]', async () => {
  server.use(
    onRoute(purgeRoutes.planPurge, () => ok(makePurgePlan(['athena_orders', 'athena_patients']))),
    onRoute(purgeRoutes.purge, () =>
      ok({ deletedTables: ['athena_orders'], invalidTables: [], tablesNotDeleted: [], operationId: 'o1' }, 'Done.'),
    ),
  );
  const { user } = await open();
  await purge(user);
  const deleted = await screen.findByRole('button', { name: 'Deleted Tables (1)' });
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Transaction Data' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Invalid Tables (0)' }).ariaExpanded).toBe('false');
  const list = document.getElementById(deleted.getAttribute('aria-controls') ?? '');
  expect(list?.hidden).toBe(false);
  deleted.focus();
  await user.keyboard('{Enter}');
  expect([deleted.ariaExpanded, list?.hidden]).toEqual(['false', true]);
  await user.keyboard(' ');
  expect([deleted.ariaExpanded, list?.hidden]).toEqual(['true', false]);
});

test('results are scrolled into view, also where scrolling answers with a promise [§2.8]', async () => {
  const scroll = vi.fn(() => Promise.resolve());
  Object.defineProperty(Element.prototype, 'scrollIntoView', { value: scroll, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView'));
  server.use(
    shotsStay(),
    onRoute(purgeRoutes.purge, () =>
      ok({ deletedTables: [], invalidTables: [], tablesNotDeleted: ['shots'], operationId: 'o1' }, 'Done.'),
    ),
    onRoute(anonymizationRoutes.planAnonymization, () => failed(409, 'patients.nickname has no rule.')),
  );
  const { user } = await open();
  await purge(user);
  await screen.findByRole('region', { name: 'Results' });
  expect(scroll).toHaveBeenCalled();
  await user.click(manageDialog().getByRole('button', { name: 'DB Anonymization', hidden: true }));
  await screen.findByText('patients.nickname has no rule.');
});

test('a changed plan is reported and shown; ticks and typed text stay [DECISIONS §8]', async () => {
  const plans: (string | null)[] = [];
  server.use(
    shotsStay(),
    onRoute(purgeRoutes.purge, ({ request }) => {
      const digest = new URL(request.url).searchParams.get('plan');
      plans.push(digest);
      if (digest === 'digest-1') {
        server.use(shotsStay({ rows: 4321, digest: 'digest-2' }));
        return failed(409, CHANGED);
      }
      return ok(
        { deletedTables: ['athena_orders'], invalidTables: [], tablesNotDeleted: ['shots'], operationId: 'o1' },
        'Done.',
      );
    }),
  );
  const { user } = await open();
  await purge(user);
  const dialog = within(await confirmDialog());
  expect((await dialog.findByRole('alert')).textContent).toBe(CHANGED);
  await dialog.findByText('4,321');
  expect(field(LABEL).value).toBe('CEDARVA');
  expect(manageDialog().getByText('3 of 37')).not.toBeNull();

  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete data from 2 tables' });
  await waitFor(() => expect(isInert(confirm)).toBe(false));
  fireEvent.click(confirm);
  await screen.findByText('Done.');
  expect(plans).toEqual(['digest-1', 'digest-2']);
});

test('another refusal says why, and nothing is lost [§8]', async () => {
  const why = 'You do not have the permission for this.';
  server.use(
    shotsStay(),
    onRoute(purgeRoutes.purge, () => failed(403, why)),
  );
  const { user } = await open();
  await purge(user);
  const dialog = within(await confirmDialog());
  await dialog.findByText(why);
  // A toast reads it out, so the dialog has no alert.
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(field(LABEL).value).toBe('CEDARVA');
  expect(screen.queryByRole('region', { name: 'Results' })).toBeNull();
});

test('progress is shown, the purge can be left in the background, and the results still come [DECISIONS §8]', async () => {
  server.use(shotsStay());
  const operation = mockOperation(purgeRoutes.purge, { kind: 'purge', steps: ['Emptying tables'], step: 0 });
  const { onClose, user } = await open();
  await purge(user);
  await screen.findByRole('progressbar', { name: 'Emptying tables' });
  await user.keyboard('{Escape}');
  await confirmDialog();
  await user.click(screen.getByRole('button', { name: 'Continue in background' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Transaction Data' })).toBeNull());
  operation.succeed('Success!', {
    deletedTables: ['athena_orders', 'athena_patients'],
    invalidTables: [],
    tablesNotDeleted: ['shots'],
    operationId: 'o1',
  });
  await screen.findByText('Success!');
  await screen.findByRole('button', { name: 'Deleted Tables (2)' });
  expect(onClose).not.toHaveBeenCalled();
});

test('a purge left in the background unticks its own tables only, not what was ticked meanwhile [§2.8]', async () => {
  server.use(shotsStay());
  const operation = mockOperation(purgeRoutes.purge, { kind: 'purge' });
  const { user } = await open();
  await purge(user);
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Transaction Data' })).toBeNull());
  await tick(user, 'Athena', 'person');
  screen.getByText('4 of 37');
  operation.succeed('Success!', {
    deletedTables: ['athena_orders', 'athena_patients'],
    invalidTables: [],
    tablesNotDeleted: ['shots'],
    operationId: 'o1',
  });
  await screen.findByRole('button', { name: 'Deleted Tables (2)' });
  screen.getByText('1 of 37');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Athena person' }).checked).toBe(true);
});

test('a purge that ends after the modal was closed is told by a toast [DECISIONS §8]', async () => {
  server.use(shotsStay());
  const operation = mockOperation(purgeRoutes.purge, { kind: 'purge' });
  const { store, unmount, user } = await open();
  await purge(user);
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  unmount();
  renderWithStore(<p>Another page</p>, { store });
  operation.succeed('Success!', { deletedTables: [], invalidTables: [], tablesNotDeleted: [], operationId: 'o1' });
  await screen.findByText('Success!');
});

test('after its end the tab no longer shows the operation as running, even before the list is loaded again [DECISIONS §8]', async () => {
  server.use(shotsStay());
  const operation = mockOperation(purgeRoutes.purge, { kind: 'purge', databaseId: cedarsDatabase.id });
  server.use(onRoute(operationRoutes.list, () => ok([operation.operation])));
  const { user } = await open();
  await purge(user);
  await manageDialog().findByRole('heading', { name: 'Under way', hidden: true });
  server.use(onRoute(operationRoutes.list, () => new Promise<HttpResponse<null>>(() => {})));
  operation.succeed('Success!', { deletedTables: [], invalidTables: [], tablesNotDeleted: [], operationId: 'o1' });
  await screen.findByText('Success!');
  expect(manageDialog().queryByRole('heading', { name: 'Under way', hidden: true })).toBeNull();
});

test('a failure in the background is told by a toast [DECISIONS §8]', async () => {
  server.use(shotsStay());
  const operation = mockOperation(purgeRoutes.purge, { kind: 'purge', databaseName: 'CEDARVA' });
  const { user } = await open();
  await purge(user);
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  operation.fail(CHANGED, { status: 409, title: 'Plan changed', result: null });
  expect((await screen.findByRole('alert')).textContent).toContain(`Deletion of rows from CEDARVA: ${CHANGED}`);
});
