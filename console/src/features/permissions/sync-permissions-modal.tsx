import type { Tenant } from '@apotheca/contract/tenants';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { DialogButtons } from '../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { useFreshButtons } from '../../components/dialog/use-fresh-buttons.ts';
import { Notice } from '../../components/notice/notice.tsx';
import { SyncComparison } from '../../operations/sync-comparison.tsx';
import { SyncScopeChoice } from './sync-scope-choice.tsx';
import { TenantChoice } from './tenant-choice.tsx';
import { TenantsSyncTable } from './tenants-sync-table.tsx';
import { type SyncOutcome, type SyncScope, useSync } from './use-sync.ts';

interface SyncPermissionsModalProps {
  show: boolean;
  /** Leads to the permissions of a tenant that was synced. */
  onOpenTenant: (code: string) => void;
  onClose: () => void;
}

/** Chooses what to sync, syncs it and shows what changed (SPEC §2.14, DECISIONS §10). */
export function SyncPermissionsModal({ show, onOpenTenant, onClose }: SyncPermissionsModalProps) {
  const { t } = useTranslation();
  const [scope, setScope] = useState<SyncScope>('catalogue');
  const [tenant, setTenant] = useState<Tenant>();
  const { sync, outcome, isSyncing, progress, failure, forget } = useSync({ onOpenTenant, onClose });

  function handleScope(next: SyncScope) {
    setScope(next);
    setTenant(undefined);
    forget();
  }
  function handlePick(next: Tenant | undefined) {
    setTenant(next);
    forget();
  }
  const isFresh = useFreshButtons(progress);
  const buttons = (
    <DialogButtons isBusy={isSyncing} closeText={t('permissions.sync.close')} onClose={onClose}>
      <Button
        icon={RefreshCw}
        disabled={isFresh || (scope === 'tenant' && !tenant)}
        loading={isSyncing}
        onClick={() => sync(scope, tenant)}
      >
        {t('permissions.sync.start')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      show={show}
      title={t('permissions.sync.title')}
      size="lg"
      footer={progress ?? buttons}
      busy={isSyncing}
      failure={failure}
      retry={{ onClick: () => sync(scope, tenant) }}
      onClose={onClose}
    >
      <div className="sync-stack">
        <SyncScopeChoice scope={scope} onChange={handleScope} />
        {scope === 'tenant' && <TenantChoice onPick={handlePick} />}
        {outcome && <Outcome outcome={outcome} />}
      </div>
    </Modal>
  );
}

function Outcome({ outcome }: { outcome: SyncOutcome }) {
  if ('sync' in outcome) return <SyncComparison sync={outcome.sync} />;
  if ('tenants' in outcome) return <TenantsSyncTable tenants={outcome.tenants} />;
  return <Notice tone="success">{outcome.message}</Notice>;
}
