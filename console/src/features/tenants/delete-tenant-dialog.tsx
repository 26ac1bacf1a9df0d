import { deleteTenantForm, type Tenant } from '@apotheca/contract/tenants';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showError } from '../../api/answer-errors.ts';
import { useDeleteTenantMutation } from '../../api/tenants.ts';
import { notify } from '../../components/toast.tsx';
import { TypeToConfirmDialog } from '../../components/type-to-confirm-dialog.tsx';

interface DeleteTenantDialogProps {
  show: boolean;
  tenant: Tenant;
  onClose: () => void;
}

/** Erases a tenant once its code was typed (SPEC §2.9). */
export function DeleteTenantDialog({ show, tenant, onClose }: DeleteTenantDialogProps) {
  const { t } = useTranslation();
  const [remove, { isLoading }] = useDeleteTenantMutation();
  const schema = useMemo(() => deleteTenantForm(tenant.code), [tenant.code]);

  async function handleConfirm() {
    try {
      await remove({ id: tenant.id }).unwrap();
      notify.success(t('tenants.deleted'));
      onClose();
    } catch (error) {
      showError(error);
    }
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
      busy={isLoading}
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
