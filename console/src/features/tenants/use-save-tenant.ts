import type { Tenant, TenantFields } from '@apotheca/contract/tenants';
import { useRef } from 'react';
import { useSelector } from 'react-redux';
import { showError } from '../../api/answer-errors.ts';
import { isApiError } from '../../api/api-error.ts';
import { selectSession } from '../../api/session-slice.ts';
import { useCreateTenantMutation, useEditTenantMutation } from '../../api/tenants.ts';
import { applyServerErrors } from '../../components/form.tsx';
import { notify } from '../../components/toast.tsx';
import type { TenantZodForm } from './tenant-form-types.ts';

interface SaveTenantOptions {
  form: TenantZodForm;
  /** The tenant to be changed; absent: one is created. */
  tenant?: Tenant;
  onSaved: () => void;
}

/** Creates or changes a tenant; what the server refuses is shown at its fields, and nothing that was typed is lost. */
export function useSaveTenant({ form, tenant, onSaved }: SaveTenantOptions) {
  const { id: userId } = useSelector(selectSession);
  const [create, { isLoading: isCreating }] = useCreateTenantMutation();
  const [edit, { isLoading: isEditing }] = useEditTenantMutation();
  const busy = useRef(false);

  const send = (fields: TenantFields) =>
    tenant
      ? edit({ ...fields, id: tenant.id, updatedBy: userId || null }).unwrap()
      : create({ ...fields, createdBy: userId || null }).unwrap();

  async function save(fields: TenantFields) {
    // Two quick Enters submit twice before the button is drawn as loading.
    if (busy.current) return;
    busy.current = true;
    try {
      const { message } = await send(fields);
      notify.success(message);
      onSaved();
    } catch (error) {
      showRefusal(form, error, tenant === undefined);
    } finally {
      busy.current = false;
    }
  }
  return { save, isSaving: isCreating || isEditing };
}

function showRefusal(form: TenantZodForm, error: unknown, isNew: boolean) {
  const errors = showError(error);
  if (errors) applyServerErrors(form, errors);
  // Nothing but the code of a new tenant can conflict, so a conflict that names no field is about it.
  else if (isNew && isApiError(error) && error.status === 409) applyServerErrors(form, { code: [error.message] });
}
