import type { DeletionPlan } from '@apotheca/contract/plan';
import { deleteTenantForm, type Tenant } from '@apotheca/contract/tenants';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteTenant, usePlanTenantDeletionQuery } from '../../api/tenants.ts';
import { TypeToConfirmDialog } from '../../components/dialog/type-to-confirm-dialog.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { PlanFigures } from '../../operations/plan-figures.tsx';
import { usePlannedOperation } from '../../operations/use-planned-operation.tsx';

interface DeleteTenantDialogProps {
  show: boolean;
  tenant: Tenant;
  onClose: () => void;
}

/** Erases a tenant once its code was typed; what goes with it is found out first (SPEC §2.9). */
export function DeleteTenantDialog({ show, tenant, onClose }: DeleteTenantDialogProps) {
  const { t } = useTranslation();
  const { id, code, customerCode } = tenant;
  const plan = usePlanTenantDeletionQuery({ id }, { refetchOnMountOrArgChange: true });
  const operation = usePlannedOperation(deleteTenant, {
    plan,
    checkingText: t('tenants.delete.checking'),
    argOf: (digest) => ({ id, plan: digest }),
    tell: () => notify.success(t('tenants.deleted')),
    onClose,
  });
  const schema = useMemo(() => deleteTenantForm(code), [code]);
  return (
    <TypeToConfirmDialog
      {...operation}
      show={show}
      title={t('tenants.delete.title', { code })}
      warning={plan.data && <DeleteWarning name={customerCode} message={plan.data.message} plan={plan.data.result} />}
      expected={code}
      label={t('tenants.delete.label')}
      schema={schema}
      blocksPaste
      confirmLabel={t('tenants.delete.confirm')}
      onCancel={onClose}
    />
  );
}

function DeleteWarning({ name, message, plan }: { name: string; message: string; plan: DeletionPlan }) {
  const { t } = useTranslation();
  return (
    <>
      <strong className="notice-title">{t('tenants.delete.warningTitle', { name })}</strong>
      <p className="mb-1">{t('tenants.delete.warning')}</p>
      {message}
      <PlanFigures plan={plan} />
    </>
  );
}
