import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { ManageTenantModal } from '../features/tenants/manage/manage-tenant-modal.tsx';
import { makeSchedule } from './backup-schedules.ts';
import { makeDatabase, makeDetails } from './databases.ts';
import { renderWithStore } from './render.tsx';
import { ok, onRoute } from './server.ts';
import { makePurgePlan } from './tenant-data.ts';
import { makeTenant } from './tenants.ts';

export const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley Allergy' });

export const cedarsDatabase = makeDatabase({ databaseName: 'CEDARVA', tenantCode: 'CEDARVA' });

const details = makeDetails({
  id: cedarsDatabase.id,
  databaseName: 'CEDARVA',
  tables: TENANT_TABLE_NAMES.map((name, index) => ({ name, rows: 1000 + index, sizeBytes: 8192 })),
});

/** Answers of a server without running operations. */
export const quietServer = [
  onRoute(databaseRoutes.details, () => ok(details)),
  onRoute(databaseRoutes.list, () => ok([cedarsDatabase])),
  onRoute(backupRoutes.list, () => ok([])),
  onRoute(backupScheduleRoutes.get, () => ok(makeSchedule())),
  onRoute(operationRoutes.list, () => ok([])),
  onRoute(purgeRoutes.listPurges, () => ok([])),
  onRoute(tenantPermissionRoutes.list, () => ok([])),
  onRoute(purgeRoutes.planPurge, ({ request }) => {
    const tables = new URL(request.url).searchParams.get('tables') ?? '';
    return ok(makePurgePlan(tables.split(',')), 'That many rows are removed.');
  }),
];

/** Opens the Manage Tenant modal. */
export function renderManage() {
  const [onClose, onOpenPermissions] = [vi.fn(), vi.fn()];
  const modal = <ManageTenantModal show tenant={cedar} onOpenPermissions={onOpenPermissions} onClose={onClose} />;
  return { ...renderWithStore(modal), onClose, onOpenPermissions };
}

/** The modal itself, not a dialog above it. */
export const manageDialog = () => within(screen.getByRole('dialog', { name: 'Manage Tenant', hidden: true }));

/** Opens the modal with one of its tabs. */
export async function renderManageAt(tab: string) {
  const view = renderManage();
  await view.user.click(screen.getByRole('tab', { name: tab }));
  return view;
}

/** Ticks tables of a group by their names in it. */
export async function tick(
  user: Awaited<ReturnType<typeof renderManageAt>>['user'],
  group: string,
  ...labels: string[]
) {
  for (const label of labels) {
    const name = group === 'Others' ? label : `${group} ${label}`;
    await user.click(within(screen.getByRole('group', { name: group })).getByRole('checkbox', { name }));
  }
}

/** The button that opens the confirmation of a purge. */
export const proceedButton = () =>
  manageDialog().getByRole<HTMLButtonElement>('button', { name: /^(Proceed|Delete data from)/, hidden: true });

export const REASON = 'shots stays: shot extensions has 1,204 rows that refer to it';

/** A server where 'shots' cannot be purged. */
export const shotsStay = (fields: Parameters<typeof makePurgePlan>[1] = {}) =>
  onRoute(purgeRoutes.planPurge, ({ request }) => {
    const tables = (new URL(request.url).searchParams.get('tables') ?? '').split(',');
    const tablesNotDeleted = tables.includes('shots') ? [{ name: 'shots', reason: REASON }] : [];
    const emptied = tables.filter((name) => name !== 'shots');
    return ok(makePurgePlan(emptied, { tablesNotDeleted, ...fields }), 'They can be put back.');
  });
