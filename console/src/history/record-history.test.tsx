import { auditRoutes, RECORD_ENTRIES } from '@apotheca/contract/audit';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeEntry } from '../testing/audit.ts';
import { renderWithStore } from '../testing/render.tsx';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { RecordHistory } from './record-history.tsx';
import { TrailLinkContext } from './trail-link.ts';

const { asked, answer: listOf } = keepQueries(auditRoutes.list);
mockServer(listOf([makeEntry(), makeEntry({ id: '3', action: 'tenants.create', changes: { code: 'CEDARVA' } })]));

const renderHistory = () => renderWithStore(<RecordHistory entity="tenants" id="some-id" />);

test('the history of a record names who changed what, newest first [DECISIONS §13]', async () => {
  renderHistory();
  const history = await screen.findByRole('list', { name: 'History, newest first' });
  const [newest, oldest] = within(history).getAllByRole('listitem');
  within(newest as HTMLElement).getByText('tenants.edit');
  within(newest as HTMLElement).getByText('grace');
  within(newest as HTMLElement).getByRole('row', { name: 'city Everett Aspen' });
  within(oldest as HTMLElement).getByText('tenants.create');
  expect(asked).toEqual([{ entity: 'tenants', entityId: 'some-id' }]);
});

test('a record without a past says so, and a failure can be retried [DECISIONS §13]', async () => {
  server.use(listOf([]));
  const first = renderHistory();
  await screen.findByText('Nothing is known of its past');
  first.unmount();
  server.use(onRoute(auditRoutes.list, () => failed(403, "You need the permission 'audit.read'.")));
  const { user } = renderHistory();
  const retry = await screen.findByRole('button', { name: 'Retry' });
  server.use(listOf([makeEntry()]));
  await user.click(retry);
  await screen.findByText('tenants.edit');
});

test('where the list of a record is cut, what belongs to it ends there too, and all can be looked up [DECISIONS §13]', async () => {
  const first = 1_000;
  const database = Array.from({ length: RECORD_ENTRIES }, (_, index) => makeEntry({ id: String(first + 2 * index) }));
  const tenant = [first - 1, first + 1].map((id) => makeEntry({ id: String(id), action: `tenants.edit-${id}` }));
  server.use(
    onRoute(auditRoutes.list, ({ request }) => ok(request.url.includes('=tenants') ? tenant : database.toReversed())),
  );
  renderWithStore(
    <TrailLinkContext value={({ entity, id }) => `/audit?${entity}=${id}`}>
      <RecordHistory entity="tenants" id="some-id" also={{ entity: 'databases', id: 'other-id' }} />
    </TrailLinkContext>,
  );
  const link = await screen.findByRole('link', { name: 'All about this record (databases)' });
  expect(link.getAttribute('href')).toBe('/audit?databases=other-id');
  expect(screen.getAllByRole('link')).toHaveLength(1);
  screen.getByText('tenants.edit-1001');
  expect(screen.queryByText('tenants.edit-999')).toBeNull();
});
