import { accountRoutes } from '@apotheca/contract/account';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { type Finding, findingRoutes } from '@apotheca/contract/findings';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { api } from '../../api/http/client.ts';
import { notify } from '../../components/toast/toast.tsx';
import { addDays } from '../../lib/expiry.ts';
import { keepListsFresh } from '../../lists/list-freshness.ts';
import { RightsProvider } from '../../rights/rights.tsx';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { useTopBarRequest } from '../navigation/top-bar.ts';
import { DashboardPage } from './dashboard-page.tsx';

/** A day in UTC, as the server counts them. */
const inDays = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);
const record = (name: string, fields: { id?: string; tenantCode?: null } = {}) => ({
  id: name,
  name,
  tenantCode: name,
  detail: '',
  at: null,
  ...fields,
});
const NO_BACKUP: Finding = { kind: 'no-backup', count: 7, snoozed: 0, first: [record('ALDER')] };

mockServer(onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1204, tenants: 38, databases: 0 }])));

/** The texts of the page's notices; toasts may show the same texts. */
const notices = () => [...document.querySelectorAll('.notice[role=alert]')].map((notice) => notice.textContent);
const box = (name: string) => within(screen.getByRole('article', { name }));

describe('dashboard', () => {
  it.each([
    ['User Registrations', '1,204', '/users'],
    ['Tenants', '38', '/tenants'],
    ['Databases', '0', '/database'],
  ])('box %s shows its count and leads to the list [§2.5]', async (name, count, href) => {
    renderWithStore(<DashboardPage />);
    expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeDefined();
    expect(await screen.findByText('1,204')).toBeDefined();
    expect(box(name).getByText(count)).toBeDefined();
    expect(box(name).getByRole('link', { name: 'More info' }).getAttribute('href')).toBe(href);
  });

  it('shows skeletons, not zeros, while it loads [§2.5]', async () => {
    const { container } = renderWithStore(<DashboardPage />);
    expect(screen.getByRole('region', { name: 'Counts' }).getAttribute('aria-busy')).toBe('true');
    expect(container.querySelectorAll('.count-box .skeleton')).toHaveLength(3);
    expect(container.querySelector('.count-box-count')).toBeNull();
    expect(await screen.findByText('1,204')).toBeDefined();
    expect(screen.getByRole('region', { name: 'Counts' }).getAttribute('aria-busy')).toBe('false');
  });

  it('loads its counts and curves anew when the window gets the focus [§2.5]', async () => {
    const { store } = renderWithStore(<DashboardPage />);
    onTestFinished(keepListsFresh(store.dispatch));
    await screen.findByText('1,204');
    const grown = vi.fn(() => ok([{ day: '2026-01-01', tenants: 0, users: 1, sizeBytes: 0 }]));
    server.use(
      onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1300, tenants: 38, databases: 0 }])),
      onRoute(findingRoutes.growth, grown),
    );
    fireEvent.focus(window);
    await screen.findByText('1,300');
    await waitFor(() => expect(grown).toHaveBeenCalled());
  });

  it('says when the counts could not be loaded, and Retry loads them [§2.5]', async () => {
    const toast = vi.spyOn(notify, 'error');
    server.use(onRoute(dashboardRoutes.getCounts, () => failed(503, 'Database away')));
    const { user } = renderWithStore(<DashboardPage />);
    await waitFor(() => expect(notices()).toEqual(['Database awayRetry']));
    expect(toast.mock.calls).toEqual([['Database away']]);
    server.use(onRoute(dashboardRoutes.getCounts, () => ok([{ users: 7, tenants: 8, databases: 9 }])));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('7')).toBeDefined();
    expect(notices()).toEqual([]);
  });

  it('keeps what is loaded when a reload fails, and says so [§2.5, §8]', async () => {
    server.use(onRoute(findingRoutes.list, () => ok([NO_BACKUP])));
    const { store } = renderWithStore(<DashboardPage />);
    await screen.findByText('1,204');
    await screen.findByText('ALDER');
    server.use(
      onRoute(dashboardRoutes.getCounts, () => failed(503, 'Database away')),
      onRoute(findingRoutes.list, () => failed(503, 'Busy')),
    );
    store.dispatch(api.util.invalidateTags(['Dashboard', 'Findings']));
    await waitFor(() => expect(notices()).toEqual(['Database awayRetry', 'BusyRetry']));
    expect(screen.getByText('1,204')).toBeDefined();
    expect(screen.getByText('ALDER')).toBeDefined();
  });
});

describe('what is refused', () => {
  const REFUSED = 'The permission dashboard.read is missing.';
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  beforeEach(() => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    });
  });
  afterEach(() => void vi.useRealTimers());

  it('is not asked for again and again: each refusal stays in the audit trail [DECISIONS §5, §12]', async () => {
    const toast = vi.spyOn(notify, 'error');
    const asked = vi.fn(() => failed(403, REFUSED));
    server.use(onRoute(findingRoutes.list, asked));
    renderWithStore(<DashboardPage />);
    await waitFor(() => expect(notices()).toEqual([`${REFUSED}Retry`]));
    await pass(300_000);
    expect(asked).toHaveBeenCalledOnce();
    expect(toast.mock.calls).toEqual([[REFUSED]]);
    expect(notices()).toEqual([`${REFUSED}Retry`]);
  });

  it('is asked for again once the user may have it [DECISIONS §5]', async () => {
    const asked = vi.fn(() => failed(403, REFUSED));
    const answerRights = (...permissions: string[]) =>
      server.use(onRoute(accountRoutes.rights, () => ok({ permissions, grantedBy: [] })));
    server.use(onRoute(findingRoutes.list, asked));
    answerRights('databases.read');
    const { store } = renderWithStore(
      <RightsProvider>
        <DashboardPage />
      </RightsProvider>,
    );
    await waitFor(() => expect(notices()).toEqual([`${REFUSED}Retry`]));
    await pass(300_000);
    expect(asked).toHaveBeenCalledOnce();
    server.use(onRoute(findingRoutes.list, () => ok([NO_BACKUP])));
    answerRights('dashboard.read');
    store.dispatch(api.util.invalidateTags(['Roles']));
    await pass(60_000);
    expect(await screen.findByText('ALDER')).toBeDefined();
    expect(notices()).toEqual([]);
    const polled = vi.fn(() => ok([]));
    server.use(onRoute(findingRoutes.list, polled));
    await pass(31_000);
    expect(polled).toHaveBeenCalled();
  });

  it('is not shown any more [DECISIONS §5]', async () => {
    server.use(onRoute(findingRoutes.list, () => ok([NO_BACKUP])));
    const { store, container } = renderWithStore(<DashboardPage />);
    await screen.findByText('1,204');
    await screen.findByText('ALDER');
    await waitFor(() => expect(container.querySelector('.growth-curves')).not.toBeNull());
    for (const call of [dashboardRoutes.getCounts, findingRoutes.list, findingRoutes.growth])
      server.use(onRoute(call, () => failed(403, REFUSED)));
    store.dispatch(api.util.invalidateTags(['Dashboard', 'Findings']));
    await waitFor(() => expect(notices()).toHaveLength(3));
    expect(screen.queryByText('1,204')).toBeNull();
    expect(screen.queryByText('ALDER')).toBeNull();
    expect(container.querySelector('.growth-curves')).toBeNull();
  });
});

describe('what needs attention', () => {
  it('stands in groups, with counts, and leads to the records and to exactly those of the kind [§2.5] [DECISIONS §13]', async () => {
    const ended = { ...record('NORTH'), at: `${inDays(-8)}T00:00:00Z` };
    server.use(
      onRoute(findingRoutes.list, () =>
        ok([
          { kind: 'disk-full', count: 1, snoozed: 0, first: [record('Disk of the backups', { tenantCode: null })] },
          NO_BACKUP,
          { kind: 'expired', count: 1, snoozed: 2, first: [ended] },
          {
            kind: 'blocked-sign-in',
            count: 4,
            snoozed: 0,
            first: [
              record('jane', { id: 'account:17', tenantCode: null }),
              record('A name that nobody has', { id: 'name:5f1d', tenantCode: null }),
              record('10.0.0.7', { id: 'link-use address:10.0.0.7', tenantCode: null }),
              record('2001:db8::/64', { id: 'address:2001:db8::/64', tenantCode: null }),
            ],
          },
          { kind: 'no-owner', count: 1, snoozed: 0, first: [record('SPARE', { tenantCode: null })] },
        ]),
      ),
    );
    renderWithStore(<DashboardPage />);
    await screen.findByText('ALDER');
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      '1 disk is nearly full or cannot be looked at',
      '7 databases have no backup',
      '1 subscription has expired',
      '4 sign-ins are blocked after wrong attempts',
      '1 database belongs to no tenant',
      'Tenants',
      'Users',
      'Size of all databases',
    ]);
    const group = (name: string) => within(screen.getByRole('region', { name }));
    const links = (name: string) =>
      group(name)
        .queryAllByRole('link')
        .map((link) => link.getAttribute('href'));
    expect(links('1 disk is nearly full or cannot be looked at')).toEqual(['/database']);
    expect(links('7 databases have no backup')).toEqual(['/database?finding=no-backup', '/tenants/ALDER']);
    expect(group('7 databases have no backup').getByText('and 6 more')).toBeDefined();
    expect(group('1 subscription has expired').getByText('ended 8 days ago')).toBeDefined();
    expect(group('1 subscription has expired').getByText('2 snoozed')).toBeDefined();
    expect(links('1 subscription has expired')).toEqual(['/tenants?finding=expired', '/tenants/NORTH']);
    expect(links('4 sign-ins are blocked after wrong attempts')).toEqual([
      '/users?q=jane',
      '/audit?outcome=refused',
      '/audit?address=10.0.0.7',
      // The entries have the addresses, not the network.
      '/audit?outcome=refused',
    ]);
    expect(links('1 database belongs to no tenant')).toEqual(['/database?finding=no-owner', '/database?q=SPARE']);
    // What is only to be known does not count.
    expect(screen.getByText('13')).toBeDefined();
  });

  it('shows one of a kind that only a newer server knows, and the others as ever [§2.5]', async () => {
    const later = { kind: 'later', count: 2, snoozed: 0, first: [record('BIRCH')] };
    server.use(onRoute(findingRoutes.list, () => ok([later, NO_BACKUP] as never)));
    renderWithStore(<DashboardPage />);
    await screen.findByText('ALDER');
    const group = within(
      screen.getByRole('region', { name: '2 findings that this page does not know yet: reload it' }),
    );
    group.getByText('BIRCH');
    expect(group.queryByRole('link')).toBeNull();
  });

  it('is counted with separators [§2.5]', async () => {
    server.use(onRoute(findingRoutes.list, () => ok([{ ...NO_BACKUP, count: 1234 }])));
    renderWithStore(<DashboardPage />);
    await screen.findByText('1,234', { selector: '.badge' });
  });

  it('leads to the view, the list or the panel that mends it [§2.5]', async () => {
    server.use(
      onRoute(findingRoutes.list, () =>
        ok([
          { kind: 'archive-broken', count: 1, snoozed: 0, first: [record('WAL archive', { tenantCode: null })] },
          { kind: 'copy-failed', count: 1, snoozed: 0, first: [record('ALDER')] },
          { kind: 'old-schema', count: 1, snoozed: 0, first: [record('BIRCH')] },
          {
            kind: 'failed-operation',
            count: 2,
            snoozed: 0,
            first: [record('CEDAR'), record('NEW', { tenantCode: null })],
          },
          { kind: 'running-operation', count: 1, snoozed: 0, first: [record('ELM')] },
        ]),
      ),
    );
    const opened: string[] = [];
    function Panel() {
      useTopBarRequest('activity', () => opened.push('activity'));
      return null;
    }
    const { user } = renderWithStore(
      <>
        <DashboardPage />
        <Panel />
      </>,
    );
    const way = (name: string) => screen.getByText(name).closest('li')?.querySelector('a')?.getAttribute('href');
    await screen.findByText('ALDER');
    expect(['WAL archive', 'ALDER', 'BIRCH', 'CEDAR'].map(way)).toEqual([
      undefined,
      '/tenants/ALDER?view=backups',
      '/database?q=BIRCH',
      '/tenants/CEDAR',
    ]);
    for (const name of ['NEW', 'ELM']) await user.click(screen.getByRole('button', { name }));
    expect(opened).toEqual(['activity', 'activity']);
  });

  it('is shown whole on the spot where no list has it [§2.5]', async () => {
    const operations = ['ASH', 'BIRCH', 'CEDAR'].map((name) => ({ ...record(name), detail: 'restore: Damaged.' }));
    server.use(
      onRoute(findingRoutes.list, () =>
        ok([{ kind: 'failed-operation', count: 3, snoozed: 1, first: operations.slice(0, 1) }]),
      ),
      onRoute(findingRoutes.records, ({ request }) => {
        expect(new URL(request.url).search).toBe('?kind=failed-operation');
        const snooze = { until: inDays(1), reason: 'Known', by: 'admin' };
        return ok([...operations.map((one) => ({ ...one, snooze: null })), { ...record('DOGWOOD'), snooze }]);
      }),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: 'and 2 more' }));
    expect(await screen.findByText('CEDAR')).toBeDefined();
    expect(screen.getAllByText('restore: Damaged.')).toHaveLength(3);
    expect(screen.queryByText('DOGWOOD')).toBeNull();
    expect(screen.queryByRole('button', { name: /more/ })).toBeNull();
  });

  it('loads those that are new since then by another press [§2.5]', async () => {
    const operations = ['ASH', 'BIRCH'].map((name) => ({ ...record(name), snooze: null }));
    server.use(
      onRoute(findingRoutes.list, () =>
        ok([{ kind: 'failed-operation', count: 3, snoozed: 0, first: operations.slice(0, 1) }]),
      ),
      onRoute(findingRoutes.records, () => ok(operations)),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: 'and 2 more' }));
    const more = await screen.findByRole('button', { name: 'and 1 more' });
    await waitFor(() => expect(more.getAttribute('aria-busy')).not.toBe('true'));
    const answer = Promise.withResolvers<void>();
    server.use(
      onRoute(findingRoutes.records, async () => {
        await answer.promise;
        return ok([...operations, { ...record('CEDAR'), snooze: null }]);
      }),
    );
    await user.click(more);
    // Before the card asks again by itself, which is after 30 s.
    await waitFor(() => expect(more.getAttribute('aria-busy')).toBe('true'), { timeout: 10_000 });
    answer.resolve();
    await screen.findByText('CEDAR');
  });

  it('says so when nothing does, and when it could not be loaded, and Retry loads it [§2.5, §9]', async () => {
    server.use(onRoute(findingRoutes.list, () => failed(500, 'Broken')));
    const { user } = renderWithStore(<DashboardPage />);
    await waitFor(() => expect(notices()).toEqual(['BrokenRetry']));
    server.use(onRoute(findingRoutes.list, () => ok([])));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Nothing needs attention')).toBeDefined();
    expect(notices()).toEqual([]);
  });
});

describe('a snooze', () => {
  it('names what it leaves out, until when and why; what is left out can be brought back [§2.5] [DECISIONS §13]', async () => {
    const bodies: unknown[] = [];
    const woken: string[] = [];
    const snoozed = { until: inDays(3), reason: 'It moves.', by: 'admin' };
    server.use(
      onRoute(findingRoutes.list, () => ok([{ ...NO_BACKUP, count: 2, snoozed: 1 }])),
      onRoute(findingRoutes.records, () =>
        ok([
          { ...record('ALDER'), snooze: null },
          { ...record('BIRCH'), snooze: null },
          { ...record('CEDAR'), snooze: snoozed },
        ]),
      ),
      onRoute(findingRoutes.snooze, async ({ request }) => {
        bodies.push(await request.json());
        return ok({ snoozed: 1 }, 'It is snoozed.');
      }),
      onRoute(findingRoutes.wake, ({ request }) => {
        woken.push(new URL(request.url).search);
        return ok({ id: 'CEDAR' }, 'It is back.');
      }),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: 'Snooze: 2 databases have no backup' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Snooze/ }));
    expect(await dialog.findByText(`until ${inDays(3)}: It moves. (admin)`)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Bring back: CEDAR' }));
    await waitFor(() => expect(woken).toEqual(['?kind=no-backup&id=CEDAR']));

    await user.click(dialog.getByRole('checkbox', { name: 'BIRCH' }));
    await user.click(dialog.getByRole('button', { name: 'Snooze 1' }));
    expect(await dialog.findByText('Reason is required')).toBeDefined();
    expect(bodies).toEqual([]);
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Later');
    await user.click(dialog.getByRole('button', { name: 'Snooze 1' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(bodies).toEqual([{ kind: 'no-backup', ids: ['ALDER'], until: inDays(7), reason: 'Later' }]);
  });

  it('leaves in what comes while it is being written, unless somebody ticks it [§2.5] [DECISIONS §13]', async () => {
    const bodies: unknown[] = [];
    const names = ['ALDER', 'BIRCH'];
    server.use(
      onRoute(findingRoutes.list, () => ok([NO_BACKUP])),
      onRoute(findingRoutes.records, () => ok(names.map((name) => ({ ...record(name), snooze: null })))),
      onRoute(findingRoutes.snooze, async ({ request }) => {
        bodies.push(await request.json());
        return failed(503, 'Away');
      }),
    );
    const { user, store } = renderWithStore(<DashboardPage />);
    async function openDialog() {
      await user.click(await screen.findByRole('button', { name: /^Snooze/ }));
      return within(await screen.findByRole('dialog', { name: /^Snooze/ }));
    }
    const before = await openDialog();
    await before.findByRole('checkbox', { name: 'BIRCH' });
    await user.click(before.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    names.push('CEDAR');
    const dialog = await openDialog();
    const box = (name: string) => dialog.findByRole<HTMLInputElement>('checkbox', { name });
    expect((await box('CEDAR')).checked).toBe(true);
    names.push('DOGWOOD', 'ELM');
    act(() => void store.dispatch(api.util.invalidateTags(['Findings'])));
    expect((await box('DOGWOOD')).checked).toBe(false);
    await user.click(await box('ELM'));
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Later');
    await user.click(dialog.getByRole('button', { name: 'Snooze 4' }));
    await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ ids: ['ALDER', 'BIRCH', 'CEDAR', 'ELM'] })]));
  });

  it('asks before what was unticked is lost, and no more once all is as it was [§4] [§2.5]', async () => {
    server.use(
      onRoute(findingRoutes.list, () => ok([NO_BACKUP])),
      onRoute(findingRoutes.records, () => ok(['ALDER', 'BIRCH'].map((name) => ({ ...record(name), snooze: null })))),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: /^Snooze/ }));
    const box = await screen.findByRole('checkbox', { name: 'BIRCH' });
    await user.click(box);
    await user.keyboard('{Escape}');
    await screen.findByText('Discard changes?');
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.queryByText('Discard changes?')).toBeNull();
    await user.click(box);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that is ended keeps the focus on its button, then in the dialog [§2.20]', async () => {
    const answer = Promise.withResolvers<void>();
    const snooze = { until: inDays(3), reason: 'It moves.', by: 'admin' };
    let records = [
      { ...record('CEDAR'), snooze },
      { ...record('ALDER'), snooze: null },
    ];
    server.use(
      onRoute(findingRoutes.list, () => ok([NO_BACKUP])),
      onRoute(findingRoutes.records, () => ok(records)),
      onRoute(findingRoutes.wake, async () => {
        await answer.promise;
        records = records.slice(1);
        return ok({ id: 'CEDAR' }, 'It is back.');
      }),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: /^Snooze/ }));
    const dialog = await screen.findByRole('dialog', { name: /^Snooze/ });
    const wake = await within(dialog).findByRole('button', { name: 'Bring back: CEDAR' });
    await user.click(wake);
    await waitFor(() => expect(wake.getAttribute('aria-busy')).toBe('true'));
    expect(document.activeElement).toBe(wake);
    expect(wake.matches(':disabled')).toBe(false);
    answer.resolve();
    await waitFor(() => expect(wake.isConnected).toBe(false));
    expect(document.activeElement).toBe(dialog);
  });

  it('of records that are mended by now says so [§2.5]', async () => {
    server.use(
      onRoute(findingRoutes.list, () => ok([NO_BACKUP])),
      onRoute(findingRoutes.records, () => ok([])),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: /^Snooze/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Snooze/ }));
    await dialog.findByText('Nothing of this kind needs attention any more');
  });

  it('of very many draws a screen of them at once, and the others after it [§2.5]', async () => {
    const frames: FrameRequestCallback[] = [];
    const snooze = { until: inDays(3), reason: 'It moves.', by: 'admin' };
    const many = Array.from({ length: 240 }, (_, index) => ({
      ...record(`T${index}`),
      snooze: index < 120 ? null : snooze,
    }));
    const loaded = Promise.withResolvers<void>();
    server.use(
      onRoute(findingRoutes.list, () => ok([NO_BACKUP])),
      onRoute(findingRoutes.records, async () => {
        await loaded.promise;
        return ok(many);
      }),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: /^Snooze/ }));
    const dialog = await screen.findByRole('dialog', { name: /^Snooze/ });
    const spy = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
    onTestFinished(() => spy.mockRestore());
    loaded.resolve();
    const drawn = () =>
      ['input[type=checkbox]', '.snoozed-records li'].map((rows) => dialog.querySelectorAll(rows).length);
    await waitFor(() => expect(drawn()[0]).toBeGreaterThan(0));
    expect(drawn()).toEqual([50, 50]);
    await waitFor(() => {
      act(() => frames.splice(0).forEach((frame) => void frame(0)));
      expect(drawn()).toEqual([120, 120]);
    });
  });

  it('that is refused keeps what was typed, and says why at its field [§2.5, §8]', async () => {
    server.use(
      onRoute(findingRoutes.list, () => ok([NO_BACKUP])),
      onRoute(findingRoutes.records, () => ok([{ ...record('ALDER'), snooze: null }])),
      onRoute(findingRoutes.snooze, () => failed(400, 'Invalid', { until: ['This day has passed'] })),
    );
    const { user } = renderWithStore(<DashboardPage />);
    await user.click(await screen.findByRole('button', { name: /^Snooze/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Snooze/ }));
    await user.type(await dialog.findByRole('textbox', { name: 'Reason' }), 'Later');
    await user.click(dialog.getByRole('button', { name: 'Snooze 1' }));
    expect(await dialog.findByText('This day has passed')).toBeDefined();
    expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveProperty('value', 'Later');
  });
});

it('growth is a curve of each figure, with a table behind it [§2.5]', async () => {
  server.use(
    onRoute(findingRoutes.growth, () =>
      ok([
        { day: '2026-01-01', tenants: 3, users: 5, sizeBytes: 1_000_000 },
        { day: '2026-01-08', tenants: 4, users: 9, sizeBytes: 2_500_000 },
      ]),
    ),
  );
  renderWithStore(<DashboardPage />);
  const users = within(await screen.findByRole('table', { name: 'Users' }));
  expect(users.getAllByRole('row').map((row) => row.textContent)).toEqual(['DayUsers', '2026-01-089', '2026-01-015']);
  expect(screen.getByRole('img', { name: /^Users: .*5.*9/ })).toBeDefined();
  expect(screen.getByRole('row', { name: /^2026-01-08 2.5 MB|^2026-01-08 2.4 MB/ })).toBeDefined();
});
