import { tenantForm } from '@apotheca/contract/tenant-form';
import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { type StaleEdit, useStaleEdit } from '../../../forms/use-stale-edit.tsx';
import type { TenantZodForm } from './tenant-form-types.ts';
import type { TenantLookups } from './tenant-form-values.ts';

interface TenantStaleEditOptions {
  form: TenantZodForm;
  /** Absent for a new tenant. */
  tenant?: Tenant;
  /** Absent until loaded. */
  lookups?: TenantLookups;
}

/** The database name follows the code (SPEC §5). */
const DATABASE_FOLLOWS_CODE = { code: 'databaseName' };

/** Merges other users' changes to a tenant into its form, and names them in the form's words. */
export function useTenantStaleEdit({ form, tenant, lookups }: TenantStaleEditOptions): StaleEdit {
  const { t } = useTranslation();
  const named = (list: { id: string; name: string }[] = [], id: unknown) => list.find((one) => one.id === id)?.name;
  function labelOf(field: string): string {
    // No field of the form: the putting off has a button of its own.
    if (field === 'postponedTo') return t('tenants.fields.postponedTo');
    const name = tenantForm.keyof().options.find((one) => one === field);
    return name ? t(`tenants.fields.${name}`) : field;
  }
  function wordsOf(field: string, value: unknown): string | undefined {
    if (field === 'emrId') return named(lookups?.emrs, value);
    if (field === 'tenantStatusId') return named(lookups?.statuses, value);
    if (field === 'timezoneId') return lookups?.timezones.find(({ id }) => id === value)?.displayName;
    if (field === 'isActive') return t(value === true ? 'tenants.active' : 'tenants.inactive');
    return undefined;
  }
  return useStaleEdit({ form, version: tenant?.version, labelOf, wordsOf, followers: DATABASE_FOLLOWS_CODE });
}
