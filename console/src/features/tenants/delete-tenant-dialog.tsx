import { deleteTenantForm } from '@apotheca/contract/tenant-form';
import type { Tenant } from '@apotheca/contract/tenants';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteTenant, usePlanTenantDeletionQuery } from '../../api/tenants.ts';
import { notify } from '../../components/toast/toast.tsx';
import { PlannedOperationDialog } from '../../operations/planned-operation-dialog.tsx';

interface DeleteTenantDialogProps {
  show: boolean;
  tenant: Tenant;
  /** Told of the end of the deletion, though the dialog was left. */
  onDeleted?: () => void;
  onClose: () => void;
}

/** Shows the plan of a tenant's deletion, and deletes the tenant once its code was typed (SPEC §2.9). */
export function DeleteTenantDialog({ show, tenant, onDeleted, onClose }: DeleteTenantDialogProps) {
  const { t } = useTranslation();
  const { id, code, customerCode } = tenant;
  const planQuery = usePlanTenantDeletionQuery({ id }, { refetchOnMountOrArgChange: true });
  const schema = useMemo(() => deleteTenantForm(code), [code]);
  const lead = (
    <>
      <strong className="notice-title">{t('tenants.delete.warningTitle', { name: customerCode })}</strong>
      <p className="mb-1">{t('tenants.delete.warning')}</p>
    </>
  );
  return (
    <PlannedOperationDialog
      {...{ show, planQuery, schema, onClose }}
      mutation={deleteTenant}
      argOf={(digest) => ({ id, plan: digest })}
      loadingPlan={t('tenants.delete.loadingPlan')}
      title={t('tenants.delete.title', { code })}
      lead={lead}
      expected={code}
      label={t('tenants.delete.label')}
      blocksPaste
      confirmLabel={t('tenants.delete.confirm')}
      onDone={onDeleted}
      tell={() => notify.success(t('tenants.deleted'))}
    />
  );
}
