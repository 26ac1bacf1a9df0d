import { createTenantForm, editTenantForm } from '@apotheca/contract/tenant-form';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FormModalFooter } from '../../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { useKeptState } from '../../../components/form/drafts.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import { TenantSubtitle } from '../tenant-subtitle.tsx';
import { SectionNav } from './section-nav.tsx';
import { TenantForm } from './tenant-form.tsx';
import type { TenantMode } from './tenant-form-types.ts';
import { newTenantValues } from './tenant-form-values.ts';
import { sectionsWithErrors } from './tenant-sections.ts';
import { useSaveTenant } from './use-save-tenant.ts';
import { useSectionSpy } from './use-section-spy.ts';
import { useTenantLookups } from './use-tenant-lookups.ts';
import { useTenantStaleEdit } from './use-tenant-stale-edit.ts';

interface TenantModalProps {
  show: boolean;
  /** The tenant to edit or view; absent: create one. */
  tenant?: Tenant;
  /** A view can be turned into an edit. */
  mode: TenantMode;
  /** Leads to the page of a new tenant. */
  onOpenPage?: ((code: string) => void) | undefined;
  onClose: () => void;
}

/** The tenant modal in its three modes (SPEC §2.7). */
export function TenantModal({ show, tenant, mode: opened, onOpenPage, onClose }: TenantModalProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [mode, setMode] = useKeptState('mode', opened);
  const formId = useId();
  const { lookups, isError, retry } = useTenantLookups();
  const values = useMemo(() => lookups && (tenant ?? newTenantValues(lookups)), [lookups, tenant]);
  const form = useZodForm(tenant ? editTenantForm : createTenantForm, {
    values,
    resetOptions: { keepDirtyValues: true },
  });
  const stale = useTenantStaleEdit({ form, tenant, lookups });
  const { save, isSaving, failure } = useSaveTenant({ form, tenant, stale, onSaved: onClose, onOpenPage });
  const spy = useSectionSpy(lookups !== undefined);
  return (
    <Modal
      show={show}
      title={t(`tenants.modal.${mode}Title`)}
      subtitle={tenant ? <TenantSubtitle tenant={tenant} /> : t('tenants.modal.createSubtitle')}
      size="xl"
      bodyHeight="73vh"
      dirty={mode !== 'view' && form.formState.isDirty}
      isText={mode === 'view'}
      busy={isSaving}
      failure={failure}
      retry={{ type: 'submit', form: formId }}
      aside={<SectionNav active={spy.active} faulty={sectionsWithErrors(form)} onChoose={spy.goTo} />}
      footer={
        <FormModalFooter
          {...{ mode, formId, isSaving }}
          isReady={lookups !== undefined}
          edit={{ refusal: refusal(tenantRoutes.edit), onClick: () => setMode('edit') }}
        />
      }
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
        notice={stale.notice}
        onRetry={retry}
        onSubmit={form.handleSubmit(save)}
      />
    </Modal>
  );
}
