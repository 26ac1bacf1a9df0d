import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { userImportRoutes } from '@apotheca/contract/user-import';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { api } from '../../api/http/client.ts';
import { makeOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { keepSavedFiles } from '../../testing/saved-files.ts';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { Activity } from './activity.tsx';

const bulk = makeOperation({ kind: 'bulk-tenants', state: 'succeeded', databaseName: '2 tenants', cancellable: false });
const imported = makeOperation({ kind: 'import-users', state: 'succeeded', databaseName: 'users', cancellable: false });
const backup = makeOperation({ kind: 'backup', state: 'succeeded', cancellable: false });
const row = { changes: [], reasons: [] };
const report = {
  id: 'b1',
  operationId: bulk.id,
  asked: { action: 'deactivate' },
  startedBy: 'ada',
  startedOnUtc: '2026-03-04T09:30:00.000Z',
  state: 'succeeded',
  counts: { changed: 1, same: 0, refused: 1, waiting: 0 },
  rows: [
    { ...row, line: 1, id: 't1', record: 'CEDARVA', result: 'changed' },
    {
      ...row,
      line: 2,
      id: 't2',
      record: 'BIRCH',
      result: 'refused',
      reasons: [{ heading: '', message: 'It is away.' }],
    },
  ],
};
/** Of which operation the report was asked for. */
let asked: (string | null)[] = [];

mockServer(
  onRoute(operationRoutes.list, () => ok([bulk, imported, backup])),
  onRoute(databaseRoutes.list, () => ok([])),
  onRoute(tenantBulkRoutes.report, ({ request }) => {
    asked.push(new URL(request.url).searchParams.get('operationId'));
    return ok(report);
  }),
);

async function openPanel() {
  asked = [];
  const view = renderWithStore(<Activity />);
  server.use(onRoute(operationRoutes.list, () => ok([bulk, imported, backup])));
  await view.user.click(await screen.findByRole('button', { name: /^Activity/ }));
  await screen.findByRole('complementary', { name: 'Activity' });
  return view;
}

test('the results of an ended change of many can be opened again, and those that failed are tried again [§2.25]', async () => {
  const { user } = await openPanel();
  const buttons = await screen.findAllByRole('button', { name: /^Results: / });
  // A backup has none.
  expect(buttons).toHaveLength(2);
  await user.click(buttons[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('BIRCH');
  dialog.getByText('It is away.');
  expect(asked[0]).toBe(bulk.id);
  const planned = keepBodies(tenantBulkRoutes.plan, 'OK', { id: 'b2', counts: {}, rows: [], digest: 'd' });
  await user.click(dialog.getByRole('button', { name: 'Retry the one that is not done' }));
  await waitFor(() => expect(planned).toEqual([{ action: 'deactivate', ids: ['t2'] }]));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  screen.getByRole('complementary', { name: 'Activity' });
});

test('results stay open where their operation leaves the list [§2.25]', async () => {
  const { user, store } = await openPanel();
  await user.click((await screen.findAllByRole('button', { name: /^Results: / }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  // The list is held no more.
  await user.hover(await dialog.findByText('BIRCH'));
  server.use(onRoute(operationRoutes.list, () => ok([backup])));
  await act(() => store.dispatch(api.util.invalidateTags(['Operations'])));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Results: /, hidden: true })).toBeNull());
  screen.getByText('BIRCH');
});

test('the results come from the server as CSV [§2.25]', async () => {
  const files = keepSavedFiles();
  const downloads: string[] = [];
  server.use(
    onRoute(operationRoutes.results, ({ request }) => {
      downloads.push(new URL(request.url).searchParams.get('id') ?? '');
      return new HttpResponse('Line,Record\r\n', { headers: { 'content-type': 'text/csv' } });
    }),
  );
  const { user } = await openPanel();
  await user.click((await screen.findAllByRole('button', { name: /^Results: / }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'Download results' }));
  await waitFor(() => expect(downloads).toEqual([bulk.id]));
  await waitFor(() => expect(files).toHaveLength(1));
});

test('the results of an ended import can be opened again; what cannot be loaded says why [§2.21]', async () => {
  server.use(onRoute(userImportRoutes.report, () => failed(503, 'The database cannot be reached.')));
  const { user } = await openPanel();
  const [, ofImport] = await screen.findAllByRole('button', { name: /^Results: / });
  await user.click(ofImport as HTMLElement);
  await screen.findByText('The database cannot be reached.');
  // The toast is a moment ahead of the button, which takes no click while it loads.
  await waitFor(() => expect(ofImport?.getAttribute('aria-busy')).not.toBe('true'));
  const { asked: _, ...rest } = report;
  const counts = { created: 1, changed: 0, same: 0, refused: 1, waiting: 0 };
  const rows = report.rows.map(({ id: _id, ...one }) => ({
    ...one,
    result: one.result === 'changed' ? 'created' : 'refused',
  }));
  server.use(onRoute(userImportRoutes.report, () => ok({ ...rest, counts, rows })));
  await user.click(ofImport as HTMLElement);
  await within(await screen.findByRole('dialog', { name: 'Import Users' })).findByText('BIRCH');
});
