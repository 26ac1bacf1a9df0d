import { permissionRoutes } from '@apotheca/contract/permissions';
import { screen, waitFor } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { cedar, quietServer, renderManageAt } from '../../../testing/manage-tenant.tsx';
import { makeSync } from '../../../testing/permissions.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';

mockServer(...quietServer);

const sync = () => screen.getByRole('button', { name: 'Sync Permissions' });
const count = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test('Sync Permissions syncs this tenant, says so and shows what changed [§2.8] [§8]', async () => {
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
  const { user } = await renderManageAt('Permissions');
  await user.click(sync());
  await screen.findByText('Permission synced for CEDARVA');
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

test('a sync that is refused says why, and can be tried again [§8]', async () => {
  const why = 'You do not have the permission for this.';
  server.use(onRoute(permissionRoutes.sync, () => failed(403, why)));
  const { user } = await renderManageAt('Permissions');
  await user.click(sync());
  await waitFor(() => expect(screen.getAllByText(why)).toHaveLength(2));
  expect(screen.queryByText('Added')).toBeNull();
  server.use(onRoute(permissionRoutes.sync, () => ok(makeSync())));
  await user.click(sync());
  await screen.findByText('Permission synced for CEDARVA');
});
