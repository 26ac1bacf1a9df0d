import { auditRoutes } from '@apotheca/contract/audit';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeEntry } from '../testing/audit.ts';
import { renderWithStore } from '../testing/render.tsx';
import { failed, keepQueries, mockServer, onRoute, server } from '../testing/server.ts';
import { RecordHistory } from './record-history.tsx';

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
