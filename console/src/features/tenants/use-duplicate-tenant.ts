import type { duplicateTenantForm, Tenant } from '@apotheca/contract/tenants';
import type { z } from 'zod';
import { showError } from '../../api/answer-errors.ts';
import { useDuplicateTenantMutation } from '../../api/tenants.ts';
import { applyServerErrors, type ZodForm } from '../../components/form.tsx';
import { notify } from '../../components/toast.tsx';
import { useOneAtATime } from './use-one-at-a-time.ts';

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
  const [copy] = useDuplicateTenantMutation();
  const { run, isBusy } = useOneAtATime();

  async function duplicate({ newTenantCode: code }: Values) {
    const query = {
      tenantCode: code,
      databaseName: code,
      copyFrom: tenant.databaseName,
      isCreateTenant: 'true',
    } as const;
    const outcome = await run(() => copy(query));
    if (!outcome) return;
    const { data, error } = outcome;
    if (error || FAILED.includes(data.status)) return showRefusal(form, error ?? data);
    notify.success(data.message);
    onDuplicated();
  }
  return { duplicate, isDuplicating: isBusy };
}

/** The dialog's one field stands for the new code and for the new database's name. */
function showRefusal(form: DuplicateForm, error: unknown) {
  const { tenantCode = [], databaseName = [] } = showError(error) ?? {};
  const messages = [...new Set([...tenantCode, ...databaseName])];
  if (messages.length > 0) applyServerErrors(form, { newTenantCode: messages });
}
