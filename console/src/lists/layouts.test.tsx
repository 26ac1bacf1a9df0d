import { type ListLayout, type Preferences, preferenceRoutes } from '@apotheca/contract/preferences';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { putLanguage, useGetPreferencesQuery } from '../api/preferences.ts';
import { type Column, DataTable } from '../components/data-table/data-table.tsx';
import { renderWithStore } from '../testing/render.tsx';
import { mockServer, ok, onRoute, server } from '../testing/server.ts';
import { KeptLayouts } from './layouts.tsx';

const PLAIN: ListLayout = { hidden: [], order: [], widths: {}, density: 'comfortable' };
const COLUMNS: Column<{ id: string }>[] = ['code', 'phone'].map((id) => ({
  id,
  header: id,
  width: 90,
  cell: () => id,
}));

let sent: unknown[] = [];
mockServer();

function answer(lists: Preferences['lists']) {
  sent = [];
  server.use(
    onRoute(preferenceRoutes.get, () => ok({ lists, language: 'en' })),
    onRoute(preferenceRoutes.put, async ({ request }) => {
      const { list, layout } = (await request.json()) as { list: 'tenants'; layout: ListLayout };
      sent.push({ list, layout });
      return ok({ lists: { ...lists, [list]: layout } });
    }),
  );
}

/** What has been rendered of the preferences that are kept. */
const ShownLanguage = () => <output>{useGetPreferencesQuery().data?.language}</output>;

const renderList = () =>
  renderWithStore(
    <KeptLayouts>
      <ShownLanguage />
      <DataTable
        name="tenants"
        label="Tenants"
        columns={COLUMNS}
        rows={[]}
        rowKey={String}
        isLoading={false}
        emptyText=""
        emptyHint={undefined}
      />
    </KeptLayouts>,
  );
const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);

test('a change is sent once when the changes pause, and is there at once in the next page [§2.6]', async () => {
  answer({});
  const first = renderList();
  await first.user.click(screen.getByRole('button', { name: 'Choose columns' }));
  // In one task: what is slow between two clicks would count as a pause.
  fireEvent.click(screen.getByRole('checkbox', { name: 'phone' }));
  fireEvent.click(screen.getByRole('radio', { name: /^Compact/ }));
  const layout = { ...PLAIN, hidden: ['phone'], density: 'compact' };
  await waitFor(() => expect(sent).toEqual([{ list: 'tenants', layout }]), { timeout: 60_000 });
  first.unmount();
  // Before the server has answered.
  renderList();
  expect(heads()).toEqual(['code']);
});

test('a change just before a reload is sent by a call that outlives the page [§2.6]', async () => {
  answer({});
  const fetched = vi.spyOn(globalThis, 'fetch');
  const { user } = renderList();
  await user.click(screen.getByRole('button', { name: 'Choose columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'phone' }));
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(sent).toEqual([{ list: 'tenants', layout: { ...PLAIN, hidden: ['phone'] } }]));
  const requests = fetched.mock.calls.map(([asked]) => asked as Request);
  expect(requests.filter(({ method }) => method === 'PUT')).toMatchObject([{ keepalive: true }]);
});

test('the answer of the server counts, and what another tab has changed [§2.6]', async () => {
  answer({ tenants: { ...PLAIN, order: ['phone', 'code'] } });
  const { store } = renderList();
  await waitFor(() => expect(heads()).toEqual(['phone', 'code']));
  const key = `preferences.${store.getState().session.id}`;
  localStorage.setItem(key, JSON.stringify({ lists: { tenants: { ...PLAIN, hidden: ['code'] } } }));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  expect(heads()).toEqual(['phone']);
});

test('what another tab has changed stays when a language is chosen after it [§2.6]', async () => {
  answer({ tenants: { ...PLAIN, order: ['phone', 'code'] } });
  server.use(onRoute(preferenceRoutes.putLanguage, () => ok({ lists: {}, language: 'es' })));
  const { store } = renderList();
  await waitFor(() => expect(heads()).toEqual(['phone', 'code']));
  const key = `preferences.${store.getState().session.id}`;
  localStorage.setItem(key, JSON.stringify({ lists: { tenants: { ...PLAIN, hidden: ['code'] } } }));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  await act(() => store.dispatch(putLanguage.initiate({ language: 'es' })));
  await screen.findByText('es');
  expect(heads()).toEqual(['phone']);
  expect(localStorage.getItem(key)).toContain('"hidden":["code"]');
});

test('a language that is chosen leaves the lists as they are arranged [§2.6]', async () => {
  answer({});
  server.use(onRoute(preferenceRoutes.putLanguage, () => ok({ lists: {}, language: 'es' })));
  const { user, store } = renderList();
  await screen.findByText('en');
  await user.click(screen.getByRole('button', { name: 'Choose columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'phone' }));
  await waitFor(() => expect(sent).toHaveLength(1), { timeout: 60_000 });
  await act(() => store.dispatch(putLanguage.initiate({ language: 'es' })));
  await screen.findByText('es');
  expect(heads()).toEqual(['code']);
  expect(localStorage.getItem(`preferences.${store.getState().session.id}`)).toContain('"hidden":["phone"]');
});

test('columns that this browser has hidden before are taken over, once [§2.6]', async () => {
  answer({});
  localStorage.setItem('tenants.hiddenColumns', '["phone"]');
  renderList();
  await waitFor(() => expect(heads()).toEqual(['code']));
  await waitFor(() => expect(sent).toEqual([{ list: 'tenants', layout: { ...PLAIN, hidden: ['phone'] } }]), {
    timeout: 60_000,
  });
  expect(localStorage.getItem('tenants.hiddenColumns')).toBeNull();
});

test.each(['no JSON', '{"lists":{"tenants":{"hidden":"phone"}}}'])(
  'a copy that is none (%j) does no harm [§2.6]',
  async (copy) => {
    answer({});
    const { store, unmount } = renderList();
    unmount();
    localStorage.setItem(`preferences.${store.getState().session.id}`, copy);
    localStorage.setItem('tenants.hiddenColumns', copy);
    renderList();
    expect(heads()).toEqual(['code', 'phone']);
  },
);
