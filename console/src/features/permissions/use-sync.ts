import type { PermissionSync, TenantsSync } from '@apotheca/contract/permissions';
import { useState } from 'react';
import { errorText, showError } from '../../api/http/answer-errors.ts';
import { useSyncPermissionsMutation, useSyncTenantsPermissionsMutation } from '../../api/permissions.ts';
import { notify } from '../../components/toast/toast.tsx';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';

/** What is synced: the catalogue into the console, or the console's permissions into one tenant or all of them. */
export type SyncScope = 'catalogue' | 'tenant' | 'tenants';

/** How the last sync went. */
export type SyncOutcome =
  | { sync: PermissionSync }
  | { tenants: TenantsSync['tenants'] }
  // All that a server says that does not tell what it changed.
  | { message: string }
  | { refusal: string };

/** Syncs permissions and shows the server's message. */
export function useSync() {
  const [outcome, setOutcome] = useState<SyncOutcome>();
  const [syncOne] = useSyncPermissionsMutation();
  const [syncTenants, { isLoading: isSyncingTenants }] = useSyncTenantsPermissionsMutation();
  const { run, isBusy } = useOneAtATime();

  async function syncInto(tenantId: string | undefined): Promise<SyncOutcome> {
    const { message, result } = await syncOne({ tenantId }).unwrap();
    notify.success(message);
    return result ? { sync: result } : { message };
  }
  async function syncIntoAll(): Promise<SyncOutcome> {
    const { message, result } = await syncTenants().unwrap();
    const hasFailed = result?.tenants.some(({ problem }) => problem !== undefined);
    notify[hasFailed ? 'warning' : 'success'](message);
    return result ?? { message };
  }
  async function attempt(work: () => Promise<SyncOutcome>) {
    setOutcome(undefined);
    try {
      setOutcome(await work());
    } catch (error) {
      showError(error);
      setOutcome({ refusal: errorText(error instanceof Object ? error : {}) });
    }
  }
  /** @param tenantId which one; only for the scope 'tenant' */
  const sync = (scope: SyncScope, tenantId?: string) =>
    run(() => attempt(() => (scope === 'tenants' ? syncIntoAll() : syncInto(tenantId))));
  return { sync, outcome, isSyncing: isBusy, isSyncingTenants, forget: () => setOutcome(undefined) };
}
