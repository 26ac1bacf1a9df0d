import type { BulkPlan, BulkReport } from '@apotheca/contract/bulks';
import { tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { userBulkRoutes } from '@apotheca/contract/user-bulks';
import { userRoutes } from '@apotheca/contract/users';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { notify } from '../components/toast/toast.tsx';
import { addDays } from '../lib/expiry.ts';
import { utcDay } from '../lib/moment.ts';
import { field, fill, findField, optionsOf } from '../testing/fields.ts';
import { isChanging } from '../testing/mutations.ts';
import { renderWithStore } from '../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { USER_OPTIONS } from '../testing/users.ts';
import { loadRuntimeConfig } from '../transport/runtime-config.ts';
import { BULK_ACTIONS, type BulkAction } from './bulk-actions.ts';
import { BulkModal } from './bulk-modal.tsx';

const PLAN: BulkPlan = { id: 'b2', counts: { change: 2, same: 0, refused: 0 }, rows: [], digest: 'digest-1' };
const row = { line: 1, changes: [], reasons: [] };
const REPORT: BulkReport<{ action: string; subscriptionEndDate: string }> = {
  id: 'b1',
  operationId: '00000000-0000-4000-8000-000000000009',
  asked: { action: 'extend', subscriptionEndDate: '2031-12-31' },
  startedBy: 'ada',
  startedOnUtc: '2026-03-04T09:30:00.000Z',
  state: 'succeeded',
  counts: { changed: 1, same: 0, refused: 1, waiting: 0 },
  rows: [
    { ...row, id: 't1', record: 'CEDAR', result: 'changed' },
    { ...row, id: 't2', record: 'BIRCH', result: 'refused' },
  ],
};

mockServer(
  onRoute(tenantBulkRoutes.plan, () => failed(503, 'The database cannot be reached.')),
  onRoute(tenantBulkRoutes.report, () => ok(REPORT)),
);

/** Opens 'Extend' for two tenants, or the report of one that was done. */
function renderExtend(report?: string) {
  const action = BULK_ACTIONS.tenants.find(({ name }) => name === 'extend');
  if (!action) throw new Error('Tenants cannot be extended');
  const of = report === undefined ? { ids: ['t1', 't2'] } : { ids: [], report };
  return renderWithStore(<BulkModal show what="tenants" action={action} {...of} onClose={vi.fn()} />);
}

const findButton = (name: string) => screen.findByRole('button', { name });

test('what is typed stays when nothing could be planned, and Retry sends what is there now [§2.25]', async () => {
  const { user } = renderExtend();
  fill('Expiry Date', '2031-12-31');
  await user.click(await findButton('Continue'));
  const retry = await findButton('Retry');
  expect(field('Expiry Date').value).toBe('2031-12-31');
  const planned = keepBodies(tenantBulkRoutes.plan, 'OK', PLAN);
  fill('Expiry Date', '2032-12-31');
  await user.click(retry);
  await findButton('Extend 2 tenants');
  expect(planned).toEqual([{ action: 'extend', ids: ['t1', 't2'], subscriptionEndDate: '2032-12-31' }]);
});

test('each step leaves the focus in the dialog [§2.20] [§2.25]', async () => {
  const { user } = renderExtend();
  const dialog = screen.getByRole('dialog');
  fill('Expiry Date', '2031-12-31');
  (await findButton('Continue')).focus();
  await user.keyboard('{Enter}');
  const retry = await findButton('Retry');
  expect(document.activeElement).toBe(dialog);
  server.use(onRoute(tenantBulkRoutes.plan, () => ok(PLAN)));
  retry.focus();
  await user.keyboard('{Enter}');
  await findButton('Extend 2 tenants');
  expect(document.activeElement).toBe(dialog);
});

test('the report leaves the focus in the dialog where those that failed are tried again [§2.20] [§2.25]', async () => {
  server.use(onRoute(tenantBulkRoutes.plan, () => ok(PLAN)));
  const { user } = renderExtend('b1');
  (await findButton('Retry the one that is not done')).focus();
  await user.keyboard('{Enter}');
  await findButton('Extend 2 tenants');
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
});

test('before users are deactivated it says that their API keys do not come back [§2.25]', async () => {
  server.use(onRoute(userBulkRoutes.plan, () => ok(PLAN)));
  const action = BULK_ACTIONS.users.find(({ name }) => name === 'deactivate');
  if (!action) throw new Error('Users cannot be deactivated');
  renderWithStore(<BulkModal show what="users" action={action} ids={['u1', 'u2']} onClose={vi.fn()} />);
  await screen.findByText(
    'Deactivated users are signed out everywhere and cannot sign in until they are activated again. Their API keys end for good.',
  );
});

test('a plan that fails after the dialog was closed is told of no more [§2.25]', async () => {
  const error = vi.spyOn(notify, 'error');
  onTestFinished(() => error.mockRestore());
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantBulkRoutes.plan, async () => {
      await answer.promise;
      return failed(503, 'The database cannot be reached.');
    }),
  );
  const action = BULK_ACTIONS.tenants.find(({ field }) => field === undefined);
  if (!action) throw new Error('No action on tenants is planned at once');
  function Page() {
    const [show, setShow] = useState(true);
    return (
      <BulkModal show={show} what="tenants" action={action as BulkAction} ids={['t1']} onClose={() => setShow(false)} />
    );
  }
  const { user, store } = renderWithStore(<Page />);
  await screen.findByText('Looking at what this would do');
  await user.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer.resolve();
  await waitFor(() => expect(isChanging(store)).toBe(false));
  expect(error).not.toHaveBeenCalled();
});

test('the button that does it stands where it will be while the plan is read, and after a failure, so Close is not there [§2.20] [§2.25]', async () => {
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantBulkRoutes.plan, async () => {
      await answer.promise;
      return failed(503, 'Away.');
    }),
  );
  const action = BULK_ACTIONS.tenants.find(({ name }) => name === 'deactivate');
  if (!action) throw new Error('Tenants cannot be deactivated');
  const { user } = renderWithStore(
    <BulkModal show what="tenants" action={action} ids={['t1', 't2']} onClose={vi.fn()} />,
  );
  const dialog = within(screen.getByRole('dialog'));
  const last = () => dialog.getAllByRole<HTMLButtonElement>('button').at(-1);
  dialog.getByText('Looking at what this would do');
  expect([last()?.textContent, last()?.disabled]).toEqual(['Deactivate 2 tenants', true]);
  answer.resolve();
  const retry = await findButton('Retry');
  expect([last()?.textContent, last()?.disabled]).toEqual(['Deactivate 2 tenants', true]);
  server.use(onRoute(tenantBulkRoutes.plan, () => ok(PLAN)));
  await user.click(retry);
  await waitFor(() => expect(last()?.disabled).toBe(false));
  expect(last()?.textContent).toBe('Deactivate 2 tenants');
});

test('what is refused stands at the field with what was typed [§2.25]', async () => {
  const message = 'Expiry Date must be a date';
  server.use(onRoute(tenantBulkRoutes.plan, () => failed(400, message, { subscriptionEndDate: [message] })));
  const { user } = renderExtend();
  fill('Expiry Date', '2031-12-31');
  await user.click(await findButton('Continue'));
  await screen.findByText(message);
  expect(field('Expiry Date').value).toBe('2031-12-31');
  await waitFor(() => expect(document.activeElement).toBe(field('Expiry Date')));
});

test('a day before today is refused at the field, and nothing is sent [§2.25]', async () => {
  const { user } = renderExtend();
  const planned = keepBodies(tenantBulkRoutes.plan, 'OK', PLAN);
  fill('Expiry Date', addDays(utcDay(), -1));
  await user.click(await findButton('Continue'));
  await screen.findByText('Expiry Date must not be before today');
  await waitFor(() => expect(document.activeElement).toBe(field('Expiry Date')));
  // The same once more.
  await user.click(await findButton('Continue'));
  await waitFor(() => expect(document.activeElement).toBe(field('Expiry Date')));
  expect(planned).toEqual([]);
  fill('Expiry Date', utcDay());
  await user.click(await findButton('Continue'));
  await findButton('Extend 2 tenants');
});

test('closing the dialog asks first once a day is typed [§4] [§2.25]', async () => {
  const { user } = renderExtend();
  await findField('Expiry Date');
  const question = () => screen.queryByText('Discard changes?');
  fill('Expiry Date', '2031-12-31');
  await user.keyboard('{Escape}');
  await screen.findByText('Discard changes?');
  await user.click(await findButton('Keep editing'));
  expect(question()).toBeNull();
  await user.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  await screen.findByText('Discard changes?');
});

test('roles that could not be loaded are said to be, and can be loaded again [§2.25]', async () => {
  server.use(onRoute(userRoutes.options, () => failed(503, 'Away.')));
  const action = BULK_ACTIONS.users.find(({ name }) => name === 'assign-role');
  if (!action) throw new Error('Users cannot be given a role');
  const { user } = renderWithStore(<BulkModal show what="users" action={action} ids={['u1']} onClose={vi.fn()} />);
  await screen.findByText('Away.');
  server.use(onRoute(userRoutes.options, () => ok(USER_OPTIONS)));
  await user.click(await findButton('Retry'));
  await findField('Access Role');
  expect(optionsOf('Access Role')).toContain('Viewer');
});

test('those that failed are planned again with the value that was asked for, after a failure too [§2.25]', async () => {
  const { user } = renderExtend(REPORT.id);
  await user.click(await findButton('Retry the one that is not done'));
  expect((await findField('Expiry Date')).value).toBe('2031-12-31');
  const planned = keepBodies(tenantBulkRoutes.plan, 'OK', PLAN);
  await user.click(await findButton('Continue'));
  await waitFor(() => expect(planned).toEqual([{ action: 'extend', ids: ['t2'], subscriptionEndDate: '2031-12-31' }]));
});

test('the report of one that runs goes on after it could not be loaded once, until it ends [§2.25]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  let loads = 0;
  const answer = (reply: () => ReturnType<typeof ok>) =>
    server.use(
      onRoute(tenantBulkRoutes.report, () => {
        loads += 1;
        return reply();
      }),
    );
  answer(() => ok({ ...REPORT, state: 'running' }));
  renderExtend(REPORT.id);
  const running = await screen.findByText('Running');
  const links = () => [...document.querySelectorAll('.bulk-links .btn')].map(({ textContent }) => textContent);
  expect(links()).toEqual(['Download results']);
  // Counts that change with each poll are not read out, those of the end are.
  expect(running.closest('[role=status]')?.textContent).toMatch(/Running $/);
  answer(() => failed(503, 'Away.'));
  await pass(2_000);
  await screen.findByText('Away.');
  answer(() => ok(REPORT));
  await pass(2_000);
  const succeeded = await screen.findByText('Succeeded');
  expect(succeeded.closest('[role=status]')?.textContent).toMatch(/Succeeded .*\.$/);
  // What comes at the end takes no button's place under the pointer.
  expect(links()).toEqual(['Download results', 'Retry the one that is not done']);
  const before = loads;
  await pass(10_000);
  expect(loads).toBe(before);
});

test('the report of one that runs asks for what has ended since, and for all of it at the end [§2.25]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const rowOf = (line: number, result: 'changed' | 'refused' | 'waiting') => {
    return { ...row, line, id: `t${line}`, record: `TENANT-${line}`, result };
  };
  const reportOf = (changed: number, rows: object[], state = 'running') =>
    ok({ ...REPORT, state, counts: { changed, same: 0, refused: 0, waiting: 3 - changed }, rows });
  const asked: (string | null)[] = [];
  const answer = (reply: () => ReturnType<typeof ok>) =>
    server.use(
      onRoute(tenantBulkRoutes.report, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('fromLine'));
        return reply();
      }),
    );
  const shown = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  answer(() => reportOf(1, [rowOf(1, 'changed'), rowOf(2, 'waiting'), rowOf(3, 'waiting')]));
  renderExtend(REPORT.id);
  await screen.findByText('Running');
  expect(shown()).toEqual(['TENANT-1Done', 'TENANT-2Not done', 'TENANT-3Not done']);
  answer(() => reportOf(2, [rowOf(2, 'changed')]));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  await waitFor(() => expect(shown()).toEqual(['TENANT-1Done', 'TENANT-2Done', 'TENANT-3Not done']));
  expect(screen.getByText(/^2 /)).toBeTruthy();
  const all = [rowOf(1, 'changed'), rowOf(2, 'changed'), rowOf(3, 'changed')];
  answer(() => reportOf(3, asked.at(-1) === null ? all : [], 'succeeded'));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  await screen.findByText('Succeeded');
  expect(shown()).toEqual(['TENANT-1Done', 'TENANT-2Done', 'TENANT-3Done']);
  expect(asked).toEqual([null, '2', '3', null]);
});

test('all are shown once none is left of those that were chosen [§2.25]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [first, second] = REPORT.rows.map((one) => ({ ...one, result: 'changed' as const }));
  const waiting = { ...REPORT, state: 'running' as const, rows: [first, { ...second, result: 'waiting' as const }] };
  server.use(onRoute(tenantBulkRoutes.report, () => ok(waiting)));
  const { user } = renderExtend(REPORT.id);
  await user.selectOptions(await screen.findByLabelText('Show'), 'Not done: 1');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  server.use(onRoute(tenantBulkRoutes.report, () => ok({ ...REPORT, rows: [first, second] })));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  await screen.findByText('Succeeded');
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

test('a report that is not there is said to be missing, and not asked for again [§2.25]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let loads = 0;
  server.use(
    onRoute(tenantBulkRoutes.report, () => {
      loads += 1;
      return ok(null);
    }),
  );
  renderExtend(REPORT.id);
  await screen.findByText('There is no report of this change.');
  expect(screen.queryByText('Loading what became of each')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(loads).toBe(1);
});

/** What the server says of tenants that are deactivated. */
async function configure(mode?: 'flag' | 'enforce'): Promise<void> {
  const suspension = mode && { mode, graceDays: 14, readOnlyDays: 14 };
  const config = { appApiBaseUrl: '/api', authApiBaseUrl: '/identity', suspension };
  server.use(http.get('/config.json', () => HttpResponse.json(config)));
  await loadRuntimeConfig();
}

test.each(['flag', 'enforce'] as const)(
  'with %s it is said whether databases are closed [DECISIONS §13]',
  async (mode) => {
    onTestFinished(() => configure());
    await configure(mode);
    server.use(onRoute(tenantBulkRoutes.plan, () => ok(PLAN)));
    const action = BULK_ACTIONS.tenants.find(({ name }) => name === 'deactivate');
    if (!action) throw new Error('Tenants cannot be deactivated');
    renderWithStore(<BulkModal show what="tenants" action={action} ids={['t1', 't2']} onClose={vi.fn()} />);
    await findButton('Deactivate 2 tenants');
    const warning = screen.queryByText(/^The databases of deactivated tenants are closed/);
    expect(warning !== null).toBe(mode === 'enforce');
  },
);
