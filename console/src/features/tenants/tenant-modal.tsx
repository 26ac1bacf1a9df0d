import { type Tenant, tenantForm } from '@apotheca/contract/tenants';
import { type ReactNode, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { useZodForm } from '../../components/form.tsx';
import { Modal } from '../../components/modal.tsx';
import { useModalClose } from '../../components/use-modal-close.ts';
import { SectionNav } from './section-nav.tsx';
import { TenantForm } from './tenant-form.tsx';
import type { TenantMode } from './tenant-form-types.ts';
import { newTenantValues } from './tenant-form-values.ts';
import { sectionsWithErrors } from './tenant-sections.ts';
import { TenantSubtitle } from './tenant-subtitle.tsx';
import { useSaveTenant } from './use-save-tenant.ts';
import { useSectionSpy } from './use-section-spy.ts';
import { useTenantLookups } from './use-tenant-lookups.ts';

interface TenantModalProps {
  show: boolean;
  /** The tenant to edit or view; absent: create one. */
  tenant?: Tenant;
  mode: TenantMode;
  onClose: () => void;
}

/** The tenant modal in its three modes (SPEC §2.7). */
export function TenantModal({ show, tenant, mode, onClose }: TenantModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { lookups, isError, retry } = useTenantLookups();
  const values = useMemo(() => lookups && (tenant ?? newTenantValues(lookups)), [lookups, tenant]);
  const form = useZodForm(tenantForm, { values, resetOptions: { keepDirtyValues: true } });
  const { save, isSaving } = useSaveTenant({ form, tenant, onSaved: onClose });
  const spy = useSectionSpy(lookups !== undefined);
  return (
    <Modal
      show={show}
      title={t(`tenants.modal.${mode}Title`)}
      subtitle={tenant ? <TenantSubtitle tenant={tenant} /> : t('tenants.modal.createSubtitle')}
      size="xl"
      bodyHeight="73vh"
      dirty={mode !== 'view' && form.formState.isDirty}
      busy={isSaving}
      aside={<SectionNav active={spy.active} faulty={sectionsWithErrors(form)} onChoose={spy.goTo} />}
      footer={<TenantModalFooter mode={mode} formId={formId} isReady={lookups !== undefined} isSaving={isSaving} />}
      onClose={onClose}
    >
      <TenantForm
        ref={spy.form}
        id={formId}
        form={form}
        tenant={tenant}
        mode={mode}
        lookups={lookups}
        isError={isError}
        onRetry={retry}
        onSubmit={form.handleSubmit(save)}
      />
    </Modal>
  );
}

interface TenantModalFooterProps {
  mode: TenantMode;
  formId: string;
  isReady: boolean;
  isSaving: boolean;
}

function TenantModalFooter({ mode, formId, isReady, isSaving }: TenantModalFooterProps): ReactNode {
  const { t } = useTranslation();
  const close = useModalClose();
  if (mode === 'view') {
    return (
      <Button variant="secondary" onClick={close}>
        {t('tenants.modal.close')}
      </Button>
    );
  }
  return (
    <>
      <span className="modal-footer-note">{t('tenants.modal.required')}</span>
      <Button variant="secondary" disabled={isSaving} onClick={close}>
        {t('tenants.modal.cancel')}
      </Button>
      <Button type="submit" form={formId} disabled={!isReady} loading={isSaving}>
        {t(mode === 'create' ? 'tenants.modal.create' : 'tenants.modal.save')}
      </Button>
    </>
  );
}
