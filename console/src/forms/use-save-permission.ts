import type { permissionRoutes } from '@apotheca/contract/permissions';
import type { BodyInput } from '@apotheca/contract/route';
import type { FieldValues } from 'react-hook-form';
import { useCreatePermissionMutation, useEditPermissionMutation } from '../api/permissions.ts';
import type { ZodForm } from '../components/form/form.tsx';
import type { FailurePlaces } from './use-failure.ts';
import { type Stamp, useSaveRecord } from './use-save-record.ts';
import type { StaleEdit } from './use-stale-edit.tsx';

interface SavePermissionOptions<Input extends FieldValues, Output> {
  form: ZodForm<Input, Output>;
  isNew: boolean;
  stale: StaleEdit;
  /** The permission or menu to send. */
  bodyOf: (fields: Output) => BodyInput<typeof permissionRoutes.create>;
  places?: FailurePlaces;
  onSaved: () => void;
}

/** Creates or changes a permission or menu (SPEC §7.3: one call for both) and shows the server's message. */
export function useSavePermission<Input extends FieldValues, Output>({
  bodyOf,
  ...options
}: SavePermissionOptions<Input, Output>) {
  const { isNew } = options;
  const [create] = useCreatePermissionMutation();
  const [edit] = useEditPermissionMutation();
  function send(fields: Output, { by, version, isSortOrderTyped }: Stamp) {
    const body = bodyOf(fields);
    if (isNew) return create({ ...body, createdBy: by });
    const { sortOrder, ...kept } = body;
    return edit({ ...kept, ...(isSortOrderTyped && { sortOrder }), version, updatedBy: by });
  }
  return useSaveRecord({ ...options, send });
}
