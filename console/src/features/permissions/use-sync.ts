import type { PermissionSync, TenantsSync } from '@apotheca/contract/permissions';
import type { Tenant } from '@apotheca/contract/tenants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { syncTenantsPermissions, useSyncPermissionsMutation } from '../../api/permissions.ts';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { useOperation } from '../../operations/use-operation.tsx';

/** What is synced: the catalogue into the console, or the console's permissions into one tenant or all of them. */
export type SyncScope = 'catalogue' | 'tenant' | 'tenants';

/** The result of the last sync. */
export type SyncOutcome =
  | { sync: PermissionSync }
  | { tenants: TenantsSync['tenants'] }
  // The answer of a server that does not say what was changed.
  | { message: string };

interface SyncOptions {
  /** Leads to the permissions of a tenant that was synced. */
  onOpenTenant: (code: string) => void;
  onClose: () => void;
}

/** Syncs permissions and shows the server's message. */
export function useSync({ onOpenTenant, onClose }: SyncOptions) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<SyncOutcome>();
  const [syncOne] = useSyncPermissionsMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail, clear } = useFailure();
  const tenants = useOperation(syncTenantsPermissions, {
    tell({ message, result }) {
      const hasFailed = result?.tenants.some(({ problem }) => problem !== undefined);
      notify[hasFailed ? 'warning' : 'success'](message);
    },
    onDone: ({ message, result }) => setOutcome(result ?? { message }),
    onRefused: fail,
    onFinished: () => undefined,
    onClose,
  });

  async function syncInto(tenant: Tenant | undefined) {
    const synced = await run(() => syncOne({ tenantId: tenant?.id }));
    if (!synced) return;
    if (!synced.data) return fail(synced.error);
    const { message, result } = synced.data;
    notify.success(message, tenant && { label: t('tenants.openPage'), onSelect: () => onOpenTenant(tenant.code) });
    setOutcome(result ? { sync: result } : { message });
  }
  /** @param tenant only for the scope 'tenant' */
  function sync(scope: SyncScope, tenant?: Tenant) {
    forget();
    return scope === 'tenants' ? tenants.start() : syncInto(tenant);
  }
  function forget() {
    setOutcome(undefined);
    clear();
  }
  const { progress } = tenants;
  return { sync, outcome, isSyncing: isBusy || tenants.isBusy, progress, failure, forget };
}
