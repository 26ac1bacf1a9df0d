import type { duplicateTenantForm, Tenant } from '@apotheca/contract/tenants';
import type { z } from 'zod';
import { showError } from '../../api/answer-errors.ts';
import { messageOfCopy, useCopyDatabaseMutation } from '../../api/databases.ts';
import { useCallProgress } from '../../api/use-call-progress.tsx';
import { applyServerErrors, type ZodForm } from '../../components/form.tsx';
import { notify } from '../../components/toast.tsx';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';

type Values = z.input<typeof duplicateTenantForm>;
type DuplicateForm = ZodForm<Values, z.output<typeof duplicateTenantForm>>;

interface DuplicateTenantOptions {
  form: DuplicateForm;
  tenant: Tenant;
  onClose: () => void;
}

/** Copies a tenant under a new code, with a database of that name (SPEC §7.3). */
export function useDuplicateTenant({ form, tenant, onClose }: DuplicateTenantOptions) {
  const [copy] = useCopyDatabaseMutation();
  const { run, isBusy } = useOneAtATime();
  const { progress, isInBackground } = useCallProgress('copyDatabase', isBusy, onClose);

  async function duplicate({ newTenantCode: code }: Values) {
    const query = {
      tenantCode: code,
      databaseName: code,
      copyFrom: tenant.databaseName,
      isCreateTenant: 'true',
    } as const;
    const outcome = await run(() => copy(query));
    if (!outcome) return;
    try {
      if (outcome.error) throw outcome.error;
      notify.success(messageOfCopy(outcome.data));
      if (!isInBackground()) onClose();
    } catch (error) {
      showRefusal(form, error);
    }
  }
  return { duplicate, isDuplicating: isBusy, progress };
}

/** The dialog's one field stands for the new code and for the new database's name. */
function showRefusal(form: DuplicateForm, error: unknown) {
  const { tenantCode = [], databaseName = [] } = showError(error) ?? {};
  const messages = [...new Set([...tenantCode, ...databaseName])];
  if (messages.length > 0) applyServerErrors(form, { newTenantCode: messages });
}
