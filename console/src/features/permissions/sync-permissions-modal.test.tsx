import { permissionRoutes } from '@apotheca/contract/permissions';
import { type TenantPermission, tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { useListTenantPermissionsQuery } from '../../api/permissions.ts';
import { TENANTS_AS_LISTED } from '../../api/tenants.ts';
import { fillAndLeave, findField } from '../../testing/fields.ts';
import { mockOperation } from '../../testing/operations.ts';
import { makePermission, makeSync } from '../../testing/permissions.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { SyncPermissionsModal } from './sync-permissions-modal.tsx';

const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley' });
const lake = makeTenant({ code: 'LAKE', customerCode: 'Silver Lake' });

mockServer(onRoute(tenantRoutes.list, () => ok([cedar, lake])));

const compared = makeSync([
  { identifier: 'stock.view', name: 'View stock', outcome: 'added' },
  { identifier: 'stock.edit', name: 'Edit stock', outcome: 'added' },
  { identifier: 'orders.view', name: 'View orders', outcome: 'changed' },
  { identifier: 'fax.send', name: 'Send faxes', outcome: 'removed' },
  { identifier: 'reports.export', name: 'Export reports', outcome: 'kept' },
]);

function renderModal() {
  const [onClose, onOpenTenant] = [vi.fn(), vi.fn()];
  const modal = <SyncPermissionsModal show onOpenTenant={onOpenTenant} onClose={onClose} />;
  return { ...renderWithStore(modal), onClose, onOpenTenant };
}

/** Answers a sync, and keeps the queries it came with. */
function answerSync(result = compared, message = 'Permissions synced.') {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(permissionRoutes.sync, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok(result, message);
    }),
  );
  return queries;
}

const start = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Sync' });
const scope = (name: string) => screen.getByRole('radio', { name });
const count = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
const listed = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

test('the catalogue is synced into the console, and the changes are shown [DECISIONS §10]', async () => {
  const queries = answerSync();
  const { user } = renderModal();
  expect(scope('Built-in permissions → console').getAttribute('checked')).not.toBeNull();
  await user.click(start());
  await screen.findByText('Permissions synced.');
  expect(queries).toEqual([{}]);
  expect([count('Added'), count('Changed'), count('Removed'), count('Kept off')]).toEqual(['2', '1', '1', '1']);
  expect(listed('Added permissions')).toEqual(['View stock stock.view', 'Edit stock stock.edit']);
  expect(listed('Changed permissions')).toEqual(['View orders orders.view']);
  expect(listed('Removed permissions')).toEqual(['Send faxes fax.send']);
  expect(listed('Kept: switched off by the tenant')).toEqual(['Export reports reports.export']);
});

test('the tenants to choose from are those of the list, which has been loaded already [§2.14]', async () => {
  const { asked, answer } = keepQueries(tenantRoutes.list);
  server.use(answer([cedar, lake]));
  const { user } = renderModal();
  await user.click(scope('Console → one tenant'));
  await findField('Tenant');
  expect(asked).toEqual([TENANTS_AS_LISTED]);
});

test('a sync without changes says so [DECISIONS §10]', async () => {
  answerSync(makeSync());
  const { user } = renderModal();
  await user.click(start());
  await screen.findByText('Everything was up to date already.');
  expect(count('Added')).toBe('0');
  expect(screen.queryByRole('list', { name: 'Added permissions' })).toBeNull();
});

test('one tenant is synced, found by its code, and the toast leads to it [DECISIONS §10]', async () => {
  const queries = answerSync();
  const { user, onOpenTenant } = renderModal();
  await user.click(scope('Console → one tenant'));
  const tenant = await screen.findByRole('combobox', { name: 'Tenant' });
  expect(start().disabled).toBe(true);
  await user.type(tenant, 'lak');
  expect(start().disabled).toBe(true);
  await user.type(tenant, 'e');
  await user.click(start());
  await screen.findByText('Permissions synced.');
  expect(queries).toEqual([{ tenantId: lake.id }]);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(onOpenTenant.mock.calls).toEqual([['LAKE']]);
  await user.type(tenant, 'X');
  expect(screen.queryByText('Added')).toBeNull();
});

test('the suggested tenants contain the typed text in their code or name [DECISIONS §10]', async () => {
  const { user, container } = renderModal();
  await user.click(scope('Console → one tenant'));
  await user.type(await screen.findByRole('combobox', { name: 'Tenant' }), 'valley');
  const options = container.ownerDocument.querySelectorAll<HTMLOptionElement>('datalist option');
  expect([...options].map(({ value }) => value)).toEqual(['CEDARVA']);
});

test('an unknown code is reported [DECISIONS §10]', async () => {
  const { user } = renderModal();
  await user.click(scope('Console → one tenant'));
  await findField('Tenant');
  fillAndLeave('Tenant', 'NOBODY');
  await screen.findByText('No tenant has this code.');
  expect(start().disabled).toBe(true);
});

test('tenants that could not be loaded can be loaded again [§8]', async () => {
  server.use(onRoute(tenantRoutes.list, () => failed(503, 'Unavailable.')));
  const { user } = renderModal();
  await user.click(scope('Console → one tenant'));
  await screen.findByText('Unavailable.');
  server.use(onRoute(tenantRoutes.list, () => ok([cedar])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findField('Tenant');
});

test('all tenants are synced: each shows its counts, or why it failed [DECISIONS §10]', async () => {
  server.use(
    onRoute(permissionRoutes.syncTenants, () =>
      ok(
        {
          tenants: [
            { tenantId: cedar.id, tenantCode: 'CEDARVA', sync: compared },
            { tenantId: lake.id, tenantCode: 'LAKE', problem: 'Its database cannot be reached.' },
          ],
        },
        '1 tenant was synced, 1 failed.',
      ),
    ),
  );
  const { user } = renderModal();
  await user.click(scope('Console → all tenants'));
  await user.click(start());
  await screen.findByText('1 tenant was synced, 1 failed.');
  const texts = (name: RegExp) =>
    within(screen.getByRole('row', { name }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  expect(texts(/CEDARVA/)).toEqual(['Synced', '2', '1', '1', '1']);
  expect(texts(/LAKE/)).toEqual(['Its database cannot be reached.', '–', '–', '–', '–']);
  screen.getByText('Displaying 2 of 2 results');
});

test.each([
  ['succeeded', () => ok({ tenants: [] }, 'Permissions synced.')],
  ['failed after some of them', () => failed(503, 'The database cannot be reached.')],
])("a sync of all tenants that %s reloads a tenant's permissions [DECISIONS §10]", async (_, answer) => {
  function Shown() {
    const { data = [] } = useListTenantPermissionsQuery({ tenantId: cedar.id });
    return <p>{data.map(({ name }) => name).join()}</p>;
  }
  const { id, module, identifier, isMenu, isActive } = makePermission();
  const stored: TenantPermission = { id, module, identifier, isMenu, isActive, name: 'View stock' };
  server.use(
    onRoute(tenantPermissionRoutes.list, () => ok([stored])),
    onRoute(permissionRoutes.syncTenants, () => {
      stored.name = 'View all stock';
      return answer();
    }),
  );
  const { user } = renderWithStore(
    <>
      <Shown />
      <SyncPermissionsModal show onOpenTenant={() => {}} onClose={() => {}} />
    </>,
  );
  await screen.findByText('View stock');
  await user.click(scope('Console → all tenants'));
  await user.click(start());
  await screen.findByText('View all stock');
});

test('a sync of all tenants shows its progress, and can be left or cancelled [DECISIONS §8]', async () => {
  const operation = mockOperation(permissionRoutes.syncTenants, {
    kind: 'sync-tenants',
    databaseName: 'all tenants',
    steps: ['Syncing tenants', 'Finishing'],
    step: 0,
    percent: 35,
  });
  const { user } = renderModal();
  await user.click(scope('Console → all tenants'));
  await user.click(start());
  await screen.findByText('35 %');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(operation.cancels).toBe(1));
  operation.cancel('The sync was cancelled after 1 of 2 tenants. Those stay synced.');
  await waitFor(() => expect(screen.getAllByText(/^The sync was cancelled after 1 of 2 tenants/)).not.toHaveLength(0));
  expect(start().disabled).toBe(true);
  await waitFor(() => expect(start().disabled).toBe(false));
});

test('a toast tells the end of a sync that was left in the background [DECISIONS §8]', async () => {
  const operation = mockOperation(permissionRoutes.syncTenants, { kind: 'sync-tenants', databaseName: 'all tenants' });
  const { user, onClose } = renderModal();
  await user.click(scope('Console → all tenants'));
  await user.click(start());
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  expect(onClose).toHaveBeenCalledOnce();
  operation.succeed('Permissions synced for 2 tenants.', { tenants: [] });
  await screen.findByText('Permissions synced for 2 tenants.');
});

test('without tenants it says so [DECISIONS §10]', async () => {
  server.use(onRoute(permissionRoutes.syncTenants, () => ok({ tenants: [] }, 'There was nothing to sync.')));
  const { user } = renderModal();
  await user.click(scope('Console → all tenants'));
  await user.click(start());
  await screen.findByText('There are no tenants to sync.');
});

test('a refusal says why, and the sync can be retried [§8]', async () => {
  server.use(onRoute(permissionRoutes.sync, () => failed(403, 'Not allowed.')));
  const { user } = renderModal();
  await user.click(start());
  await waitFor(() => expect(screen.getAllByText('Not allowed.')).toHaveLength(2));
  answerSync();
  await user.click(start());
  await screen.findByText('Added permissions');
});

test('while it runs nothing can be chosen, and a second click does nothing [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(permissionRoutes.sync, () => {
      calls += 1;
      return new Promise<HttpResponse<null>>(() => {});
    }),
  );
  const { user, onClose } = renderModal();
  await user.click(start());
  await waitFor(() => expect(start().ariaBusy).toBe('true'));
  await user.click(start());
  await user.keyboard('{Escape}');
  expect(calls).toBe(1);
  expect(onClose).not.toHaveBeenCalled();
});
