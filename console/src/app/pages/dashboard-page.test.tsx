import { backupRoutes } from '@apotheca/contract/backups';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { api } from '../../api/http/client.ts';
import { notify } from '../../components/toast/toast.tsx';
import { addDays, localDay } from '../../lib/expiry.ts';
import { makeBackup } from '../../testing/databases.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { DashboardPage } from './dashboard-page.tsx';

const inDays = (days: number) => addDays(localDay(), days);

mockServer(
  onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1204, tenants: 38, databases: 0 }])),
  onRoute(tenantRoutes.list, () => ok([])),
);

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

  it('warns of newest backups that failed their proof, with the tables, and leads to the databases [DECISIONS §13]', async () => {
    const proof = {
      result: 'failed',
      endedOnUtc: '',
      restoreMs: null,
      comparedWith: null,
      reason: 'Damaged.',
    } as const;
    server.use(
      onRoute(backupRoutes.list, ({ request }) => {
        expect(new URL(request.url).searchParams.get('isUnrestorable')).toBe('true');
        return ok([
          makeBackup({ databaseName: 'ASH', proof: { ...proof, tables: ['patients', 'orders'] } }),
          makeBackup({ databaseName: 'ELM', proof: { ...proof, tables: [] } }),
        ]);
      }),
    );
    renderWithStore(<DashboardPage />);
    await screen.findByText('2 databases have a newest backup that cannot be restored');
    expect(screen.getByText('ASH (patients, orders), ELM')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open Database Management' }).getAttribute('href')).toBe('/database');
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

  it('keeps the loaded counts when a reload fails, and says so [§2.5, §8]', async () => {
    const refusal = "You do not have the permission 'tenants.read'.";
    server.use(
      onRoute(tenantRoutes.list, () => ok([makeTenant({ customerCode: 'Elm', subscriptionEndDate: inDays(-1) })])),
    );
    const { store } = renderWithStore(<DashboardPage />);
    await screen.findByText('1,204');
    await screen.findByText('Elm');
    server.use(
      onRoute(dashboardRoutes.getCounts, () => failed(503, 'Database away')),
      onRoute(tenantRoutes.list, () => failed(403, refusal)),
    );
    store.dispatch(api.util.invalidateTags(['Dashboard', 'Tenants']));
    await waitFor(() => expect(notices()).toEqual(['Database awayRetry', `${refusal}Retry`]));
    expect(screen.getByText('1,204')).toBeDefined();
    expect(screen.getByText('Elm')).toBeDefined();
  });
});

describe('needs attention', () => {
  it('lists expired and soon expiring tenants in words, each with a link [§9]', async () => {
    server.use(
      onRoute(tenantRoutes.list, ({ request }) => {
        const query = new URL(request.url).searchParams;
        if (query.get('sortColumn') !== 'subscriptionEndDate' || query.get('sortDirection') !== 'asc') {
          return new HttpResponse(null, { status: 400 });
        }
        return ok([
          makeTenant({ customerCode: 'Oak', subscriptionEndDate: inDays(-91) }),
          makeTenant({ customerCode: 'Ash', subscriptionEndDate: inDays(-90) }),
          makeTenant({ customerCode: 'Harbor', code: 'HAR & BOR', subscriptionEndDate: inDays(-8) }),
          makeTenant({ customerCode: 'Elm', subscriptionEndDate: inDays(-1) }),
          makeTenant({ customerCode: 'North', subscriptionEndDate: inDays(0) }),
          makeTenant({ customerCode: 'Juniper', subscriptionEndDate: inDays(30) }),
          makeTenant({ customerCode: 'Cedar', subscriptionEndDate: inDays(31) }),
        ]);
      }),
    );
    renderWithStore(<DashboardPage />);
    await screen.findByText('Harbor');
    expect(
      screen
        .getAllByRole('listitem')
        .slice(2)
        .map((row) => row.textContent),
    ).toEqual([
      `Oak subscription ended on ${inDays(-91)}ExpiredOpen`,
      'Ash subscription ended 90 days agoExpiredOpen',
      'Harbor subscription ended 8 days agoExpiredOpen',
      'Elm subscription ended yesterdayExpiredOpen',
      'North subscription ends todayExpiringOpen',
      'Juniper subscription ends in 30 daysExpiringOpen',
    ]);
    expect(screen.getAllByRole('link', { name: 'Open' })[2]?.getAttribute('href')).toBe('/tenants/HAR%20%26%20BOR');
  });

  it('shows eight at most and says how many more there are [§9]', async () => {
    const tenants = Array.from({ length: 11 }, () => makeTenant({ subscriptionEndDate: inDays(-1) }));
    server.use(onRoute(tenantRoutes.list, () => ok(tenants)));
    renderWithStore(<DashboardPage />);
    expect((await screen.findByRole('link', { name: 'and 3 more' })).getAttribute('href')).toBe('/tenants');
    expect(screen.getAllByRole('link', { name: 'Open' })).toHaveLength(8);
    expect(screen.getByText('11')).toBeDefined();
  });

  it('says so when no tenant needs attention [§9]', async () => {
    renderWithStore(<DashboardPage />);
    expect(await screen.findByText('Nothing needs attention')).toBeDefined();
  });

  it('says when the tenants could not be loaded, and Retry loads them [§9]', async () => {
    server.use(onRoute(tenantRoutes.list, () => failed(500, 'Broken')));
    const { user } = renderWithStore(<DashboardPage />);
    await waitFor(() => expect(notices()).toEqual(['BrokenRetry']));
    server.use(onRoute(tenantRoutes.list, () => ok([])));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Nothing needs attention')).toBeDefined();
  });
});
