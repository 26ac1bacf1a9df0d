import { credentialRoutes } from '@apotheca/contract/credentials';
import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import type { DatabaseAccess, SuspensionRules } from '@apotheca/contract/tenant-access';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { api } from '../../api/http/client.ts';
import { makeDatabase } from '../../testing/databases.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { loadRuntimeConfig } from '../../transport/runtime-config.ts';
import { AccessCard } from './manage/connection-tab/access-card.tsx';
import { DangerZone } from './page/danger-zone.tsx';
import { StandingBadge } from './screen/standing-badge.tsx';
import { standingToday } from './standing.ts';

const bases = { appApiBaseUrl: '/api', authApiBaseUrl: '/identity' };
const RULES: SuspensionRules = { mode: 'enforce', graceDays: 14, readOnlyDays: 14 };
let sent: Record<string, string>[] = [];
let databases: Database[] = [];

mockServer(
  onRoute(credentialRoutes.connection, () => failed(403, 'No.')),
  onRoute(databaseRoutes.list, () => ok(databases)),
  onRoute(tenantRoutes.postponeExpiry, ({ request }) => {
    sent.push(Object.fromEntries(new URL(request.url).searchParams));
    return ok({ id: 'x', postponedTo: day(7) }, 'It counts as valid.');
  }),
);

afterEach(async () => {
  sent = [];
  databases = [];
  await configure(undefined);
});

/** What the server says that closes databases. */
async function configure(suspension: SuspensionRules | undefined): Promise<void> {
  server.use(http.get('/config.json', () => HttpResponse.json({ ...bases, suspension })));
  await loadRuntimeConfig();
}

const day = (plus: number) => new Date(Date.now() + plus * 86_400_000).toISOString().slice(0, 10);
const until = (plus: number, fields: Partial<Tenant> = {}) => makeTenant({ subscriptionEndDate: day(plus), ...fields });
const card = () => within(screen.getByRole('region', { name: 'Access of programs' }));
const putOff = () => card().queryByRole('button', { name: 'Put off by a week' });

test.each([
  [RULES, true, /inactive, and close its database/],
  [RULES, false, /active again, and open its database to its programs, as far as its subscription allows/],
  [undefined, true, 'Mark the tenant as inactive. Nothing is deleted.'],
  [undefined, false, 'Mark the tenant as active again.'],
] as const)(
  'under %j a tenant that is active (%s) is told what a click does to its database [DECISIONS §13]',
  async (rules, isActive, what) => {
    await configure(rules);
    renderWithStore(
      <DangerZone tenant={makeTenant({ isActive })} database={null} onMove={() => {}} onOpen={() => {}} />,
    );
    screen.getByText(what);
  },
);

test.each([
  ['goes on', until(90), ''],
  ['ends soon', until(3), ''],
  ['has just ended', until(-3), 'Grace period'],
  ['ended weeks ago', until(-20), 'Read only'],
  ['ended long ago', until(-40), 'Closed to programs'],
  ['was put off', until(-40, { postponedTo: day(2) }), ''],
  // That stands in the column Active.
  ['is deactivated', until(90, { isActive: false }), ''],
])('a tenant whose subscription %s is marked as it stands [DECISIONS §13]', async (_, tenant, text) => {
  await configure(RULES);
  const { container } = renderWithStore(<StandingBadge tenant={tenant} />);
  expect(container.querySelector('.badge')?.textContent ?? '').toBe(text);
});

test('where nothing is closed no tenant is marked [DECISIONS §13]', async () => {
  await configure({ ...RULES, mode: 'flag' });
  const tenants = [until(-40), until(90, { isActive: false })];
  const { container } = renderWithStore(tenants.map((tenant) => <StandingBadge key={tenant.id} tenant={tenant} />));
  expect([...container.querySelectorAll('.badge')].map(({ textContent }) => textContent)).toEqual([]);
});

test('what a tenant’s programs may do is said in words, with the day of the next step [DECISIONS §13]', async () => {
  await configure(RULES);
  const deactivated = [90, -3, -20, -40].map((plus) => until(plus, { isActive: false }));
  const texts = [until(90), until(-3), until(-20), until(-40), ...deactivated].map((tenant) => {
    const { unmount } = renderWithStore(<AccessCard tenant={tenant} />);
    const text = [card().getByText(/Open|Read only|Closed/).textContent, putOff() !== null];
    unmount();
    return text;
  });
  expect(texts).toEqual([
    [`Open. The subscription ends on ${day(90)}.`, false],
    [`Open for now. The subscription ended on ${day(-3)}: from ${day(12)} on its programs can only read.`, true],
    [`Read only, as the subscription ended on ${day(-20)}. On ${day(9)} the database is closed to programs.`, true],
    [`Closed, as the subscription ended on ${day(-40)}. Nothing is deleted.`, true],
    ['Closed, as the tenant is deactivated. Nothing is deleted; activating it opens the database as it was.', false],
    ['Closed, as the tenant is deactivated. Nothing is deleted; activating it opens the database as it was.', false],
    [
      `Closed, as the tenant is deactivated. Nothing is deleted. To open it, activate the tenant and set a later expiry date: the subscription ended on ${day(-20)}.`,
      false,
    ],
    [
      `Closed, as the tenant is deactivated. Nothing is deleted. To open it, activate the tenant and set a later expiry date: the subscription ended on ${day(-40)}.`,
      false,
    ],
  ]);
});

test('days of grace that no days of reading follow are said to end with a closed database [DECISIONS §13]', async () => {
  await configure({ ...RULES, readOnlyDays: 0 });
  renderWithStore(<AccessCard tenant={until(-3)} />);
  card().getByText(
    `Open for now. The subscription ended on ${day(-3)}: on ${day(12)} the database is closed to programs.`,
  );
});

test('one click puts the end off, and the dialog shows it at once [DECISIONS §13]', async () => {
  await configure(RULES);
  const tenant = until(-40);
  const { user } = renderWithStore(<AccessCard tenant={tenant} />);
  await user.click(card().getByRole('button', { name: 'Put off by a week' }));
  await screen.findByText('It counts as valid.');
  expect(sent).toEqual([{ id: tenant.id, updatedBy: signedIn().id }]);
  card().getByText(`The end was put off from ${day(-40)}.`);
  card().getByText(`Open. The subscription ends on ${day(7)}.`);
});

test('what somebody changes after that is shown as soon as it is known [DECISIONS §13]', async () => {
  await configure(RULES);
  const tenant = until(-40);
  function Page() {
    const [shown, setShown] = useState(tenant);
    return (
      <>
        <button type="button" onClick={() => setShown(until(-20, { id: tenant.id }))}>
          Load
        </button>
        <AccessCard tenant={shown} />
      </>
    );
  }
  const { user } = renderWithStore(<Page />);
  await user.click(card().getByRole('button', { name: 'Put off by a week' }));
  await card().findByText(`Open. The subscription ends on ${day(7)}.`);
  await user.click(screen.getByRole('button', { name: 'Load' }));
  card().getByText(/^Read only, as the subscription ended/);
  expect(card().queryByText(/^The end was put off/)).toBeNull();
});

test('a refusal says why, and nothing changes [DECISIONS §13]', async () => {
  await configure(RULES);
  server.use(onRoute(tenantRoutes.postponeExpiry, () => failed(403, 'You may not.')));
  const { user } = renderWithStore(<AccessCard tenant={until(-40)} />);
  await user.click(card().getByRole('button', { name: 'Put off by a week' }));
  await screen.findByText('You may not.');
  card().getByText(/^Closed/);
});

test('a server that closes nothing says so [DECISIONS §13]', async () => {
  await configure({ ...RULES, mode: 'flag' });
  renderWithStore(<AccessCard tenant={until(-40)} />);
  card().getByText('Open. This server closes no database by itself.');
  expect(putOff()).toBeNull();
});

test.each<[string, DatabaseAccess, Tenant, RegExp]>([
  ['deactivated', 'open', until(90, { isActive: false }), /^Not yet: for now programs can read and write\./],
  ['over', 'read-only', until(-40), /^Not yet: for now programs can only read\./],
  ['active again', 'closed', until(90), /^Not yet: for now programs cannot log in\./],
])(
  'of a tenant that is %s it is said what PostgreSQL was not told yet [DECISIONS §13]',
  async (_, access, tenant, text) => {
    await configure(RULES);
    const { databaseName } = tenant;
    databases = [makeDatabase(), makeDatabase({ databaseName, access })];
    const { store } = renderWithStore(<AccessCard tenant={tenant} />);
    await card().findByText(text);
    databases = [makeDatabase({ databaseName, access: standingToday(tenant).access })];
    act(() => void store.dispatch(api.util.invalidateTags(['Databases'])));
    await waitFor(() => expect(card().queryByText(/^Not yet/)).toBeNull());
  },
);
