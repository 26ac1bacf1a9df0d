import { auditRoutes, SEARCH_PAGE } from '@apotheca/contract/audit';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { localMinute } from '../../lib/moment.ts';
import { makeAuditPage, makeEntry, makeVerification } from '../../testing/audit.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { keepSavedFiles } from '../../testing/saved-files.ts';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { findRow, textsOf } from '../../testing/table.ts';
import { AuditPage } from './audit-page.tsx';

const edit = makeEntry();
const stranger = makeEntry({
  id: '6',
  actorId: null,
  actorName: 'Mallory',
  action: 'auth.sign-in-failed',
  entity: 'users',
  entityId: '',
  outcome: 'failed',
  changes: {},
});
const { asked, answer } = keepQueries(auditRoutes.search);
const listOf = (...page: Parameters<typeof makeAuditPage>) => answer(makeAuditPage(...page));
const verified = (fields = {}) => onRoute(auditRoutes.verification, () => ok(makeVerification(fields)));

mockServer(listOf([edit, stranger]), verified());

const renderPage = (route = '/audit') => {
  asked.length = 0;
  return renderWithStore(<AuditPage />, { route });
};

test('the newest entries come first, each with who, what, which record, from where and its result [DECISIONS §13]', async () => {
  renderPage();
  const when = localMinute(new Date(edit.onUtc));
  expect(textsOf(await findRow('tenants.edit'))).toEqual([
    when,
    'grace',
    'tenants.edit',
    'tenants: CEDARVA',
    'Succeeded',
    '198.51.100.7',
    'code, city, version',
  ]);
  expect(textsOf(await findRow('Mallory'))).toEqual([
    when,
    'Mallory',
    'auth.sign-in-failed',
    'users',
    'Failed',
    '198.51.100.7',
    '',
  ]);
  expect(asked).toEqual([{}]);
});

test('somebody whose credentials were changed is not called by those [DECISIONS §13]', async () => {
  server.use(listOf([makeEntry({ action: 'users.edit', entity: 'users', changes: { title: ['MD', 'DO'] } })]));
  renderPage();
  expect((await screen.findByRole('link', { name: 'users' })).getAttribute('href')).toBe('/users');
});

test('a record leads to the screen that shows it [DECISIONS §13]', async () => {
  renderPage();
  const link = within(await findRow('tenants.edit')).getByRole('link', { name: 'tenants: CEDARVA' });
  expect(link.getAttribute('href')).toBe('/tenants/CEDARVA');
  expect(within(await findRow('Mallory')).queryByRole('link')).toBeNull();
});

test.each([
  ['Person', 'actor', 'grace'],
  ['Action', 'action', 'tenants.edit'],
  ['Kind of record', 'entity', 'tenants'],
  ['Record id', 'entityId', edit.entityId],
  ['Address', 'address', '198.51.100.7'],
  ['Search names, ids and changes', 'text', 'aspen'],
])('%s filters by %s, and stands in the address [DECISIONS §13]', async (label, name, value) => {
  const { router } = renderPage('/audit?before=99');
  await findRow('tenants.edit');
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  // Another filter begins at the newest entry again.
  await waitFor(() => expect(asked.at(-1)).toEqual({ [name]: value }));
  expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({ [name]: value });
});

test('filters are read from the address, and can be cleared [DECISIONS §13]', async () => {
  const { user } = renderPage('/audit?actor=grace&outcome=failed&from=2026-03-01T00:00&to=never&before=x');
  await findRow('tenants.edit');
  expect(asked).toEqual([{ actor: 'grace', outcome: 'failed', from: new Date('2026-03-01T00:00').toISOString() }]);
  expect(screen.getByLabelText<HTMLInputElement>('Person').value).toBe('grace');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({}));
  expect(screen.getByLabelText<HTMLInputElement>('Person').value).toBe('');
});

test('clearing the filter leads to the field of it, from an empty list too [§2.20]', async () => {
  server.use(listOf([]));
  const { user } = renderPage('/audit?actor=grace');
  await screen.findByText('No entries match');
  const [above, inside] = screen.getAllByRole('button', { name: 'Clear filter' });
  const search = screen.getByLabelText('Search names, ids and changes');
  await user.click(inside ?? search);
  await waitFor(() => expect(inside?.isConnected).toBe(false));
  expect(above?.isConnected).toBe(false);
  expect(document.activeElement).toBe(search);
});

test('the result and the time can be chosen [DECISIONS §13]', async () => {
  const { user } = renderPage();
  await findRow('tenants.edit');
  await user.selectOptions(screen.getByLabelText('Result'), 'Refused');
  await waitFor(() => expect(asked.at(-1)).toEqual({ outcome: 'refused' }));
  fireEvent.change(screen.getByLabelText('Before'), { target: { value: '2026-03-04T10:00' } });
  const to = new Date('2026-03-04T10:00').toISOString();
  await waitFor(() => expect(asked.at(-1)).toEqual({ outcome: 'refused', to }));
});

test('older entries are a page on, and the browser leads back [DECISIONS §13]', async () => {
  const page = Array.from({ length: SEARCH_PAGE }, (_, n) => makeEntry({ id: String(500 - n) }));
  server.use(listOf(page));
  const { router, user } = renderPage('/audit?actor=grace');
  await screen.findByText('Displaying 100 results of this page');
  const rows = screen.getByRole('region', { name: 'Audit Trail' });
  fireEvent.scroll(rows, { target: { scrollTop: 400 } });
  await user.click(await screen.findByRole('link', { name: 'Older' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ actor: 'grace', before: String(501 - SEARCH_PAGE) }));
  expect(rows.scrollTop).toBe(0);
  await user.click(await screen.findByRole('link', { name: 'Newest' }));
  await waitFor(() => expect(router.state.location.search).toBe('?actor=grace'));
});

test('a search that takes long says how far it has come, and goes on when it is asked to [DECISIONS §13]', async () => {
  const further = { before: '8192', onUtc: '2025-06-01T08:00:00.000Z' };
  server.use(listOf([], further));
  const { user } = renderPage('/audit?text=rare');
  await screen.findByText(`Searched back to ${localMinute(new Date(further.onUtc))}.`);
  screen.getByText('No entries match so far');
  expect(screen.queryByRole('link', { name: 'Older' })).toBeNull();
  server.use(listOf([edit]));
  await user.click(screen.getByRole('link', { name: 'Search further' }));
  await findRow('tenants.edit');
  expect(asked.at(-1)).toEqual({ text: 'rare', before: '8192' });
  expect(screen.queryByText(/^Searched back/)).toBeNull();
});

test('an entry shows each field before and after side by side [DECISIONS §13]', async () => {
  const { user } = renderPage();
  await findRow('tenants.edit');
  await user.click(screen.getByRole('button', { name: 'View entry 7' }));
  const dialog = await screen.findByRole('dialog', { name: 'Entry 7' });
  const rows = within(within(dialog).getByRole('table', { name: 'Changes' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Field', 'Before', 'After'],
    ['code', '', 'CEDARVA'],
    ['city', 'Everett', 'Aspen'],
    ['version', '1', '2'],
  ]);
});

test('an entry of what was made has no column of what was before [DECISIONS §13]', async () => {
  server.use(listOf([makeEntry({ action: 'users.create', changes: { userName: 'grace', isActive: true } })]));
  const { user } = renderPage();
  await findRow('users.create');
  await user.click(screen.getByRole('button', { name: 'View entry 7' }));
  const dialog = await screen.findByRole('dialog', { name: 'Entry 7' });
  const rows = within(within(dialog).getByRole('table', { name: 'Changes' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Field', 'After'],
    ['userName', 'grace'],
    ['isActive', 'true'],
  ]);
});

test('a menu leads to the menus, and a database server to the list that finds it [DECISIONS §13]', async () => {
  const menu = makeEntry({ action: 'menus.edit', entity: 'permissions', changes: { name: 'Stock report' } });
  const changes = { name: 'North' };
  const north = makeEntry({ id: '6', action: 'databaseservers.create', entity: 'databaseservers', changes });
  server.use(listOf([menu, north]));
  renderPage();
  const linkIn = async (action: string) =>
    within(await findRow(action))
      .getByRole('link')
      .getAttribute('href');
  expect(await linkIn('menus.edit')).toBe('/menus');
  expect(await linkIn('databaseservers.create')).toBe('/database-servers?q=North');
});

test('an entry of an edit says that a field was empty before [DECISIONS §13]', async () => {
  server.use(listOf([makeEntry({ action: 'users.edit', changes: { notes: ['', 'Back in May'] } })]));
  const { user } = renderPage();
  await findRow('users.edit');
  await user.click(screen.getByRole('button', { name: 'View entry 7' }));
  const dialog = await screen.findByRole('dialog', { name: 'Entry 7' });
  within(dialog).getByRole('columnheader', { name: 'Before' });
});

test('a list of two is no pair of before and after [DECISIONS §13]', async () => {
  const changes = {
    roleName: 'Clerk',
    permissions: ['users.list', 'audit.read'],
    added: ['users.list'],
    isActive: [true, false],
  };
  server.use(listOf([makeEntry({ action: 'roles.create', entity: 'roles', changes })]));
  const { user } = renderPage();
  const link = within(await findRow('roles.create')).getByRole('link', { name: 'roles: Clerk' });
  expect(link.getAttribute('href')).toBe('/permission?view=roles&q=Clerk');
  await user.click(screen.getByRole('button', { name: 'View entry 7' }));
  const dialog = await screen.findByRole('dialog', { name: 'Entry 7' });
  const rows = within(within(dialog).getByRole('table', { name: 'Changes' })).getAllByRole('row');
  expect(rows.slice(1).map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['roleName', '', 'Clerk'],
    ['permissions', '', 'users.list, audit.read'],
    ['added', '', 'users.list'],
    ['isActive', 'true', 'false'],
  ]);
});

test('entries of the filter before do not stand under one that could not be searched for [DECISIONS §13]', async () => {
  renderPage();
  await findRow('tenants.edit');
  server.use(onRoute(auditRoutes.search, () => failed(503, 'Away.')));
  fireEvent.change(screen.getByRole('textbox', { name: 'Person' }), { target: { value: 'grace' } });
  await within(await screen.findByRole('alert')).findByText('Away.');
  expect(screen.queryByRole('row', { name: /tenants\.edit/ })).toBeNull();
});

test('entries that are refused are not shown any more [DECISIONS §5]', async () => {
  renderPage();
  await findRow('tenants.edit');
  server.use(onRoute(auditRoutes.search, () => failed(403, "You need the permission 'audit.read'.")));
  fireEvent.focus(window);
  await within(await screen.findByRole('alert')).findByText("You need the permission 'audit.read'.");
  expect(screen.queryByRole('row', { name: /tenants\.edit/ })).toBeNull();
});

test('a moment in a year of more than four digits, which no server takes, filters nothing [DECISIONS §13]', async () => {
  renderPage('/audit?from=020266-01-31T08:15&to=%2B020266-01-31T08:15');
  await findRow('tenants.edit');
  expect(asked).toEqual([{}]);
  // Nor does it look as if it did.
  for (const name of ['From', 'Before']) {
    const moment = screen.getByLabelText(name);
    expect(moment.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(moment.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'This time is out of range and does not filter.',
    );
  }
  screen.getByRole('button', { name: 'Filters (2 set)' });
  screen.getByRole('button', { name: 'Clear filter' });
});

test('a verification that found no entry yet does not count them [DECISIONS §13]', async () => {
  server.use(verified({ verified: 0, endedOnUtc: '2026-03-04T09:30:00.000Z' }));
  renderPage();
  expect(await screen.findByText(/there was no entry yet\.$/)).toBeDefined();
  expect(screen.queryByText(/0 entries/)).toBeNull();
});

test('the newest verification is told, and another one can be asked for [DECISIONS §13]', async () => {
  const { user } = renderPage();
  const moment = localMinute(new Date('2026-03-04T01:00:00.000Z'));
  await screen.findByText(`Verified on ${moment}: 12 entries, none altered or removed.`);
  expect(screen.queryByRole('alert')).toBeNull();
  server.use(
    onRoute(auditRoutes.verify, () => {
      server.use(verified({ isUnderWay: true, checked: 3 }));
      return ok(makeVerification({ isUnderWay: true }));
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  const underWay = await screen.findByText('A verification is under way: 3 of 12 entries.');
  // Figures that change each second are not read out, that it has begun is.
  expect(underWay.closest('[role=status]')).toBeNull();
  const told = screen.getByText('A verification is under way.', { selector: '[role=status]' });
  server.use(verified({ isUnderWay: true, checked: 4 }));
  await screen.findByText('A verification is under way: 4 of 12 entries.');
  expect(told.textContent).toBe('A verification is under way.');
  server.use(verified({ problem: 'Entry 5 is missing.' }));
  const alert = await screen.findByRole('alert');
  within(alert).getByText('The audit trail is broken');
  within(alert).getByText(`Verified on ${moment}: Entry 5 is missing.`);
});

test('the beginning and the end of a verification are read out, though it finds what the one before did [DECISIONS §13]', async () => {
  const { user } = renderPage();
  await screen.findByText(/12 entries, none altered or removed/);
  expect(screen.queryByText(/^(A|The) verification/)).toBeNull();
  server.use(onRoute(auditRoutes.verify, () => ok(makeVerification({ isUnderWay: true }))));
  const told: string[] = [];
  const observer = new MutationObserver(() => {
    const text = screen.queryByText(/^(A verification is under way|The verification has ended)\.$/)?.textContent;
    if (text && text !== told.at(-1)) told.push(text);
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  // It has ended by the time it is asked for.
  const ended = await screen.findByText('The verification has ended.');
  expect(ended.closest('[role=status]')).not.toBeNull();
  expect(told).toEqual(['A verification is under way.', 'The verification has ended.']);
});

test('a verification that could not be asked for says so, and can be asked for again [DECISIONS §13]', async () => {
  server.use(onRoute(auditRoutes.verification, () => failed(503, 'Away.')));
  const { user } = renderPage();
  const alert = await screen.findByRole('alert');
  within(alert).getByText('Away.');
  server.use(verified());
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  await screen.findByRole('button', { name: 'Verify' });
});

test('what the filter leaves, or the whole trail, can be downloaded [DECISIONS §13]', async () => {
  const saved = keepSavedFiles();
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(auditRoutes.export, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return new HttpResponse('id,onUtc');
    }),
  );
  const { user } = renderPage('/audit?actor=grace&before=99');
  await findRow('tenants.edit');
  for (const [item, name] of [
    ['All that the filter leaves, as CSV', 'audit.csv'],
    ['All that the filter leaves, as JSON', 'audit.json'],
    ['The whole trail, to be verified elsewhere', 'audit.jsonl'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: 'Download' }));
    await user.click(screen.getByRole('menuitem', { name: item }));
    await waitFor(() => expect(saved.at(-1)?.name).toBe(name));
  }
  expect(queries.map(({ format, actor, before }) => [format, actor, before])).toEqual([
    ['csv', 'grace', undefined],
    ['json', 'grace', undefined],
    ['trail', 'grace', undefined],
  ]);
});

test('an empty trail, a filter without matches, and a failed load say so [DECISIONS §13]', async () => {
  server.use(listOf([]));
  const first = renderPage();
  await screen.findByText('Nothing has been done yet');
  first.unmount();
  const second = renderPage('/audit?actor=nobody');
  await screen.findByText('No entries match');
  second.unmount();
  server.use(onRoute(auditRoutes.search, () => failed(503, 'The database cannot be reached. Please try again.')));
  renderPage('/audit?actor=else');
  await screen.findByRole('button', { name: 'Retry' });
  // In its place, and as a toast.
  await waitFor(() => expect(screen.getAllByText('The database cannot be reached. Please try again.')).toHaveLength(2));
});

test('the button of the downloads keeps the focus while one is fetched, and opens no menu [§2.20]', async () => {
  const answer = Promise.withResolvers<void>();
  keepSavedFiles();
  server.use(
    onRoute(auditRoutes.export, async () => {
      await answer.promise;
      return new HttpResponse('id,onUtc');
    }),
  );
  const { user } = renderPage();
  await findRow('tenants.edit');
  const button = screen.getByRole('button', { name: 'Download' });
  await user.click(button);
  await user.click(screen.getByRole('menuitem', { name: 'All that the filter leaves, as CSV' }));
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  expect(document.activeElement).toBe(button);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.queryByRole('menu')).toBeNull();
  answer.resolve();
  await waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false));
  expect(document.activeElement).toBe(button);
});
