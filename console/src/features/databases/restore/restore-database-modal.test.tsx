import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { makeBackup, makeRestorePlan } from '../../../testing/databases.ts';
import { field, fill, fillAndLeave, findField } from '../../../testing/fields.ts';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import type { RestoreDialog } from '../database-dialog.ts';
import { RestoreDatabaseModal } from './restore-database-modal.tsx';

const cedar = makeBackup({ databaseName: 'CEDAR', createdOnUtc: '2026-03-04T09:30:00.000Z' });
const older = makeBackup({ databaseName: 'CEDAR', createdOnUtc: '2026-03-01T09:30:00.000Z', origin: 'uploaded' });
const harbor = makeBackup({ databaseName: 'HARBOR', rows: null, createdBy: null });
const REPLACED = 'Name of the replaced database';
const replacing = makeRestorePlan({ databaseName: 'CEDAR', replaces: true, rows: 12_345, connections: 2 });

/** The queries of the plan's calls. */
let planQueries: Record<string, string>[] = [];
const answerPlanWith = (answer: (name: string) => ReturnType<typeof ok>) =>
  onRoute(backupRoutes.planRestore, ({ request }) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    planQueries.push(query);
    return answer(query.databaseName ?? '');
  });
const answerPlan = answerPlanWith((name) =>
  name === 'CEDAR'
    ? ok(replacing, 'Every row of CEDAR is replaced.')
    : ok(makeRestorePlan({ databaseName: name }), `A new database ${name} will be made.`),
);
const listOf = (...backups: Backup[]) =>
  onRoute(backupRoutes.list, ({ request }) => {
    const { databaseName: name, search = '', limit } = Object.fromEntries(new URL(request.url).searchParams);
    const found = backups.filter(({ databaseName }) => name === undefined || databaseName === name);
    return ok(found.filter(({ databaseName }) => databaseName.includes(search.toUpperCase())).slice(0, Number(limit)));
  });
const list = listOf(cedar, older, harbor);

mockServer(list, answerPlan);

function renderModal(start: Omit<RestoreDialog, 'kind'> = {}) {
  planQueries = [];
  const onClose = vi.fn();
  const view = renderWithStore(<RestoreDatabaseModal show start={{ kind: 'restore', ...start }} onClose={onClose} />);
  return { ...view, onClose };
}

const restoreButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(Restore|Replace)\b/ });
const options = async () => {
  await screen.findAllByRole('radio');
  return screen.getAllByRole<HTMLInputElement>('radio').map((radio) => radio.closest('label')?.textContent);
};

test('the backups are listed, newest first, and can be filtered [§2.13]', async () => {
  renderModal();
  screen.getByRole('dialog', { name: 'Restore Database' });
  const shown = await options();
  expect(shown).toHaveLength(3);
  expect(shown[0]).toMatch(/^CEDAR2026-03-04 .*3 MB · 4,321 rows · by ada$/);
  expect(shown[1]).toMatch(/^CEDARUploaded2026-03-01/);
  expect(shown[2]).toMatch(/3 MB$/);
  const filter = screen.getByRole('searchbox', { name: 'Filter backups by name' });
  // A dialog takes no keys of the page.
  expect(filter.getAttribute('aria-keyshortcuts')).toBeNull();
  fireEvent.change(filter, { target: { value: 'harb' } });
  await waitFor(async () => expect(await options()).toHaveLength(1));
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing' } });
  await screen.findByText('No backups match');
});

test('of many the newest are listed, and a filter finds the others [§2.13]', async () => {
  server.use(listOf(...Array.from({ length: 150 }, (_, n) => makeBackup({ databaseName: `DB${n}` }))));
  renderModal();
  expect(await options()).toHaveLength(100);
  screen.getByText('These are the newest 100. For others filter by name, or restore them from the list of backups.');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'db149' } });
  await waitFor(async () => expect(await options()).toHaveLength(1));
  expect(screen.queryByText(/^These are the newest/)).toBeNull();
});

test('a filter that cannot be asked for says why, and keeps its field [§8]', async () => {
  renderModal();
  await options();
  server.use(onRoute(backupRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const filter = screen.getByRole('searchbox');
  fireEvent.change(filter, { target: { value: 'harb' } });
  await screen.findByText('The database cannot be reached.');
  expect(screen.queryAllByRole('radio')).toEqual([]);
  expect(screen.getByRole('searchbox')).toBe(filter);
});

test('backups that are refused are not shown any more [DECISIONS §5]', async () => {
  const { store } = renderModal();
  await options();
  server.use(onRoute(backupRoutes.list, () => failed(403, "You need the permission 'databases.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Backups'])));
  await screen.findByText("You need the permission 'databases.read'.");
  expect(screen.queryAllByRole('radio')).toEqual([]);
});

test('that one database has no backups is not said of all before theirs have come [§2.13]', async () => {
  const { user } = renderModal({ databaseName: 'EMPTY' });
  await screen.findByRole('button', { name: 'Show the backups of all databases' });
  await screen.findByText('No backups of this database yet');
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    onRoute(backupRoutes.list, async () => {
      await promise;
      return ok([cedar]);
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Show the backups of all databases' }));
  await screen.findByText('Loading the backups');
  expect(screen.queryByText('No backups yet')).toBeNull();
  resolve();
  expect(await options()).toHaveLength(1);
});

test('of many of one database the newest are listed, without a word of a filter that is not there [§2.13]', async () => {
  server.use(listOf(...Array.from({ length: 150 }, () => makeBackup({ databaseName: 'HARBOR' }))));
  renderModal({ databaseName: 'HARBOR' });
  expect(await options()).toHaveLength(100);
  screen.getByText('These are the newest 100 of this database. Restore others from the list of backups.');
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('nothing can be restored until both backup and name are given [§2.13]', async () => {
  const { user } = renderModal();
  await options();
  expect(restoreButton().disabled).toBe(true);
  screen.getByText('Choose a backup to see what restoring it does.');
  await user.click(screen.getAllByRole('radio')[2] ?? document.body);
  screen.getByText('Type the name of a new database, or of one to replace.');
  await user.click(restoreButton());
  await screen.findByText('Database Name is Required');
  expect(document.activeElement).toBe(field('Database Name'));
  expect(planQueries).toEqual([]);
  await user.type(field('Database Name'), 'f');
  expect(screen.queryByText(/^Type the name/)).toBeNull();
});

test('into a new database: the dialog says so, and the digest of the plan is sent [§2.13, DECISIONS §8]', async () => {
  const operation = mockOperation(backupRoutes.restore, { kind: 'restore' });
  const { user, onClose } = renderModal();
  await options();
  await user.click(screen.getAllByRole('radio')[2] ?? document.body);
  // At once: between two letters that are typed slowly the dialog asks for the plan of half a name.
  fill('Database Name', 'fresh');
  expect(field('Database Name').value).toBe('FRESH');
  await screen.findByText('A new database FRESH will be made.');
  expect(planQueries).toEqual([{ id: harbor.id, databaseName: 'FRESH' }]);
  expect(screen.queryByText(REPLACED)).toBeNull();
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  expect(restoreButton().textContent).toBe('Restore as FRESH');
  fireEvent.click(restoreButton());
  await screen.findByText('Step 2 of 3');
  expect(operation.queries).toEqual([{ id: harbor.id, databaseName: 'FRESH', plan: 'digest-1' }]);
  operation.succeed('FRESH is restored.', { id: 'new', databaseName: 'FRESH', rows: 1 });
  await screen.findByText('FRESH is restored.');
  expect(onClose).toHaveBeenCalledOnce();
});

test('over an existing database: its name must be typed again [§2.13]', async () => {
  const operation = mockOperation(backupRoutes.restore, { kind: 'restore' });
  renderModal({ backup: cedar });
  expect(field('Database Name').value).toBe('CEDAR');
  await screen.findByText('Every row of CEDAR is replaced.');
  screen.getByText('12,345');
  expect(screen.getByText('Newest backup').nextElementSibling?.textContent).toBe('None');
  expect(restoreButton().disabled).toBe(true);
  fillAndLeave(REPLACED, 'CEDA');
  await screen.findByText('Input value must be the same as the database name');
  expect(restoreButton().disabled).toBe(true);
  fill(REPLACED, 'CEDAR');
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  expect(restoreButton().textContent).toBe('Replace CEDAR');
  fireEvent.click(restoreButton());
  await waitFor(() => expect(operation.queries).toEqual([{ id: cedar.id, databaseName: 'CEDAR', plan: 'digest-1' }]));
  operation.succeed('CEDAR is restored.', { id: cedar.id, databaseName: 'CEDAR', rows: 1 });
  await screen.findByText('CEDAR is restored.');
});

test('what is not restored is listed with rows and reasons, before and after [§2.13]', async () => {
  const leftOut = [
    { kind: 'table', name: 'visits', rows: 1234, reason: 'It is from elsewhere.' },
    { kind: 'table', name: 'billing.invoices', rows: null, reason: 'It changes a table of the platform.' },
    { kind: 'extension', name: 'dblink', rows: null, reason: 'Only a superuser may create it.' },
  ];
  server.use(
    answerPlanWith((name) => ok(makeRestorePlan({ databaseName: name, leftOut }), 'A new database will be made.')),
  );
  const operation = mockOperation(backupRoutes.restore, { kind: 'restore' });
  renderModal({ backup: harbor });
  await screen.findByText('3 objects of the archive are not restored.');
  const items = ['visits', 'billing.invoices', 'dblink'].map(
    (name) => screen.getByText(name).closest('li')?.textContent,
  );
  expect(items).toEqual([
    'table visits (1,234 rows)It is from elsewhere.',
    'table billing.invoices (rows not counted)It changes a table of the platform.',
    'extension dblinkOnly a superuser may create it.',
  ]);
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  fireEvent.click(restoreButton());
  await screen.findByText('Step 2 of 3');
  const message = 'Success! HARBOR has been restored. Not restored: extension dblink.';
  operation.succeed(message, { id: 'new', databaseName: 'HARBOR', rows: 1, leftOut });
  await screen.findByText(message);
});

test('a name typed for one database does not confirm another [§2.13]', async () => {
  server.use(answerPlanWith((name) => ok(makeRestorePlan({ databaseName: name, replaces: true }), `${name} goes.`)));
  renderModal({ backup: cedar });
  await screen.findByText('CEDAR goes.');
  fill(REPLACED, 'CEDAR');
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  fill('Database Name', 'HARBOR');
  // At once, not only when the new plan is loaded.
  await waitFor(() => expect(restoreButton().disabled).toBe(true));
  await screen.findByText('HARBOR goes.');
  expect(field(REPLACED).value).toBe('');
  expect(restoreButton().disabled).toBe(true);
});

test("from a row the database's own backups come first, and all others on demand [§2.13]", async () => {
  const { user } = renderModal({ databaseName: 'HARBOR' });
  expect(await options()).toHaveLength(1);
  expect(field('Database Name').value).toBe('HARBOR');
  await user.click(screen.getByRole('button', { name: 'Show the backups of all databases' }));
  await waitFor(async () => expect(await options()).toHaveLength(3));
});

test('a changed plan is reported and shown [DECISIONS §8]', async () => {
  const changed = { ...replacing, rows: 20_000, digest: 'digest-2' };
  const plans: (string | null)[] = [];
  server.use(
    onRoute(backupRoutes.restore, ({ request }) => {
      const plan = new URL(request.url).searchParams.get('plan');
      plans.push(plan);
      const refusal = { status: 409, success: false, message: 'Things have changed.', result: changed };
      return plan === 'digest-2'
        ? ok({ id: 'one', databaseName: 'CEDAR', rows: 1 }, 'CEDAR is restored.')
        : Response.json(refusal, { status: 409 });
    }),
  );
  const { onClose } = renderModal({ backup: cedar });
  await findField(REPLACED);
  fill(REPLACED, 'CEDAR');
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  server.use(answerPlanWith(() => ok(changed, 'Every row of CEDAR is replaced.')));
  fireEvent.click(restoreButton());
  expect((await screen.findByRole('alert')).textContent).toBe('Things have changed.');
  await screen.findByText('20,000');
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  fireEvent.click(restoreButton());
  await screen.findByText('CEDAR is restored.');
  expect(plans).toEqual(['digest-1', 'digest-2']);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a name that is not allowed is refused at the field, before anything is sent [§5]', async () => {
  const errors = { databaseName: ['This name is reserved.'] };
  server.use(answerPlanWith(() => failed(409, 'This name is reserved.', errors)));
  renderModal({ backup: cedar });
  await screen.findByText('This name is reserved.');
  expect(field('Database Name').getAttribute('aria-invalid')).toBe('true');
  expect(restoreButton().disabled).toBe(true);
});

test('a plan that could not be loaded says why and can be loaded again [§8]', async () => {
  server.use(answerPlanWith(() => failed(503, 'The database cannot be reached.')));
  const { user } = renderModal({ backup: cedar });
  await within(await screen.findByRole('alert')).findByText('The database cannot be reached.');
  server.use(answerPlan);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Every row of CEDAR is replaced.');
});

test('a restore that fails says why and keeps the typed name [§8]', async () => {
  const operation = mockOperation(backupRoutes.restore, { kind: 'restore' });
  const { onClose } = renderModal({ backup: cedar });
  await findField(REPLACED);
  fill('Database Name', 'FRESH');
  await screen.findByText('A new database FRESH will be made.');
  await waitFor(() => expect(restoreButton().disabled).toBe(false));
  fireEvent.click(restoreButton());
  await screen.findByText('Step 2 of 3');
  operation.fail('The archive is damaged.', { status: 400, title: 'Damaged archive', result: null });
  expect((await screen.findByRole('alert')).textContent).toContain('The archive is damaged.');
  expect(field('Database Name').value).toBe('FRESH');
  expect(onClose).not.toHaveBeenCalled();
});
