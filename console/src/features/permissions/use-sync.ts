import type { PermissionSync, TenantsSync } from '@apotheca/contract/permissions';
import { useState } from 'react';
import { errorText, showError } from '../../api/http/answer-errors.ts';
import { syncTenantsPermissions, useSyncPermissionsMutation } from '../../api/permissions.ts';
import { notify } from '../../components/toast/toast.tsx';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { useOperation } from '../../operations/use-operation.tsx';

/** What is synced: the catalogue into the console, or the console's permissions into one tenant or all of them. */
export type SyncScope = 'catalogue' | 'tenant' | 'tenants';

/** The result of the last sync. */
export type SyncOutcome =
  | { sync: PermissionSync }
  | { tenants: TenantsSync['tenants'] }
  // The answer of a server that does not say what was changed.
  | { message: string }
  | { refusal: string };

/** Syncs permissions and shows the server's message. */
export function useSync(onClose: () => void) {
  const [outcome, setOutcome] = useState<SyncOutcome>();
  const [syncOne] = useSyncPermissionsMutation();
  const { run, isBusy } = useOneAtATime();
  const tenants = useOperation(syncTenantsPermissions, {
    tell({ message, result }) {
      const hasFailed = result?.tenants.some(({ problem }) => problem !== undefined);
      notify[hasFailed ? 'warning' : 'success'](message);
    },
    onDone: ({ message, result }) => setOutcome(result ?? { message }),
    onRefused: refuse,
    onFinished: () => undefined,
    onClose,
  });

  function refuse(error: unknown) {
    showError(error);
    setOutcome({ refusal: errorText(error instanceof Object ? error : {}) });
  }
  async function syncInto(tenantId: string | undefined) {
    const synced = await run(() => syncOne({ tenantId }));
    if (!synced) return;
    if (!synced.data) return refuse(synced.error);
    const { message, result } = synced.data;
    notify.success(message);
    setOutcome(result ? { sync: result } : { message });
  }
  /** @param tenantId only for the scope 'tenant' */
  function sync(scope: SyncScope, tenantId?: string) {
    setOutcome(undefined);
    return scope === 'tenants' ? tenants.start() : syncInto(tenantId);
  }
  const { progress } = tenants;
  return { sync, outcome, isSyncing: isBusy || tenants.isBusy, progress, forget: () => setOutcome(undefined) };
}
