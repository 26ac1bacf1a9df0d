import { databaseRoutes } from '@apotheca/contract/databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makePlan } from '../../testing/databases.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { quietServer } from '../../testing/manage-tenant.tsx';
import { makeSync } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { EMRS, makeTenant, STATUSES, TIMEZONES } from '../../testing/tenants.ts';
import { TenantsPage } from './tenants-page.tsx';

const NAME = 'Cedar Valley Allergy';

/** The data of the mocked server. */
let tenants: Tenant[] = [];
let loads = 0;

mockServer(
  onRoute(tenantRoutes.list, () => {
    loads += 1;
    return ok(tenants);
  }),
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(tenantRoutes.listTimezones, () => ok(TIMEZONES)),
  onRoute(tenantRoutes.listEmrs, () => ok(EMRS)),
  onRoute(tenantRoutes.planDeletion, () => ok(makePlan())),
  ...quietServer,
);

async function renderPage(fields: Partial<Tenant> = {}, route = '/tenants') {
  loads = 0;
  const cedar = makeTenant({ code: 'CEDARVA', customerCode: NAME, ...fields });
  tenants = [cedar];
  const view = renderWithStore(<TenantsPage />, { route });
  await screen.findByRole('row', { name: new RegExp(NAME) });
  return { ...view, cedar };
}

/** Chooses an entry of the row's menu. */
async function choose(user: Awaited<ReturnType<typeof renderPage>>['user'], item: string) {
  await user.click(screen.getByRole('button', { name: `More actions for ${NAME}` }));
  await user.click(screen.getByRole('menuitem', { name: `${item} ${NAME}` }));
}

/** Answers a changing call with that message, after changing the data. */
/** The server says how the database is, which the record alone does not tell. */
const ACTIVATED = 'Success! Tenant has been Activated. Its database is open to its programs.';
const DEACTIVATED =
  'Success! Tenant has been Deactivated. For now its database is open to its programs, until that can be changed.';

const answer = (route: Parameters<typeof onRoute>[0], message: string, change: () => void) =>
  server.use(
    onRoute(route, () => {
      change();
      return ok({ id: tenants[0]?.id ?? '', databaseName: '' }, message);
    }),
  );

test('the page has a heading, a link home and a button to create a tenant [§2.6]', async () => {
  await renderPage();
  screen.getByRole('heading', { level: 1, name: 'Tenants' });
  expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
  expect(document.title).toContain('Tenants');
});

test('the name of a tenant leads to its page [§2.24]', async () => {
  await renderPage({ code: 'A/B' });
  expect(screen.getByRole('link', { name: NAME }).getAttribute('href')).toBe('/tenants/A%2FB');
});

test.each([
  ['Create', 'Create Tenant'],
  [`View ${NAME}`, 'View Tenant'],
  [`Edit ${NAME}`, 'Edit Tenant'],
  [`Manage ${NAME}`, 'Manage Tenant'],
])('%s opens %s, and closing it gives the focus back [§2.6]', async (button, title) => {
  const { user } = await renderPage();
  await user.click(screen.getByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog', { name: title });
  expect(document.body.classList.contains('modal-open')).toBe(true);
  const close = within(dialog).getAllByRole('button', { name: 'Close' })[0];
  await user.click(close ?? dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.classList.contains('modal-open')).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: button }));
});

test('a toast over a dialog asks before it leads away from what was changed there [§2.8]', async () => {
  server.use(onRoute(permissionRoutes.sync, () => ok(makeSync())));
  const { user, router } = await renderPage();
  await user.click(screen.getByRole('button', { name: `Manage ${NAME}` }));
  const frequency = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Frequency' });
  await user.selectOptions(frequency, 'daily');
  await user.click(screen.getByRole('tab', { name: 'Permissions' }));
  await user.click(screen.getByRole('button', { name: 'Sync Permissions' }));
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(router.state.location.pathname).toBe('/tenants');
  expect(frequency.value).toBe('daily');
  await user.click(screen.getByRole('button', { name: 'Sync Permissions' }));
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/tenants/CEDARVA'));
});

test('a dialog opened again starts with fresh state [§2.10]', async () => {
  const { user } = await renderPage();
  await choose(user, 'Duplicate');
  fill('New Tenant Code', 'TYPED');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose(user, 'Duplicate');
  expect((await findField('New Tenant Code')).value).toBe('');
});

test('an active tenant is deactivated in the name of the signed-in user, and the list is loaded again [§4]', async () => {
  const { user, cedar } = await renderPage();
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(tenantRoutes.deactivate, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      tenants = [{ ...cedar, isActive: false }];
      return ok({ id: cedar.id }, DEACTIVATED);
    }),
  );
  await choose(user, 'Deactivate');
  await screen.findByText(DEACTIVATED);
  expect(queries).toEqual([{ id: cedar.id, updatedBy: signedIn().id }]);
  await within(screen.getByRole('table')).findByText('Inactive');
});

test('Undo in the toast undoes a deactivation, by keyboard too, and the focus returns to the row [§4]', async () => {
  const { user, cedar } = await renderPage();
  answer(tenantRoutes.deactivate, DEACTIVATED, () => {
    tenants = [{ ...cedar, isActive: false }];
  });
  answer(tenantRoutes.activate, ACTIVATED, () => {
    tenants = [cedar];
  });
  await choose(user, 'Deactivate');
  const undo = await screen.findByRole('button', { name: 'Undo' });
  const row = document.activeElement;
  undo.focus();
  await user.keyboard('{Enter}');
  await screen.findByText(ACTIVATED);
  expect(document.activeElement).toBe(row);
  await waitFor(() => expect(within(screen.getByRole('table')).queryByText('Inactive')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test("the toast of a deactivation leads to the tenant's page too [§2.24] [§4]", async () => {
  const { user, cedar, router } = await renderPage();
  answer(tenantRoutes.deactivate, DEACTIVATED, () => {
    tenants = [{ ...cedar, isActive: false }];
  });
  await choose(user, 'Deactivate');
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  expect(router.state.location.pathname).toBe(`/tenants/${cedar.code}`);
});

test('a row that turns out to be gone leaves the list at an action, with a message [§2.6]', async () => {
  const { user } = await renderPage();
  server.use(
    onRoute(tenantRoutes.deactivate, () => {
      tenants = [];
      return failed(404, 'There is no such tenant.');
    }),
  );
  await choose(user, 'Deactivate');
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such tenant.');
  await waitFor(() => expect(screen.queryByRole('rowheader')).toBeNull());
});

test('a row that turns out to be gone leaves the list when its dialog opens [§2.6]', async () => {
  const { user } = await renderPage();
  server.use(
    onRoute(tenantRoutes.planDeletion, () => {
      tenants = [];
      return failed(404, 'There is no such tenant.');
    }),
  );
  await choose(user, 'Delete');
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such tenant.');
  await waitFor(() => expect(screen.queryByRole('rowheader', { hidden: true })).toBeNull());
});

test('a changed row is marked once the list contains the change [§2.6]', async () => {
  const { user, cedar } = await renderPage();
  server.use(
    onRoute(tenantRoutes.deactivate, () => {
      tenants = [makeTenant({ customerCode: 'Other' }), { ...cedar, isActive: false }];
      return ok({ id: cedar.id });
    }),
  );
  await choose(user, 'Deactivate');
  await waitFor(() => expect(screen.getByRole('row', { name: new RegExp(NAME) }).className).toBe('marked'));
  expect(document.querySelectorAll('tr.marked')).toHaveLength(1);
});

test('a changed row that a filter hides is reported as hidden, and Show shows it [§2.6]', async () => {
  const { user, cedar } = await renderPage({}, '/tenants?active=active');
  server.use(
    onRoute(tenantRoutes.deactivate, () => {
      tenants = [{ ...cedar, isActive: false }];
      return ok({ id: cedar.id });
    }),
  );
  await choose(user, 'Deactivate');
  await screen.findByText('The tenant CEDARVA is hidden by the filter.');
  expect(screen.queryByRole('rowheader')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  await waitFor(() => expect(screen.getByRole('row', { name: new RegExp(NAME) }).className).toBe('marked'));
  expect(screen.queryByText(/is hidden by the filter/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Filter tenants' }));
});

test('an inactive tenant is activated [§4]', async () => {
  const { user, cedar } = await renderPage({ isActive: false });
  answer(tenantRoutes.activate, ACTIVATED, () => {
    tenants = [{ ...cedar, isActive: true }];
  });
  await choose(user, 'Activate');
  await screen.findByText(ACTIVATED);
  await waitFor(() => expect(within(screen.getByRole('table')).queryByText('Inactive')).toBeNull());
});

test('a refused toggle says why and changes nothing [§8]', async () => {
  server.use(onRoute(tenantRoutes.deactivate, () => failed(409, 'Another operation is running on this record.')));
  const { user } = await renderPage();
  await choose(user, 'Deactivate');
  await screen.findByText('Another operation is running on this record.');
  expect(loads).toBe(1);
});

test('a second click during a deactivation does nothing [§4]', async () => {
  const { user, cedar } = await renderPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  server.use(
    onRoute(tenantRoutes.deactivate, async () => {
      calls += 1;
      await promise;
      return ok({ id: cedar.id }, DEACTIVATED);
    }),
  );
  await choose(user, 'Deactivate');
  await waitFor(() => expect(calls).toBe(1));
  await choose(user, 'Deactivate');
  resolve();
  await screen.findByText(DEACTIVATED);
  expect(calls).toBe(1);
  await choose(user, 'Deactivate');
  await waitFor(() => expect(calls).toBe(2));
});

test('what is activated while its deactivation is still to be answered is activated after that [§4]', async () => {
  const { user, cedar } = await renderPage();
  const [deactivated, activated] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const calls: string[] = [];
  server.use(
    onRoute(tenantRoutes.deactivate, async () => {
      calls.push('deactivate');
      tenants = [{ ...cedar, isActive: false }];
      await deactivated.promise;
      return ok({ id: cedar.id }, DEACTIVATED);
    }),
    onRoute(tenantRoutes.activate, async () => {
      calls.push('activate');
      await activated.promise;
      tenants = [cedar];
      return ok({ id: cedar.id }, ACTIVATED);
    }),
  );
  await choose(user, 'Deactivate');
  await waitFor(() => expect(calls).toEqual(['deactivate']));
  await user.click(screen.getByRole('button', { name: 'Refresh the list' }));
  await within(screen.getByRole('table')).findByText('Inactive');
  await choose(user, 'Activate');
  await choose(user, 'Activate');
  expect(calls).toEqual(['deactivate']);
  deactivated.resolve();
  await screen.findByText(DEACTIVATED);
  await waitFor(() => expect(calls).toEqual(['deactivate', 'activate']));
  activated.resolve();
  await screen.findByText(ACTIVATED);
  await waitFor(() => expect(within(screen.getByRole('table')).queryByText('Inactive')).toBeNull());
  expect(calls).toEqual(['deactivate', 'activate']);
});

test('a tenant that was deleted meanwhile leaves the list at the next action on it [§4, §8]', async () => {
  server.use(
    onRoute(tenantRoutes.deactivate, () => {
      tenants = [];
      return failed(404, 'There is no such tenant.');
    }),
  );
  const { user } = await renderPage();
  await choose(user, 'Deactivate');
  await screen.findByText('There is no such tenant.');
  await screen.findByText('No tenants yet');
});

test('a created tenant is in the list afterwards, and its toast leads to its page [§4] [§2.24]', async () => {
  const { user, router } = await renderPage();
  answer(tenantRoutes.create, 'Tenant LAKE has been created.', () => {
    tenants = [...tenants, makeTenant({ code: 'LAKE', customerCode: 'Silver Lake' })];
  });
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await findField('Tenant Code');
  const values = {
    'Customer Name/Code': 'Silver Lake',
    'Tenant Code': 'LAKE',
    'First Name': 'Ines',
    'Last Name': 'Moreau',
    Email: 'ines@lake.test',
    Phone: '1',
    EMR: 'epic',
    'Time Zone': 'UTC',
  };
  for (const [label, value] of Object.entries(values)) fill(label, value);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create' }));
  await screen.findByText('Tenant LAKE has been created.');
  await screen.findByText('Displaying 2 of 2 results');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(router.state.location.pathname).toBe('/tenants/LAKE');
});

test('a changed tenant shows its new fields [§4]', async () => {
  const { user, cedar } = await renderPage();
  answer(tenantRoutes.edit, 'Tenant CEDARVA has been changed.', () => {
    tenants = [{ ...cedar, city: 'Peoria' }];
  });
  await user.click(screen.getByRole('button', { name: `Edit ${NAME}` }));
  await findField('City');
  fill('City', 'Peoria');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Tenant CEDARVA has been changed.');
  await screen.findByText('Peoria, IL');
});

test("an edit overtaken by another user keeps the typed text and can take the other user's values [DECISIONS §3]", async () => {
  const { user, cedar } = await renderPage();
  const sent: unknown[] = [];
  server.use(
    onRoute(tenantRoutes.edit, async ({ request }) => {
      const { version, city, emrId } = tenantRoutes.edit.body.parse(await request.json());
      sent.push({ version, city, emrId });
      if (version === 4) return ok({ id: cedar.id }, 'Success! Tenant has been updated.');
      return refusedAsStale({
        version: 4,
        changes: [
          changedByBob('city', 'Springfield', 'Decatur'),
          changedByBob('emrId', 'athenahealth', 'epic'),
          changedByBob('timezoneId', 'America/Chicago', 'Europe/Vienna'),
          changedByBob('tenantStatusId', 'live', 'suspended'),
          changedByBob('isActive', true, false),
          changedByBob('postponedTo', null, '2026-11-27'),
        ],
      });
    }),
  );
  await user.click(screen.getByRole('button', { name: `Edit ${NAME}` }));
  await findField('City');
  fill('City', 'Peoria');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changed meanwhile: nothing is saved yet');
  for (const change of [
    'City: Springfield → Decatur, by bob',
    'EMR: athenahealth → Epic, by bob',
    'Time Zone: (UTC-06:00) America/Chicago → (UTC+01:00) Europe/Vienna, by bob',
    'Status: Live → Suspended, by bob',
    'Active: Active → Inactive, by bob',
    'Put off to: (empty) → 2026-11-27, by bob',
  ]) {
    screen.getByText(change);
  }
  expect([field('City').value, field('EMR').value]).toEqual(['Peoria', 'epic']);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Active' }).checked).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Take theirs for City' }));
  expect(field('City').value).toBe('Decatur');
  fill('State', 'IA');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Success! Tenant has been updated.');
  expect(sent).toEqual([
    { version: 1, city: 'Peoria', emrId: 'athenahealth' },
    { version: 4, city: 'Decatur', emrId: 'epic' },
  ]);
});

test('a duplicated tenant is in the list afterwards [§4]', async () => {
  const { user } = await renderPage();
  answer(databaseRoutes.copy, 'Duplicated.', () => {
    tenants = [...tenants, makeTenant({ code: 'CEDAR2', customerCode: 'Cedar Two' })];
  });
  await choose(user, 'Duplicate');
  fill('New Tenant Code', 'CEDAR2');
  fireEvent.click(screen.getByRole('button', { name: 'Duplicate CEDARVA' }));
  await screen.findByText('Duplicated.');
  await screen.findByText('Displaying 2 of 2 results');
});

test('a deleted tenant is gone from the list [§4]', async () => {
  const { user } = await renderPage();
  answer(tenantRoutes.delete, 'Gone.', () => {
    tenants = [];
  });
  await choose(user, 'Delete');
  await findField('Tenant Code');
  fill('Tenant Code', 'CEDARVA');
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText('Successfully deleted tenant.');
  await screen.findByText('No tenants yet');
});
