import { permissionRoutes } from '@apotheca/contract/permissions';
import { type TenantPermission, tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { api } from '../../../../api/http/client.ts';
import { cedar, quietServer, renderManageAt } from '../../../../testing/manage-tenant.tsx';
import { makeSync } from '../../../../testing/permissions.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../../testing/server.ts';

mockServer(...quietServer);

const sync = () => screen.getByRole('button', { name: 'Sync Permissions' });
const count = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test('Sync Permissions syncs this tenant, shows a message that leads to them, and the changes [§2.8] [§8]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(permissionRoutes.sync, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok(
        makeSync([
          { identifier: 'stock.view', name: 'View stock', outcome: 'added' },
          { identifier: 'reports.export', name: 'Export reports', outcome: 'kept' },
        ]),
        'Permissions synced.',
      );
    }),
  );
  const { user, onOpenPermissions } = await renderManageAt('Permissions');
  await user.click(sync());
  await screen.findByText('Permission synced for CEDARVA');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(onOpenPermissions.mock.calls).toEqual([['CEDARVA']]);
  expect(queries).toEqual([{ tenantId: cedar.id }]);
  expect([count('Added'), count('Changed'), count('Removed'), count('Kept off')]).toEqual(['1', '0', '0', '1']);
  screen.getByRole('list', { name: 'Added permissions' });
  screen.getByText('reports.export');
});

test('while it runs the button is busy, and takes no second click [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(permissionRoutes.sync, () => {
      calls += 1;
      return new Promise<HttpResponse<null>>(() => {});
    }),
  );
  const { user } = await renderManageAt('Permissions');
  await user.click(sync());
  await waitFor(() => expect(sync().ariaBusy).toBe('true'));
  await user.click(sync());
  expect(calls).toBe(1);
});

test('a refused sync says why, and can be retried [§8]', async () => {
  const why = 'You do not have the permission for this.';
  server.use(onRoute(permissionRoutes.sync, () => failed(403, why)));
  const { user } = await renderManageAt('Permissions');
  await user.click(sync());
  await waitFor(() => expect(screen.getAllByText(why)).toHaveLength(2));
  // Read out once, by the toast.
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  screen.getByText('Somebody who may change roles can give it to you; then retry.');
  expect(screen.queryByText('Added')).toBeNull();
  server.use(onRoute(permissionRoutes.sync, () => ok(makeSync())));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Permission synced for CEDARVA');
});

const permission = (n: number, fields: Partial<TenantPermission> = {}): TenantPermission => ({
  id: `p${n}`,
  module: n % 2 === 0 ? 'Inventory' : 'Rx',
  name: `Permission ${n}`,
  identifier: `rx.${n}`,
  isMenu: false,
  isActive: true,
  ...fields,
});
const own = () => within(screen.getByRole('region', { name: 'Permissions of this tenant' }));
const switches = () => own().getAllByRole<HTMLInputElement>('switch');

/** A tenant with this many permissions, which the mocked server stores. */
function storePermissions(count: number) {
  const held = Array.from({ length: count }, (_, n) => permission(n));
  const calls: Record<string, string>[] = [];
  server.use(
    onRoute(tenantPermissionRoutes.list, () => ok(held)),
    onRoute(tenantPermissionRoutes.set, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      calls.push(query);
      const at = held.findIndex(({ identifier }) => identifier === query.identifier);
      held[at] = permission(at, { isActive: query.isActive === 'true' });
      return ok({ identifier: query.identifier, isActive: query.isActive === 'true' }, 'Permission 3 is off.');
    }),
  );
  return calls;
}

test('the tenant has a switch for each of its permissions, by module, and a search [§2.8]', async () => {
  storePermissions(300);
  await renderManageAt('Permissions');
  await own().findByText('300 of 300, 0 off');
  expect(
    own()
      .getAllByRole('group')
      .map((group) => group.querySelector('legend')?.textContent),
  ).toEqual(['Inventory', 'Rx']);
  fireEvent.change(own().getByRole('searchbox', { name: 'Filter permissions of this tenant' }), {
    target: { value: 'rx.299' },
  });
  await own().findByText('1 of 300, 0 off');
  expect(switches().map((one) => one.labels?.[0]?.textContent)).toEqual(['Permission 299 rx.299']);
  fireEvent.change(own().getByRole('searchbox'), { target: { value: 'nobody' } });
  await own().findByText('No permissions match.');
  fireEvent.click(own().getByRole('button', { name: 'Clear filter' }));
  await own().findByText('300 of 300, 0 off');
  expect(document.activeElement).toBe(own().getByRole('searchbox'));
});

test('a switch works by keyboard, shows a message and keeps its state [DECISIONS §10]', async () => {
  const calls = storePermissions(4);
  const { user } = await renderManageAt('Permissions');
  const third = await own().findByRole<HTMLInputElement>('switch', { name: 'Permission 3 rx.3' });
  expect(third.checked).toBe(true);
  third.focus();
  await user.keyboard(' ');
  await screen.findByText('Permission 3 is off.');
  expect(calls).toEqual([{ tenantId: cedar.id, identifier: 'rx.3', isActive: 'false' }]);
  await own().findByText('4 of 4, 1 off');
  expect(switches().filter(({ checked }) => !checked)).toEqual([third]);
  expect(document.activeElement).toBe(third);
});

test('a switch can be undone from its toast [§8]', async () => {
  const calls = storePermissions(4);
  const { user } = await renderManageAt('Permissions');
  await user.click(await own().findByRole('switch', { name: 'Permission 3 rx.3' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls.map(({ isActive }) => isActive)).toEqual(['false', 'true']));
  await own().findByText('4 of 4, 0 off');
});

test('a refused switch moves back, and says why [§8]', async () => {
  storePermissions(2);
  server.use(onRoute(tenantPermissionRoutes.set, () => failed(403, 'You do not have the permission for this.')));
  const { user } = await renderManageAt('Permissions');
  await user.click(await own().findByRole('switch', { name: /Permission 1/ }));
  await screen.findByText('You do not have the permission for this.');
  await waitFor(() => expect(switches().every(({ checked }) => checked)).toBe(true));
});

test('a refused switch leaves the others as they are by then [§8]', async () => {
  const held = [0, 1, 2].map((n) => ({ ...permission(n), module: 'Rx' }));
  const switchOff = (n: number) => held.splice(n, 1, { ...permission(n, { isActive: false }), module: 'Rx' });
  const answers = Array.from({ length: 3 }, () => Promise.withResolvers<Response>());
  server.use(
    onRoute(tenantPermissionRoutes.list, () => ok(held)),
    onRoute(tenantPermissionRoutes.set, ({ request }) => {
      const at = Number(new URL(request.url).searchParams.get('identifier')?.slice(3));
      return answers[at]?.promise as Promise<HttpResponse<null>>;
    }),
  );
  const { user } = await renderManageAt('Permissions');
  const shown = () => switches().map(({ checked }) => checked);
  await user.click(await own().findByRole('switch', { name: /Permission 0/ }));
  await user.click(own().getByRole('switch', { name: /Permission 1/ }));
  switchOff(1);
  // By a colleague.
  switchOff(2);
  answers[1]?.resolve(ok({ identifier: 'rx.1', isActive: false }, 'Permission 1 is off.'));
  await screen.findByText('Permission 1 is off.');
  await waitFor(() => expect(shown()[2]).toBe(false));
  answers[0]?.resolve(failed(409, 'It conflicts.'));
  await screen.findByText('It conflicts.');
  await waitFor(() => expect(shown()[0]).toBe(true));
  expect(shown()).toEqual([true, false, false]);
});

test('a refused switch shows what somebody else has made of it meanwhile [§8]', async () => {
  let held = [permission(0), permission(1)];
  let loads = 0;
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantPermissionRoutes.list, () => {
      loads += 1;
      return ok(held);
    }),
    onRoute(tenantPermissionRoutes.set, async () => {
      await answer.promise;
      return failed(409, 'It conflicts.');
    }),
  );
  const { user } = await renderManageAt('Permissions');
  await user.click(await own().findByRole('switch', { name: /Permission 0/ }));
  held = [permission(0, { isActive: false }), permission(1)];
  const before = loads;
  answer.resolve();
  await screen.findByText('It conflicts.');
  await waitFor(() => expect(loads).toBeGreaterThan(before));
  await waitFor(() => expect(switches().map(({ checked }) => checked)).toEqual([false, true]));
});

test('a switch whose answer was lost shows what the tenant has [§8]', async () => {
  const held = [permission(0), permission(1)];
  server.use(
    onRoute(tenantPermissionRoutes.list, () => ok(held)),
    onRoute(tenantPermissionRoutes.set, () => {
      held[1] = permission(1, { isActive: false });
      return HttpResponse.error();
    }),
  );
  const { user } = await renderManageAt('Permissions');
  await user.click(await own().findByRole('switch', { name: /Permission 1/ }));
  await screen.findByText(/cannot be reached/);
  await waitFor(() => expect(switches().map(({ checked }) => checked)).toEqual([true, false]));
});

test('a tenant without permissions says where they come from; a failed load can be retried [§2.8]', async () => {
  server.use(onRoute(tenantPermissionRoutes.list, () => failed(503, 'Away.')));
  const { user } = await renderManageAt('Permissions');
  expect((await own().findByRole('alert')).textContent).toContain('Away.');
  server.use(onRoute(tenantPermissionRoutes.list, () => ok([])));
  await user.click(own().getByRole('button', { name: 'Retry' }));
  await own().findByText(/has no permissions yet/);
});

test('permissions that are refused are not shown any more [DECISIONS §5]', async () => {
  storePermissions(4);
  const { store } = await renderManageAt('Permissions');
  await own().findByText('4 of 4, 0 off');
  server.use(onRoute(tenantPermissionRoutes.list, () => failed(403, 'You may not.')));
  act(() => void store.dispatch(api.util.invalidateTags(['TenantPermissions'])));
  await own().findByText('You may not.', { exact: false });
  expect(own().queryByRole('switch')).toBeNull();
});
