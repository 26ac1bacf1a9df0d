import type { Tenant } from '@apotheca/contract/tenants';
import type { FormEventHandler, ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { FormPlaceholder } from '../../../components/form/form-placeholder.tsx';
import { FormView } from '../../../components/form/form-view.tsx';
import { AddressSection } from './address-section.tsx';
import { ContactSection } from './contact-section.tsx';
import { DatabaseInfoSection } from './database-info-section.tsx';
import { LicenceInfoSection } from './licence-info-section.tsx';
import { OtherDetailsSection } from './other-details-section.tsx';
import { useTenantFields } from './tenant-fields.ts';
import type { TenantMode, TenantZodForm } from './tenant-form-types.ts';
import type { TenantLookups } from './tenant-form-values.ts';

interface TenantFormProps {
  ref: Ref<HTMLFormElement>;
  id: string;
  form: TenantZodForm;
  tenant?: Tenant;
  mode: TenantMode;
  /** Absent until loaded: a select keeps its value only if it has the option. */
  lookups?: TenantLookups;
  isError: boolean;
  /** A notice above the fields, such as about another user's change. */
  notice?: ReactNode;
  onRetry: () => void;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The fields of a tenant in the sections of SPEC §2.7. */
export function TenantForm({ ref, id, form, tenant, mode, lookups, isError, notice, ...on }: TenantFormProps) {
  const fields = useTenantFields(form, mode);
  if (!lookups) return <LookupsPlaceholder isError={isError} onRetry={on.onRetry} />;
  return (
    <form ref={ref} id={id} noValidate onSubmit={on.onSubmit}>
      {notice}
      <FormView form={form} isText={mode === 'view'}>
        <ContactSection form={form} fields={fields} />
        <AddressSection fields={fields} />
        <OtherDetailsSection fields={fields} lookups={lookups} />
        <DatabaseInfoSection form={form} fields={fields} tenant={tenant} />
        <LicenceInfoSection fields={fields} />
      </FormView>
    </form>
  );
}

function LookupsPlaceholder(state: Pick<TenantFormProps, 'isError' | 'onRetry'>) {
  const { t } = useTranslation();
  return (
    <FormPlaceholder
      loadingText={t('tenants.modal.loading')}
      failedText={t('tenants.modal.lookupsFailed')}
      {...state}
    />
  );
}
