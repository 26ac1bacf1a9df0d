import type { duplicateTenantForm } from '@apotheca/contract/tenant-form';
import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { copyDatabase } from '../../api/databases.ts';
import type { ZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOperation } from '../../operations/use-operation.tsx';

type Values = z.input<typeof duplicateTenantForm>;
type DuplicateForm = ZodForm<Values, z.output<typeof duplicateTenantForm>>;

/** The dialog has one field for the new code and the new database's name. */
const AT_THE_NEW_CODE = { shownAt: { tenantCode: 'newTenantCode', databaseName: 'newTenantCode' } };

interface DuplicateTenantOptions {
  form: DuplicateForm;
  tenant: Tenant;
  /** Leads to the page of the new tenant. */
  onOpenPage: ((code: string) => void) | undefined;
  onClose: () => void;
}

/** Copies a tenant under a new code, with a database of that name (SPEC §7.3). */
export function useDuplicateTenant({ form, tenant, onOpenPage, onClose }: DuplicateTenantOptions) {
  const { failure, fail } = useFailure(form, AT_THE_NEW_CODE);
  const { t } = useTranslation();
  const { start, isBusy, progress } = useOperation(copyDatabase, {
    onRefused: fail,
    onClose,
    tell: ({ message }, { tenantCode = '' }) =>
      notify.success(message, onOpenPage && { label: t('tenants.openPage'), onSelect: () => onOpenPage(tenantCode) }),
  });
  const duplicate = ({ newTenantCode: code }: Values) =>
    start({ tenantCode: code, databaseName: code, copyFrom: tenant.databaseName, isCreateTenant: 'true' });
  return { duplicate, isDuplicating: isBusy, progress, failure };
}
