import { deleteTenantForm, type Tenant } from '@apotheca/contract/tenants';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, showError } from '../../api/answer-errors.ts';
import { useDeleteTenantMutation } from '../../api/tenants.ts';
import { notify } from '../../components/toast.tsx';
import { TypeToConfirmDialog } from '../../components/type-to-confirm-dialog.tsx';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';

interface DeleteTenantDialogProps {
  show: boolean;
  tenant: Tenant;
  onClose: () => void;
}

/** Erases a tenant once its code was typed (SPEC §2.9). */
export function DeleteTenantDialog({ show, tenant, onClose }: DeleteTenantDialogProps) {
  const { t } = useTranslation();
  const [remove, { error }] = useDeleteTenantMutation();
  const { run, isBusy } = useOneAtATime();
  const schema = useMemo(() => deleteTenantForm(tenant.code), [tenant.code]);

  async function handleConfirm() {
    const outcome = await run(() => remove({ id: tenant.id }));
    if (!outcome) return;
    if (outcome.error) return void showError(outcome.error);
    notify.success(t('tenants.deleted'));
    onClose();
  }
  return (
    <TypeToConfirmDialog
      show={show}
      title={t('tenants.delete.title')}
      warning={<DeleteWarning name={tenant.customerCode} />}
      expected={tenant.code}
      label={t('tenants.delete.label')}
      schema={schema}
      confirmLabel={t('tenants.delete.confirm')}
      busy={isBusy}
      error={isBusy || !error ? undefined : errorText(error)}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}

function DeleteWarning({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <>
      <strong className="notice-title">{t('tenants.delete.warningTitle', { name })}</strong>
      {t('tenants.delete.warning')}
    </>
  );
}
