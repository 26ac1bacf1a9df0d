import { duplicateTenantForm } from '@apotheca/contract/tenant-form';
import type { Tenant } from '@apotheca/contract/tenants';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SubmitModal } from '../../components/dialog/submit-modal.tsx';
import { UpperCaseField } from '../../components/field/upper-case-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { TenantSubtitle } from './tenant-subtitle.tsx';
import { useDuplicateTenant } from './use-duplicate-tenant.ts';

interface DuplicateTenantModalProps {
  show: boolean;
  tenant: Tenant;
  /** Leads to the page of the new tenant. */
  onOpenPage?: ((code: string) => void) | undefined;
  onClose: () => void;
}

/** Asks for the code of the new tenant (SPEC §2.10). */
export function DuplicateTenantModal({ show, tenant, onOpenPage, onClose }: DuplicateTenantModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useZodForm(duplicateTenantForm, { defaultValues: { newTenantCode: '' } });
  const { duplicate, isDuplicating, progress, failure } = useDuplicateTenant({
    form,
    tenant,
    onOpenPage,
    onClose,
  });
  return (
    <SubmitModal
      {...{ show, formId, progress, failure, onClose }}
      title={t('tenants.duplicate.title')}
      subtitle={<TenantSubtitle tenant={tenant} />}
      dirty={form.formState.isDirty}
      busy={isDuplicating}
      confirmLabel={t('tenants.duplicate.confirm', { code: tenant.code })}
    >
      <form id={formId} className="database-name-form" noValidate onSubmit={form.handleSubmit(duplicate)}>
        <p>{t('tenants.duplicate.what', { name: tenant.customerCode, database: tenant.databaseName })}</p>
        <Notice tone="warning">{t('databases.cloning.sessions', { name: tenant.databaseName })}</Notice>
        <UpperCaseField
          label={t('tenants.duplicate.newCode')}
          hint={t('tenants.duplicate.hint')}
          error={fieldError(form, 'newTenantCode')}
          className="field-code"
          required
          autoFocus
          {...form.register('newTenantCode')}
        />
      </form>
    </SubmitModal>
  );
}
