import { PERMISSION_MODULES, type Permission } from '@apotheca/contract/permissions';
import type { FormEventHandler, ReactNode } from 'react';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError } from '../../components/form/form.tsx';
import { PermissionFormFrame } from '../../forms/permission-form-frame.tsx';
import { usePermissionFields } from './permission-fields.ts';
import type { PermissionZodForm } from './permission-form-types.ts';

interface PermissionFormProps {
  id: string;
  form: PermissionZodForm;
  /** Absent for a new one. */
  permission?: Permission;
  /** The ids to choose from for a new one. */
  availableIds: readonly string[];
  /** A notice above the fields, such as about another user's change. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

const optionOf = (value: string) => ({ value, label: value });
const MODULES = PERMISSION_MODULES.map(optionOf);

/** The fields of a permission (SPEC §3). */
export function PermissionForm({ id, form, permission, availableIds, notice, onSubmit }: PermissionFormProps) {
  const fields = usePermissionFields(form, {
    isNew: permission === undefined,
    isBuiltIn: permission?.isBuiltIn ?? false,
  });
  const roles = permission
    ? undefined
    : { registration: form.register('roleIds'), chosen: form.watch('roleIds'), error: fieldError(form, 'roleIds') };
  return (
    <PermissionFormFrame
      {...{ id, notice, onSubmit }}
      sortOrder={fields.sortOrder}
      isActive={fields.isActive}
      roles={roles}
    >
      {permission ? (
        <TextField {...fields.id} required={false} readOnly className="field-wide field-code" />
      ) : (
        <SelectField {...fields.id} options={availableIds.map(optionOf)} className="field-wide field-code" />
      )}
      <TextField {...fields.name} className="field-wide" />
      <SelectField {...fields.module} options={MODULES} />
      <TextField {...fields.identifier} className="field-code" />
    </PermissionFormFrame>
  );
}
