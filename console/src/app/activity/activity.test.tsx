import { accountRoutes } from '@apotheca/contract/account';
import { databaseRoutes } from '@apotheca/contract/databases';
import { faqRoutes } from '@apotheca/contract/faqs';
import { type Operation, operationRoutes } from '@apotheca/contract/operations';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { userRoutes } from '@apotheca/contract/users';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useListDatabasesQuery } from '../../api/databases.ts';
import { useListFaqsQuery } from '../../api/faqs.ts';
import { api } from '../../api/http/client.ts';
import { useListTenantPermissionsQuery } from '../../api/permissions.ts';
import { useListUsersQuery } from '../../api/users.ts';
import { RightsProvider, useRefusal } from '../../rights/rights.tsx';
import { makeDatabase } from '../../testing/databases.ts';
import { makeOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { setLanguage } from '../language.ts';
import { Activity } from './activity.tsx';

/** The data of the mocked server. */
let operations: Operation[] = [];
let loads = 0;
let listLoads = 0;
const listOperations = onRoute(operationRoutes.list, () => {
  loads += 1;
  return ok(operations);
});

mockServer(
  listOperations,
  onRoute(databaseRoutes.list, () => {
    listLoads += 1;
    return ok([makeDatabase({ databaseName: `AFTER ${listLoads}` })]);
  }),
);

beforeEach(() => {
  loads = 0;
  listLoads = 0;
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => void vi.useRealTimers());

/** A list that other users' operations change. */
function List() {
  const { data } = useListDatabasesQuery({ sortColumn: 'datName', sortDirection: 'asc' });
  return <p>{data?.[0]?.databaseName}</p>;
}

function renderActivity(...shown: Operation[]) {
  operations = shown;
  return renderWithStore(
    <>
      <Activity />
      <List />
    </>,
  );
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

async function openPanel(...shown: Operation[]) {
  const view = renderActivity(...shown);
  await view.user.click(await screen.findByRole('button', { name: /^Activity/ }));
  return { ...view, panel: await screen.findByRole('complementary', { name: 'Activity' }) };
}

test('the button shows how many operations are running [DECISIONS §8]', async () => {
  renderActivity(makeOperation(), makeOperation({ state: 'queued' }), makeOperation({ state: 'succeeded' }));
  const button = await screen.findByRole('button', { name: 'Activity: 2 operations under way' });
  expect(button.parentElement?.textContent).toBe('2');
});

test('the button shows how many have failed since the panel was last open, also after a reload [DECISIONS §8]', async () => {
  const failure = (minute: number) =>
    makeOperation({ state: 'failed', cancellable: false, finishedOnUtc: `2026-03-04T10:0${minute}:00.000Z` });
  const shown = [makeOperation(), failure(2), failure(1)];
  const { user, unmount } = renderActivity(...shown);
  const button = await screen.findByRole('button', { name: 'Activity: one operation under way, 2 have failed' });
  expect(button.parentElement?.textContent).toBe('2');
  await user.click(button);
  await screen.findByRole('complementary', { name: 'Activity' });
  await user.click(screen.getByRole('button', { name: 'Activity: one operation under way' }));
  screen.getByRole('button', { name: 'Activity: one operation under way' });
  unmount();
  renderActivity(failure(3), ...shown);
  await screen.findByRole('button', { name: 'Activity: one operation under way, one has failed' });
});

test('a running operation shows its name, progress, user and duration [DECISIONS §8]', async () => {
  const { panel } = await openPanel(makeOperation({ copiedFrom: 'ACME', databaseName: 'TRAINING' }));
  const item = within(within(panel).getByRole('listitem'));
  item.getByText('Clone of ACME as TRAINING');
  item.getByText('Running');
  item.getByText('Copying the files');
  item.getByText('Step 2 of 3');
  item.getByText('12 s of about 40 s');
  expect(item.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
  item.getByText(/^ada, \d{4}-/);
  expect(item.queryByText(/sign of life/)).toBeNull();
});

test('an ended operation shows its result and duration [DECISIONS §8]', async () => {
  const message = 'The disk is full.';
  const { panel } = await openPanel(makeOperation({ kind: 'backup', state: 'failed', message, cancellable: false }));
  const item = within(within(panel).getByRole('listitem'));
  item.getByText('Backup of TRAINING');
  item.getByText('Failed');
  item.getByText(message);
  item.getByText(/· took 12 s$/);
  expect(item.queryByRole('progressbar')).toBeNull();
});

test('an operation of a kind that only another version of the server knows is shown, and can be tried [DECISIONS §8]', async () => {
  const { panel } = await openPanel(makeOperation({ kind: 'later', copiedFrom: null, databaseName: 'TRAINING' }));
  const item = within(within(panel).getByRole('listitem'));
  item.getByText('Work on TRAINING');
  item.getByRole('button', { name: 'Cancel: Work on TRAINING' });
});

test('an operation on the database of a tenant leads to its page, whatever name this or another one had then [§2.24]', async () => {
  const database = makeDatabase({ databaseName: 'SCHOOL', tenantCode: 'A/B' });
  server.use(onRoute(databaseRoutes.list, () => ok([database])));
  const own = makeOperation({ kind: 'backup', databaseId: database.id });
  const { panel } = await openPanel(own, makeOperation({ databaseName: 'SCHOOL' }));
  const link = await within(panel).findByRole('link', { name: 'Backup of TRAINING' });
  expect(link.getAttribute('href')).toBe('/tenants/A%2FB');
  expect(within(panel).getAllByRole('link')).toHaveLength(1);
});

test('on a phone, where the panel covers the page, it makes room for what a link in it leads to [§2.24]', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const content = Object.assign(document.createElement('main'), { id: 'content', tabIndex: -1 });
  document.body.append(content);
  onTestFinished(() => {
    content.remove();
    vi.unstubAllGlobals();
  });
  const database = makeDatabase({ tenantCode: 'ACME' });
  server.use(onRoute(databaseRoutes.list, () => ok([database])));
  const { panel, user } = await openPanel(makeOperation({ kind: 'backup', databaseId: database.id }));
  await user.click(await within(panel).findByRole('link', { name: 'Backup of TRAINING' }));
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Activity' })).toBeNull());
  expect(document.activeElement).toBe(content);
});

test('a change of many is told in Spanish, as to how many too [DECISIONS §13]', async () => {
  await openPanel(makeOperation({ kind: 'bulk-tenants', databaseName: '2 tenants', copiedFrom: null }));
  await act(() => setLanguage('es'));
  onTestFinished(() => act(() => setLanguage('en')));
  await screen.findByText('Cambio de 2 inquilinos');
});

test('tenants are named no more once the list of their databases is refused [DECISIONS §5]', async () => {
  const database = makeDatabase({ databaseName: 'TRAINING', tenantCode: 'A/B' });
  server.use(onRoute(databaseRoutes.list, () => ok([database])));
  const { panel, store } = await openPanel(makeOperation({ kind: 'backup', databaseId: database.id }));
  await within(panel).findByRole('link', { name: 'Backup of TRAINING' });
  server.use(onRoute(databaseRoutes.list, () => failed(403, "You need the permission 'databases.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Databases'])));
  await waitFor(() => expect(within(panel).queryByRole('link')).toBeNull());
  within(panel).getByText('Backup of TRAINING');
});

test.each([
  [14, false],
  [20, true],
])('after %i s of silence: %s [DECISIONS §8]', async (seconds, isTold) => {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const heartbeatOnUtc = new Date(now - seconds * 1000).toISOString();
  const { panel } = await openPanel(makeOperation({ heartbeatOnUtc }));
  expect(within(panel).queryByText(`No sign of life for ${seconds} s`) !== null).toBe(isTold);
});

test('Cancel cancels the operation [DECISIONS §8]', async () => {
  const running = makeOperation({ copiedFrom: 'ACME', databaseName: 'TRAINING' });
  const cancelled: (string | null)[] = [];
  server.use(
    onRoute(operationRoutes.cancel, ({ request }) => {
      cancelled.push(new URL(request.url).searchParams.get('id'));
      operations = [{ ...running, cancelRequested: true }];
      return ok({ operationId: running.id });
    }),
  );
  const { user } = await openPanel(running);
  await user.click(screen.getByRole('button', { name: 'Cancel: Clone of ACME as TRAINING' }));
  await screen.findByText('Cancelling …');
  expect(cancelled).toEqual([running.id]);
});

test('an operation that can no longer be cancelled has no Cancel button [DECISIONS §8]', async () => {
  const { panel } = await openPanel(makeOperation({ cancellable: false }));
  expect(within(within(panel).getByRole('listitem')).queryByRole('button')).toBeNull();
});

test.each(['failed', 'cancelled'] as const)('one that was %s can be retried [DECISIONS §8]', async (state) => {
  const ended = makeOperation({ state });
  server.use(
    onRoute(operationRoutes.retry, () => {
      operations = [makeOperation(), ended];
      return ok({ operationId: 'again' });
    }),
  );
  const { user } = await openPanel(ended);
  await user.click(screen.getByRole('button', { name: 'Retry: Clone of ACME as TRAINING' }));
  await screen.findByText('Running');
});

test('a refused Retry says why [§8]', async () => {
  server.use(onRoute(operationRoutes.retry, () => failed(409, 'ACME is being backed up (started by bob).')));
  const { user } = await openPanel(makeOperation({ state: 'failed' }));
  await user.click(screen.getByRole('button', { name: /^Retry/ }));
  await screen.findByText('ACME is being backed up (started by bob).');
});

test('a refused Cancel says why, and shows that the operation has ended [§8]', async () => {
  const running = makeOperation({ copiedFrom: 'ACME', databaseName: 'TRAINING' });
  server.use(
    onRoute(operationRoutes.cancel, () => {
      operations = [{ ...running, state: 'succeeded', cancellable: false }];
      return failed(409, 'The operation has ended.');
    }),
  );
  const { panel, user } = await openPanel(running);
  await user.click(screen.getByRole('button', { name: 'Cancel: Clone of ACME as TRAINING' }));
  await screen.findByText('The operation has ended.');
  await within(panel).findByText('Succeeded');
});

/** The button of the operation at a place in the panel, from 0: what a pointer that does not move has under it. */
const buttonAt = (place: number) => {
  const item = screen.getAllByRole('listitem')[place];
  if (!item) throw new Error(`There is no operation at ${place}.`);
  return within(item).getByRole('button');
};

const shownTitles = () => screen.getAllByRole('listitem').map((item) => item.querySelector('strong')?.textContent);

/** The pointer and the focus leave the list. */
const leave = (user: Awaited<ReturnType<typeof openPanel>>['user']) =>
  user.click(screen.getByRole('heading', { name: 'Activity' }));

test('a second click at the place of a Cancel does nothing, neither to another operation nor to the same [§2.20]', async () => {
  const named = (databaseName: string) => makeOperation({ kind: 'backup', databaseName });
  const [first, second] = [named('FIRST'), named('SECOND')];
  const asked: string[] = [];
  const idIn = (request: Request) => new URL(request.url).searchParams.get('id') ?? '';
  server.use(
    onRoute(operationRoutes.cancel, ({ request }) => {
      asked.push(`cancel ${idIn(request)}`);
      // What has ended comes after what runs.
      operations = [second, { ...first, state: 'cancelled', cancellable: false }];
      return ok({ operationId: idIn(request) });
    }),
    onRoute(operationRoutes.retry, ({ request }) => {
      asked.push(`retry ${idIn(request)}`);
      return ok({ operationId: 'again' });
    }),
  );
  const { panel, user } = await openPanel(first, second);
  await user.click(buttonAt(0));
  await within(panel).findByText('Cancelled');
  expect(document.activeElement).toBe(buttonAt(0));
  await user.click(buttonAt(0));
  await user.keyboard('{Enter}');
  expect(shownTitles()).toEqual(['Backup of FIRST', 'Backup of SECOND']);
  // Who stays there, by keyboard or on a phone, gets it all the same, once no second click can be meant for Cancel.
  await pass(2_000);
  within(panel).getByRole('button', { name: 'Retry: Backup of FIRST' });
  expect(document.activeElement).toBe(buttonAt(0));
  await leave(user);
  expect(shownTitles()).toEqual(['Backup of SECOND', 'Backup of FIRST']);
  await user.click(screen.getByRole('button', { name: 'Retry: Backup of FIRST' }));
  await waitFor(() => expect(asked).toEqual([`cancel ${first.id}`, `retry ${first.id}`]));
});

test('a second click at the place of a Retry begins nothing more; what was begun comes at the end meanwhile [§2.20]', async () => {
  const failure = (databaseName: string) => makeOperation({ kind: 'backup', databaseName, state: 'failed' });
  const shown = [failure('FIRST'), failure('SECOND')];
  const retried: (string | null)[] = [];
  server.use(
    onRoute(operationRoutes.retry, ({ request }) => {
      retried.push(new URL(request.url).searchParams.get('id'));
      operations = [failure('THIRD'), makeOperation({ kind: 'backup', databaseName: 'FIRST' }), ...shown];
      return ok({ operationId: 'again' });
    }),
  );
  const { panel, user } = await openPanel(...shown);
  await user.click(buttonAt(0));
  await within(panel).findByText('Running');
  await user.click(buttonAt(0));
  const names = (...databases: string[]) => databases.map((name) => `Backup of ${name}`);
  expect(shownTitles()).toEqual(names('FIRST', 'SECOND', 'THIRD', 'FIRST'));
  await leave(user);
  expect(shownTitles()).toEqual(names('THIRD', 'FIRST', 'FIRST', 'SECOND'));
  await user.click(screen.getByRole('button', { name: 'Retry: Backup of SECOND' }));
  await waitFor(() => expect(retried).toEqual(shown.map(({ id }) => id)));
});

test('under the pointer an operation keeps its height, and its place when the server lists it no more [§2.20]', async () => {
  const height = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 120));
  onTestFinished(() => height.mockRestore());
  const failure = makeOperation({ kind: 'backup', databaseName: 'FIRST', state: 'failed' });
  const { panel, user } = await openPanel(failure, makeOperation({ state: 'failed' }));
  const heights = () => screen.getAllByRole('listitem').map(({ style }) => style.minHeight);
  expect(heights()).toEqual(['', '']);
  await user.hover(buttonAt(0));
  operations = operations.slice(1);
  await pass(20_500);
  await within(panel).findByText('Not listed');
  expect(heights()).toEqual(['120px', '120px']);
  expect([0, 1].map((place) => buttonAt(place).getAttribute('aria-disabled'))).toEqual(['true', null]);
  await leave(user);
  expect(shownTitles()).toEqual(['Clone of ACME as TRAINING']);
  expect(heights()).toEqual(['']);
});

test('an operation shorter than a second says that it took less than a second [DECISIONS §8]', async () => {
  const { panel } = await openPanel(makeOperation({ state: 'succeeded', elapsedSeconds: 0.2 }));
  within(panel).getByText(/· took less than a second$/);
});

test('an empty panel says that there are no operations [DECISIONS §8]', async () => {
  await openPanel();
  await screen.findByText('Nothing has been done yet');
});

test('the panel says that it is loading, and why a load failed [§8]', async () => {
  let fail = () => {};
  const answer = new Promise<HttpResponse<null>>((resolve) => {
    fail = () => resolve(failed(503, 'The database cannot be reached.') as HttpResponse<null>);
  });
  server.use(onRoute(operationRoutes.list, () => answer));
  const { panel, user } = await openPanel();
  within(panel).getByText('Loading the activity');
  fail();
  await within(panel).findByText('The database cannot be reached.');
  server.use(listOperations);
  await user.click(within(panel).getByRole('button', { name: 'Retry' }));
  await within(panel).findByText('Nothing has been done yet');
  expect(within(panel).queryByRole('alert')).toBeNull();
});

test('Escape closes the panel and gives the focus back [DECISIONS §8]', async () => {
  const { panel, user } = await openPanel();
  expect(document.activeElement).toBe(panel);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Activity' }));
});

test('the list is loaded every 2 s while an operation runs, else every 20 s [DECISIONS §8]', async () => {
  renderActivity();
  await screen.findByRole('button', { name: 'Activity' });
  await waitFor(() => expect(loads).toBe(1));
  await pass(15_000);
  expect(loads).toBe(1);
  operations = [makeOperation()];
  await pass(6_000);
  await screen.findByRole('button', { name: 'Activity: one operation under way' });
  const before = loads;
  await pass(2_100);
  await waitFor(() => expect(loads).toBeGreaterThan(before));
});

/** Lists beside that of databases, with how often each was loaded. */
function OtherLists() {
  useListUsersQuery({ sortColumn: 'userName', sortDirection: 'asc' });
  useListFaqsQuery();
  useListTenantPermissionsQuery({ tenantId: 'cedar' });
  return null;
}

test('an import or a change of many that another tab has begun refreshes what it changes [§2.21] [§2.25]', async () => {
  const loaded: string[] = [];
  const counted = (route: ContractRoute) =>
    onRoute(route, () => {
      loaded.push(route.path);
      return ok([]);
    });
  server.use(...[userRoutes.list, faqRoutes.list, tenantPermissionRoutes.list].map(counted));
  const running = makeOperation({ kind: 'import-users' });
  operations = [running];
  renderWithStore(
    <>
      <Activity />
      <OtherLists />
    </>,
  );
  await screen.findByRole('button', { name: /one operation/ });
  await waitFor(() => expect(loaded).toHaveLength(3));
  const each = loaded.splice(0).toSorted();
  operations = [{ ...running, state: 'succeeded' }];
  await pass(2_100);
  await waitFor(() => expect(loaded.toSorted()).toEqual(each));
});

test.each([
  ['', true],
  [', and that the server no longer shows,', false],
])('an operation that another user has ended%s refreshes the lists [DECISIONS §8]', async (_how, isShown) => {
  const running = makeOperation();
  renderActivity(running);
  await screen.findByText('AFTER 1');
  await screen.findByRole('button', { name: /one operation/ });
  operations = isShown ? [{ ...running, state: 'succeeded' }] : [];
  await pass(2_100);
  await screen.findByText('AFTER 2');
  await pass(20_500);
  await waitFor(() => expect(loads).toBeGreaterThanOrEqual(3));
  expect(listLoads).toBe(2);
});

test('the panel does not ask for databases that the user may not read [DECISIONS §5, §12]', async () => {
  const asked = vi.fn(() => failed(403, 'The permission databases.read is missing.'));
  const answered = vi.fn(() => ok({ permissions: ['dashboard.read'], grantedBy: [] }));
  server.use(onRoute(databaseRoutes.list, asked), onRoute(accountRoutes.rights, answered));
  operations = [makeOperation({ databaseName: 'ACME' })];
  const { user } = renderWithStore(
    <RightsProvider>
      <Activity />
      <Told />
    </RightsProvider>,
  );
  await screen.findByText('may not');
  await user.click(await screen.findByRole('button', { name: /^Activity/ }));
  expect(await screen.findByText(/ACME/)).toBeTruthy();
  await pass(60_000);
  expect(asked).not.toHaveBeenCalled();
});

/** Whether the rights are known. */
function Told() {
  return <p>{useRefusal()(databaseRoutes.list) === undefined ? 'may' : 'may not'}</p>;
}
