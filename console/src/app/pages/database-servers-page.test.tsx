import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { databaseRoutes } from '@apotheca/contract/databases';
import type { DatabaseServer } from '@apotheca/contract/databaseservers';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { notify } from '../../components/toast/toast.tsx';
import { makeDatabase } from '../../testing/databases.ts';
import { makeDatabaseServer, makeHomeServer } from '../../testing/databaseservers.ts';
import { field, fill } from '../../testing/fields.ts';
import { isChanging } from '../../testing/mutations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { findRow, textsOf } from '../../testing/table.ts';
import { DatabaseServersPage } from './database-servers-page.tsx';

/** The servers of the mocked server. */
let servers: DatabaseServer[] = [];
mockServer(onRoute(databaseServerRoutes.list, () => ok(servers)));

function renderPage(held: DatabaseServer[] = [makeHomeServer(), makeDatabaseServer()]) {
  servers = held;
  return renderWithStore(<DatabaseServersPage />, { route: '/database-servers' });
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('the list shows fill, sessions, standbys and state of each server, and one that is away [§2.30]', async () => {
  renderPage([
    makeHomeServer(),
    makeDatabaseServer(),
    makeDatabaseServer({ name: 'South', isAway: true, sessions: null, standbys: null, state: 'draining' }),
  ]);
  const home = textsOf(await findRow('Home')).join(' | ');
  for (const text of ['127.0.0.1:5432', '12, without limit', '18 of 200', 'None', 'Active'])
    expect(home).toContain(text);
  const north = textsOf(await findRow('North')).join(' | ');
  for (const text of ['12 of 200', '0.4 s behind', 'Active']) expect(north).toContain(text);
  const south = textsOf(await findRow('South')).join(' | ');
  expect(south).toContain('Away');
  expect(south).not.toContain('None');
});

test('a server that is drained says that it gets no new tenants, not that it is emptied [§2.30]', async () => {
  renderPage([makeHomeServer(), makeDatabaseServer({ state: 'draining' })]);
  expect(textsOf(await findRow('North')).join(' | ')).toContain('No new tenants');
});

test('large figures of a server are written with separators [§2.30]', async () => {
  renderPage([makeDatabaseServer({ sessions: 1234, maxSessions: 5000, lagSeconds: 2345.67 })]);
  const north = textsOf(await findRow('North')).join(' | ');
  for (const text of ['1,234 of 5,000', '2,345.7 s behind']) expect(north).toContain(text);
});

test('the list is looked at again while it is open, as its servers come and go by themselves [§2.30]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  renderPage();
  expect(textsOf(await findRow('North')).join(' | ')).toContain('Active');
  servers = [makeHomeServer(), makeDatabaseServer({ isAway: true })];
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  await waitFor(async () => expect(textsOf(await findRow('North')).join(' | ')).toContain('Away'));
});

test('the record of a server that is away says why [§2.30]', async () => {
  const problem =
    'The password of the database server North was saved under another APOTHECA_SECRET: please enter it again.';
  const { user } = renderPage([makeHomeServer(), makeDatabaseServer({ isAway: true, problem })]);
  await findRow('North');
  await user.click(button('Edit North'));
  within(screen.getByRole('dialog', { name: 'Edit Database Server' })).getByText(problem);
});

test('a new server is sent as typed; what is wrong with it stands at its field [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('North');
  await user.click(button('Create Database Server'));
  const dialog = screen.getByRole('dialog', { name: 'Create Database Server' });
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await within(dialog).findByText('Name is required');
  within(dialog).getByText('Host is required');
  within(dialog).getByText('Password is required');
  fill('Name', 'South');
  fill('Host', 'db-south.clinic.test');
  fill('User Name', 'apotheca');
  fill('Password', 'hush');
  fill('Capacity', '20');
  const message = 'The user lacks rights: Lacks CREATEDB.';
  server.use(
    onRoute(databaseServerRoutes.create, () => failed(409, 'Please check.', { userName: [message] }), { once: true }),
  );
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await within(dialog).findByText(message);
  fill('User Name', 'superuser');
  const bodies = keepBodies(databaseServerRoutes.create, 'Success! Database server has been created.');
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(bodies).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([
    expect.objectContaining({ name: 'South', host: 'db-south.clinic.test', port: 5432, capacity: 20, tls: 'disable' }),
  ]);
});

test('the home server has no address to change, and is neither retired nor deleted [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('Home');
  await user.click(button('Edit Home'));
  const dialog = screen.getByRole('dialog', { name: 'Edit Database Server' });
  within(dialog).getByLabelText('Capacity');
  expect(within(dialog).queryByLabelText('Host')).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await user.click(button('More actions for Home'));
  expect(screen.queryByRole('menuitem', { name: 'Retire Home' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'Delete Home' })).toBeNull();
});

test('an edit of a server whose certificate another user has renewed keeps theirs, and shows it in the form only [§2.30] [DECISIONS §10]', async () => {
  const [before, renewed] = ['-----BEGIN CERTIFICATE-----\nold', '-----BEGIN CERTIFICATE-----\nnew'];
  const { user } = renderPage([makeHomeServer(), makeDatabaseServer({ tls: 'verify-full', caCertificate: before })]);
  await findRow('North');
  await user.click(button('Edit North'));
  fill('Region', 'elsewhere');
  server.use(
    onRoute(
      databaseServerRoutes.edit,
      () => refusedAsStale({ version: 2, changes: [changedByBob('caCertificate', undefined, renewed)] }),
      { once: true },
    ),
  );
  await user.click(button('Save'));
  const change = await screen.findByText('CA Certificate: changed, by bob');
  // Across the form, not in one of its columns.
  expect(change.closest('.form-grid > .field-wide')).not.toBeNull();
  expect(field('CA Certificate').value).toBe(renewed);
  const bodies = keepBodies(databaseServerRoutes.edit, 'Changed.');
  await user.click(button('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toEqual([expect.objectContaining({ region: 'elsewhere', caCertificate: renewed, version: 2 })]);
});

test('a wrong certificate is forgotten when none is needed any more, and does not keep the record from being saved [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('North');
  await user.click(button('Edit North'));
  await user.selectOptions(field('TLS'), 'verify-full');
  fill('CA Certificate', 'none');
  await user.selectOptions(field('TLS'), 'require');
  const bodies = keepBodies(databaseServerRoutes.edit, 'Changed.');
  await user.click(button('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toEqual([expect.objectContaining({ tls: 'require', caCertificate: '' })]);
});

test('a check shows each point; one that fails to be made can be made again [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('North');
  server.use(onRoute(databaseServerRoutes.check, () => failed(503, 'The database does not answer.'), { once: true }));
  await user.click(button('Check North'));
  const dialog = screen.getByRole('dialog', { name: 'Check Database Server' });
  await within(dialog).findByText('The database server could not be checked');
  within(dialog).getByText('The database does not answer.');
  server.use(
    onRoute(databaseServerRoutes.check, () =>
      ok({
        id: 's1',
        points: [
          { point: 'icu', passed: false, detail: 'Built without ICU' },
          { point: 'disk', passed: null, detail: 'Not known: PostgreSQL does not tell' },
        ],
      }),
    ),
  );
  await user.click(within(dialog).getByRole('button', { name: 'Retry' }));
  await within(dialog).findByText('Built without ICU');
  within(dialog).getByText('Failed');
  within(dialog).getByText('Not known');
});

test('a check of a server that somebody has deleted says so, and is not offered again [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('North');
  server.use(onRoute(databaseServerRoutes.check, () => failed(404, 'This database server is gone.')));
  await user.click(button('Check North'));
  const dialog = within(screen.getByRole('dialog', { name: 'Check Database Server' }));
  await dialog.findByText('This database server is gone.');
  // Read out by the toast.
  expect((await screen.findByRole('alert')).textContent).toContain('This database server is gone.');
  expect(dialog.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a check that fails after its dialog was closed is told of no more [§2.30]', async () => {
  const error = vi.spyOn(notify, 'error');
  onTestFinished(() => error.mockRestore());
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(databaseServerRoutes.check, async () => {
      await answer.promise;
      return failed(503, 'The database does not answer.');
    }),
  );
  const { user, store } = renderPage();
  await findRow('North');
  await user.click(button('Check North'));
  const dialog = within(screen.getByRole('dialog', { name: 'Check Database Server' }));
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer.resolve();
  await waitFor(() => expect(isChanging(store)).toBe(false));
  expect(error).not.toHaveBeenCalled();
});

test('a check whose answer cannot be read says so, and can be made again [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('North');
  server.use(onRoute(databaseServerRoutes.check, () => ok({ id: 's1' })));
  await user.click(button('Check North'));
  const dialog = within(screen.getByRole('dialog', { name: 'Check Database Server' }));
  await dialog.findByText(/could not be read/);
  dialog.getByRole('button', { name: 'Retry' });
});

test('draining tells how many databases live there, and says what the server answers [§2.30]', async () => {
  const { user } = renderPage();
  await findRow('North');
  await user.click(button('More actions for North'));
  await user.click(screen.getByRole('menuitem', { name: 'Drain North' }));
  const dialog = screen.getByRole('dialog', { name: 'Drain Database Server' });
  within(dialog).getByText('14 databases live there, counting clones and kept deleted ones.');
  const told = 'No new tenants are placed there. 14 databases still there.';
  const bodies = keepBodies(databaseServerRoutes.drain, told, { id: 's1', databases: 14 });
  await user.click(within(dialog).getByRole('button', { name: 'Drain server' }));
  await screen.findByText(told);
  expect(bodies).toHaveLength(1);
});

test('of a server that is drained all databases are moved, by a plan that says where each goes [§2.31]', async () => {
  const { user } = renderPage([makeHomeServer(), makeDatabaseServer({ state: 'draining' })]);
  await findRow('North');
  const there = makeDatabase({ databaseName: 'THERE', serverName: 'North' });
  const bodies: unknown[] = [];
  server.use(
    onRoute(databaseRoutes.list, () => ok([there, makeDatabase({ databaseName: 'HERE', serverName: 'Home' })])),
    onRoute(databaseBulkRoutes.plan, async ({ request }) => {
      bodies.push(await request.json());
      const changes = [{ heading: 'Database Server', from: 'North', to: 'Home' }];
      return ok({
        id: '00000000-0000-4000-8000-000000000009',
        counts: { change: 1, same: 0, refused: 0 },
        rows: [{ id: there.id, line: 1, record: 'THERE', outcome: 'change', changes, reasons: [] }],
        digest: 'digest-1',
      });
    }),
  );
  await user.click(button('More actions for North'));
  await user.click(screen.getByRole('menuitem', { name: 'Move all databases of North to other servers' }));
  const dialog = await screen.findByRole('dialog', { name: 'Move Databases to other servers' });
  await within(dialog).findByText(/1 database will be moved to other servers/);
  within(dialog).getByText(/North → Home/);
  expect(bodies).toEqual([{ action: 'move-away', ids: [there.id] }]);
  // Afterwards none is left there, and the dialog tells what became of those that were.
  const counts = { changed: 1, same: 0, refused: 0, waiting: 0 };
  const batchId = '00000000-0000-4000-8000-000000000009';
  server.use(
    onRoute(databaseRoutes.list, () => ok([makeDatabase({ databaseName: 'THERE', serverName: 'Home' })])),
    onRoute(databaseBulkRoutes.start, () => ok({ id: batchId, counts }, '1 database moved.')),
    onRoute(databaseBulkRoutes.report, () =>
      ok({
        id: batchId,
        operationId: batchId,
        asked: { action: 'move-away' },
        startedBy: 'ada',
        startedOnUtc: '2026-03-04T09:30:00.000Z',
        state: 'succeeded',
        counts,
        rows: [{ id: there.id, line: 1, record: 'THERE', result: 'changed', changes: [], reasons: [] }],
      }),
    ),
  );
  await user.click(within(dialog).getByRole('button', { name: 'Move 1 database to other servers' }));
  await within(dialog).findByText('Done');
});

test('the button that moves stands where it will be while the databases are found, so Close is not there [§2.20] [§2.31]', async () => {
  const { user } = renderPage([makeHomeServer(), makeDatabaseServer({ state: 'draining', databases: 3 })]);
  await findRow('North');
  server.use(onRoute(databaseRoutes.list, () => new Promise<ReturnType<typeof ok>>(() => {})));
  await user.click(button('More actions for North'));
  await user.click(screen.getByRole('menuitem', { name: 'Move all databases of North to other servers' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move All Databases' }));
  const last = dialog.getAllByRole<HTMLButtonElement>('button').at(-1);
  expect([last?.textContent, last?.disabled]).toEqual(['Move 3 databases to other servers', true]);
});

test('where only kept databases are left on a drained server, it says so [§2.31]', async () => {
  const { user } = renderPage([makeHomeServer(), makeDatabaseServer({ state: 'draining' })]);
  await findRow('North');
  server.use(onRoute(databaseRoutes.list, () => ok([])));
  await user.click(button('More actions for North'));
  await user.click(screen.getByRole('menuitem', { name: 'Move all databases of North to other servers' }));
  await screen.findByText(/^Only deleted or replaced databases that are kept are left there\./);
});
