import type { Menu } from '@apotheca/contract/menus';
import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError } from '../../components/form/form.tsx';
import { PermissionFormFrame } from '../../forms/permission-form-frame.tsx';
import { IconField } from './icon-field.tsx';
import { useMenuFields } from './menu-fields.ts';
import type { MenuZodForm } from './menu-form-types.ts';
import type { ParentOption } from './parent-options.ts';

interface MenuFormProps {
  id: string;
  form: MenuZodForm;
  /** Absent for a new one. */
  menu?: Menu;
  /** The ids to choose from for a new one. */
  availableIds: readonly string[];
  parents: readonly ParentOption[];
  /** The identifiers in use, in lower case. */
  identifiers: ReadonlySet<string>;
  /** A notice above the fields, such as about another user's change. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The fields of a menu (SPEC §2.15). */
export function MenuForm({ id, form, menu, availableIds, parents, identifiers, notice, onSubmit }: MenuFormProps) {
  const { t } = useTranslation();
  const fields = useMenuFields(form, { parents, identifiers }, menu);
  const roles = menu
    ? undefined
    : { registration: form.register('roleIds'), chosen: form.watch('roleIds'), error: fieldError(form, 'roleIds') };
  return (
    <PermissionFormFrame
      {...{ id, notice, onSubmit }}
      sortOrder={fields.sortOrder}
      isActive={fields.isActive}
      roles={roles}
    >
      <SelectField
        {...fields.parentPermissionId}
        emptyLabel={t('menus.selectParent')}
        options={parents.map((parent) => ({ value: parent.id, label: parent.path }))}
        className="field-wide"
      />
      {menu ? (
        <TextField {...fields.id} required={false} readOnly className="field-wide field-code" />
      ) : (
        <SelectField
          {...fields.id}
          options={availableIds.map((one) => ({ value: one, label: one }))}
          className="field-wide field-code"
        />
      )}
      <TextField {...fields.name} />
      <TextField {...fields.route} className="field-code" />
      <IconField {...fields.icon} />
    </PermissionFormFrame>
  );
}
