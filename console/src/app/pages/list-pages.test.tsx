import { databaseRoutes } from '@apotheca/contract/databases';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { type Action, configureStore } from '@reduxjs/toolkit';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keepListsFresh } from '../../lists/list-freshness.ts';
import { makeClone, makeDatabase } from '../../testing/databases.ts';
import { makeFaq, makeQuestion, makeSection, withFaqName } from '../../testing/faqs.ts';
import { makePermission } from '../../testing/permissions.ts';
import { allAnswered } from '../../testing/queries.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { stubLayout } from '../../testing/rich-text.ts';
import { mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { textsOf } from '../../testing/table.ts';
import { makeTenant, STATUSES } from '../../testing/tenants.ts';
import { makeUser } from '../../testing/users.ts';
import { faqPath, PATHS, sectionPath } from '../navigation/paths.ts';
import { DatabasesPage } from './databases-page.tsx';
import { FaqQuestionsPage } from './faq-questions-page.tsx';
import { FaqSectionsPage } from './faq-sections-page.tsx';
import { FaqsPage } from './faqs-page.tsx';
import { LicencesPage } from './licences-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';
import { TenantsPage } from './tenants-page.tsx';
import { UsersPage } from './users-page.tsx';

beforeAll(stubLayout);

const stock = makeFaq({ name: 'Stock', code: 'STOCK' });
const counting = makeSection(stock.id, { name: 'Counting', code: 'COUNT', sortOrder: 3 });
const orders = makeFaq({ name: 'Orders', code: 'ORD', isActive: false });
const tenants = [
  makeTenant({ customerCode: 'Cedar', code: 'CEDARVA', city: 'Springfield', state: 'IL' }),
  makeTenant({ customerCode: 'Harbor', code: 'HARBOR', subscriptionEndDate: '2020-05-01', isActive: false }),
];

interface ListPage {
  page: ReactNode;
  /** Address and pattern of the page. */
  route?: string;
  path?: string;
  call: Parameters<typeof onRoute>[0];
  result: unknown;
  /** A part of the first row's text. */
  first: RegExp;
}

const LISTS: [string, ListPage][] = [
  ['tenants', { page: <TenantsPage />, call: tenantRoutes.list, result: tenants, first: /Cedar/ }],
  ['licences', { page: <LicencesPage />, call: tenantRoutes.list, result: tenants, first: /Cedar/ }],
  [
    'users',
    {
      page: <UsersPage />,
      call: userRoutes.list,
      result: [makeUser({ userName: 'grace', isActive: false }), makeUser({ userName: 'alan', hasPassword: false })],
      first: /grace/,
    },
  ],
  [
    'databases',
    {
      page: <DatabasesPage />,
      call: databaseRoutes.list,
      result: [
        makeDatabase({ databaseName: 'CEDARVA', newestBackupOnUtc: '2026-11-20T09:30:00.000Z' }),
        makeClone({ databaseName: 'TRAINING', isOutdated: true }),
      ],
      first: /CEDARVA/,
    },
  ],
  [
    'permissions',
    {
      page: <PermissionsPage />,
      call: permissionRoutes.list,
      result: {
        permissions: [makePermission({ name: 'View stock', sortOrder: 17 }), makePermission({ isActive: false })],
      },
      first: /View stock/,
    },
  ],
  ['FAQs', { page: <FaqsPage />, call: faqRoutes.list, result: [stock, orders], first: /Stock/ }],
  [
    'sections',
    {
      page: <FaqSectionsPage />,
      route: faqPath({ faqName: 'Stock', faqId: stock.id }),
      path: PATHS.faq,
      call: faqSectionRoutes.list,
      result: [counting, makeSection(stock.id, { name: 'Lots', sortOrder: 4 })],
      first: /Counting/,
    },
  ],
  [
    'questions',
    {
      page: <FaqQuestionsPage />,
      route: sectionPath({ faqName: 'Stock', sectionName: 'Counting', sectionId: counting.id }),
      path: PATHS.section,
      call: faqQuestionRoutes.list,
      result: [makeQuestion(counting, { question: 'How often?', published: false })],
      first: /How often/,
    },
  ],
];

mockServer(
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(faqRoutes.list, () => ok([stock])),
  onRoute(faqSectionRoutes.find, () => ok(withFaqName(counting, stock.name))),
);

afterEach(() => void vi.useRealTimers());

async function open({ page, route, path, call, result, first }: ListPage) {
  const loads = vi.fn();
  server.use(
    onRoute(call, () => {
      loads();
      return ok(result);
    }),
  );
  const view = renderWithStore(page, { route, path });
  const row = await screen.findByRole('row', { name: first });
  loads.mockClear();
  return { ...view, loads, row };
}

describe.each(LISTS)('the list of %s', (_name, list) => {
  it('finds a row by any text that it shows [§2.6]', async () => {
    const { row, router } = await open(list);
    // Filters by the address, as typing would pause a hundred times here.
    const filter = (q: string) => act(() => router.navigate({ search: `?${new URLSearchParams({ q })}` }));
    const texts = textsOf(row).map((text) => text?.trim() ?? '');
    expect(texts.filter(Boolean).length).toBeGreaterThan(2);
    for (const text of texts) {
      await filter(`${text} nothing`);
      screen.getByText(/^Displaying 0 of/);
      await filter(text);
      screen.getByRole('row', { name: list.first });
    }
  });

  it('begins at its first row when it is filtered, and stays where it is when it is loaded again [§2.6]', async () => {
    const { user, loads, store, router } = await open(list);
    const rows = screen.getByRole('table').closest('section') ?? document.body;
    fireEvent.scroll(rows, { target: { scrollTop: 400 } });
    await user.click(screen.getByRole('button', { name: 'Refresh the list' }));
    await waitFor(() => expect(loads).toHaveBeenCalledTimes(1));
    await allAnswered(store);
    expect(rows.scrollTop).toBe(400);
    await act(() => router.navigate({ search: '?q=a' }));
    expect(rows.scrollTop).toBe(0);
  });

  it('is reloaded by its button, on focus and on reconnecting [§2.6]', async () => {
    const { user, loads, store } = await open(list);
    await user.click(screen.getByRole('button', { name: 'Refresh the list' }));
    await waitFor(() => expect(loads).toHaveBeenCalledTimes(1));
    await allAnswered(store);
    fireEvent.focus(window);
    await waitFor(() => expect(loads).toHaveBeenCalledTimes(2));
    await allAnswered(store);
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(loads).toHaveBeenCalledTimes(3));
  });
});

it('reloads at most every ten seconds in a window that gets the focus again and again, including the last time [§2.6]', () => {
  vi.useFakeTimers();
  const dispatched: string[] = [];
  const { dispatch } = configureStore({
    reducer: (state: null = null, action: Action) => {
      dispatched.push(action.type);
      return state;
    },
  });
  dispatched.length = 0;
  const stop = keepListsFresh(dispatch);
  for (let second = 0; second < 4; second += 1) {
    fireEvent.focus(window);
    vi.advanceTimersByTime(1000);
  }
  expect(dispatched).toHaveLength(1);
  vi.advanceTimersByTime(6000);
  expect(dispatched).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(dispatched).toHaveLength(2);
  fireEvent.focus(window);
  stop();
  fireEvent.focus(window);
  vi.advanceTimersByTime(60_000);
  expect(dispatched).toHaveLength(3);
});
