import type { Tenant, TenantFields } from '@apotheca/contract/tenants';
import { useSelector } from 'react-redux';
import { showError } from '../../../api/http/answer-errors.ts';
import { useCreateTenantMutation, useEditTenantMutation } from '../../../api/tenants.ts';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import type { StaleEdit } from '../../../forms/use-stale-edit.tsx';
import { useUnchanged } from '../../../forms/use-unchanged.ts';
import { useOneAtATime } from '../../../lib/use-one-at-a-time.ts';
import { selectSession } from '../../../session/session-slice.ts';
import { type ApiError, isApiError } from '../../../transport/api-error.ts';
import type { TenantZodForm } from './tenant-form-types.ts';

interface SaveTenantOptions {
  form: TenantZodForm;
  /** The tenant to be changed; absent: one is created. */
  tenant?: Tenant;
  stale: Pick<StaleEdit, 'version' | 'takeIn'>;
  onSaved: () => void;
}

/** Creates or changes a tenant; what the server refuses is shown at its fields, and nothing that was typed is lost. */
export function useSaveTenant({ form, tenant, stale, onSaved }: SaveTenantOptions) {
  const { id: userId } = useSelector(selectSession);
  const [create] = useCreateTenantMutation();
  const [edit] = useEditTenantMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, keep } = useFailure(form);
  const isUnchanged = useUnchanged(form);

  const stampOf = ({ id }: Tenant) => ({ id, version: stale.version, updatedBy: userId || null });
  const send = (fields: TenantFields) =>
    tenant
      ? edit({ ...fields, ...stampOf(tenant), name: nameToSend(tenant, fields) })
      : create({ ...fields, createdBy: userId || null });

  function handleRefusal(error: unknown) {
    // Nothing but the code of a new tenant can conflict, so a conflict that names no field is about it.
    const isAboutCode = !tenant && isApiError(error) && error.status === 409;
    keep(error, showError(error) ?? (isAboutCode ? { code: [error.message] } : undefined), atTheCode);
  }
  async function save(fields: TenantFields) {
    if (tenant && isUnchanged()) return onSaved();
    const outcome = await run(() => send(fields));
    if (!outcome) return;
    if (outcome.error) {
      if (stale.takeIn(outcome.error)) return void showError(outcome.error);
      return handleRefusal(outcome.error);
    }
    notify.success(outcome.data.message);
    onSaved();
  }
  return { save, isSaving: isBusy, failure };
}

/** A name that was but the customer's is left to the server, so that it follows a customer that is renamed. */
const nameToSend = (before: Tenant, { name }: TenantFields): string =>
  before.name === before.customerCode && name === before.name ? '' : name;

/** The database name follows the code and cannot be typed in: what is wrong with it is put right at the code. */
function atTheCode({ databaseName, ...others }: NonNullable<ApiError['errors']>): NonNullable<ApiError['errors']> {
  return databaseName ? { ...others, code: [...new Set([...(others.code ?? []), ...databaseName])] } : others;
}
