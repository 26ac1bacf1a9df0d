import type { duplicateTenantForm, Tenant } from '@apotheca/contract/tenants';
import type { z } from 'zod';
import { messageOfCopy, useCopyDatabaseMutation } from '../../api/databases.ts';
import type { ZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { useCallProgress } from '../../operations/use-call-progress.tsx';

type Values = z.input<typeof duplicateTenantForm>;
type DuplicateForm = ZodForm<Values, z.output<typeof duplicateTenantForm>>;

/** The dialog's one field stands for the new code and for the new database's name. */
const AT_THE_NEW_CODE = { shownAt: { tenantCode: 'newTenantCode', databaseName: 'newTenantCode' } };

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
  const { failure, fail } = useFailure(form, AT_THE_NEW_CODE);

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
      fail(error);
    }
  }
  return { duplicate, isDuplicating: isBusy, progress, failure };
}
