import type { duplicateTenantForm, Tenant } from '@apotheca/contract/tenants';
import { useRef } from 'react';
import type { z } from 'zod';
import { showError } from '../../api/answer-errors.ts';
import { useDuplicateTenantMutation } from '../../api/tenants.ts';
import { applyServerErrors, type ZodForm } from '../../components/form.tsx';
import { notify } from '../../components/toast.tsx';

type Values = z.input<typeof duplicateTenantForm>;
type DuplicateForm = ZodForm<Values, z.output<typeof duplicateTenantForm>>;

interface DuplicateTenantOptions {
  form: DuplicateForm;
  tenant: Tenant;
  onDuplicated: () => void;
}

/** Statuses with which an answer of copydatabase says that nothing was copied (SPEC §7.3, §8). */
const FAILED: readonly number[] = [400, 409, 500];

/** Copies a tenant under a new code, with a database of that name (SPEC §7.3). */
export function useDuplicateTenant({ form, tenant, onDuplicated }: DuplicateTenantOptions) {
  const [copy, { isLoading }] = useDuplicateTenantMutation();
  const busy = useRef(false);

  async function duplicate({ newTenantCode: code }: Values) {
    if (busy.current) return;
    busy.current = true;
    try {
      const query = {
        tenantCode: code,
        databaseName: code,
        copyFrom: tenant.databaseName,
        isCreateTenant: 'true',
      } as const;
      const { status, message } = await copy(query).unwrap();
      if (FAILED.includes(status)) throw { status, message };
      notify.success(message);
      onDuplicated();
    } catch (error) {
      showRefusal(form, error);
    } finally {
      busy.current = false;
    }
  }
  return { duplicate, isDuplicating: isLoading };
}

/** The dialog's one field stands for the new code and for the new database's name. */
function showRefusal(form: DuplicateForm, error: unknown) {
  const errors = showError(error) ?? {};
  const messages = [...(errors.tenantCode ?? []), ...(errors.databaseName ?? [])];
  if (messages.length > 0) applyServerErrors(form, { newTenantCode: [...new Set(messages)] });
}
