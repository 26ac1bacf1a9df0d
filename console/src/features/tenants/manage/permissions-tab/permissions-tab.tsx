import { permissionRoutes } from '@apotheca/contract/permissions';
import type { Tenant } from '@apotheca/contract/tenants';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { failureOf, showError } from '../../../../api/http/answer-errors.ts';
import { useSyncPermissionsMutation } from '../../../../api/permissions.ts';
import { Button } from '../../../../components/button/button.tsx';
import { FailureNotice } from '../../../../components/notice/failure-notice.tsx';
import { notify } from '../../../../components/toast/toast.tsx';
import { SyncComparison } from '../../../../operations/sync-comparison.tsx';
import { useRefusal } from '../../../../rights/rights.tsx';
import { TenantPermissions } from './tenant-permissions.tsx';

interface PermissionsTabProps {
  tenant: Tenant;
  /** Leads to them on the tenant's page; absent on that page. */
  onOpenPage?: ((code: string) => void) | undefined;
}

/** Syncs the console's permissions into the tenant's database, and switches them there (SPEC §2.8, Permissions). */
export function PermissionsTab({ tenant, onOpenPage }: PermissionsTabProps) {
  const { t } = useTranslation();
  const [sync, { data, error, isLoading }] = useSyncPermissionsMutation();
  const refusal = useRefusal();

  async function handleSync() {
    const outcome = await sync({ tenantId: tenant.id });
    if (outcome.error) return void showError(outcome.error);
    const { code } = tenant;
    const action = onOpenPage && { label: t('tenants.openPage'), onSelect: () => onOpenPage(code) };
    notify.success(t('tenants.manage.permissions.synced', { code }), action);
  }
  return (
    <div className="manage-stack">
      <div className="manage-head">
        <p>{t('tenants.manage.permissions.what')}</p>
        <Button icon={ShieldCheck} loading={isLoading} refusal={refusal(permissionRoutes.sync)} onClick={handleSync}>
          {t('tenants.manage.permissions.sync')}
        </Button>
      </div>
      {error && <FailureNotice failure={failureOf(error)} retry={{ onClick: handleSync }} />}
      {data && !isLoading && (
        <div className="manage-card">
          {data.result ? <SyncComparison sync={data.result} /> : <p role="status">{data.message}</p>}
        </div>
      )}
      <TenantPermissions tenantId={tenant.id} />
    </div>
  );
}
