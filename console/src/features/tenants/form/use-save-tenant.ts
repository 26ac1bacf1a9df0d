import type { NewTenantFields, TenantFields } from '@apotheca/contract/tenant-form';
import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { useCreateTenantMutation, useEditTenantMutation } from '../../../api/tenants.ts';
import { type Stamp, useSaveRecord } from '../../../forms/use-save-record.ts';
import type { StaleEdit } from '../../../forms/use-stale-edit.tsx';
import type { TenantZodForm } from './tenant-form-types.ts';

/** The database name follows the code and has no field for typing: its errors are shown at the code. */
const AT_THE_CODE = { shownAt: { databaseName: 'code' } };
/** What conflicts of a new tenant is its code, unless the conflict names a field. */
const AT_THE_NEW_CODE = { ...AT_THE_CODE, conflictAt: 'code' };

interface SaveTenantOptions {
  form: TenantZodForm;
  /** The tenant to change; absent: one is created. */
  tenant?: Tenant;
  stale: StaleEdit;
  onSaved: () => void;
  /** Leads to the page of a new tenant. */
  onOpenPage?: ((code: string) => void) | undefined;
}

/** Creates or changes a tenant. */
export function useSaveTenant({ form, tenant, stale, onSaved, onOpenPage }: SaveTenantOptions) {
  const { t } = useTranslation();
  const [create] = useCreateTenantMutation();
  const [edit] = useEditTenantMutation();
  const send = ({ databaseServerId, ...fields }: NewTenantFields, { by, version }: Stamp) =>
    tenant
      ? edit({
          ...fields,
          id: tenant.id,
          version,
          updatedBy: by,
          name: nameToSend({ ...tenant, ...stale.theirs }, fields),
        })
      : create({ ...fields, ...(databaseServerId && { databaseServerId }), createdBy: by });
  const places = tenant ? AT_THE_CODE : AT_THE_NEW_CODE;
  const savedAction = ({ code }: TenantFields) =>
    tenant || !onOpenPage ? undefined : { label: t('tenants.openPage'), onSelect: () => onOpenPage(code) };
  return useSaveRecord({ form, isNew: tenant === undefined, stale, send, savedAction, places, onSaved });
}

/**
 * A name equal to the customer's is not sent, so that it follows a renamed customer.
 * @param before the tenant as the edit began, with what others have changed since then
 */
const nameToSend = (before: Tenant, { name }: TenantFields): string =>
  before.name === before.customerCode && name === before.name ? '' : name;
