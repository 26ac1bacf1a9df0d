import type { Permission } from '@apotheca/contract/permissions';
import { useTranslation } from 'react-i18next';
import { type StaleEdit, useStaleEdit } from '../../forms/use-stale-edit.tsx';
import type { FieldName } from './permission-fields.ts';
import type { PermissionZodForm } from './permission-form-types.ts';

const FIELDS: readonly FieldName[] = ['id', 'name', 'module', 'identifier', 'sortOrder', 'isActive'];

/** Merges other users' changes to a permission into its form, and names them in the form's words. */
export function usePermissionStaleEdit(form: PermissionZodForm, permission: Permission | undefined): StaleEdit {
  const { t } = useTranslation();
  function labelOf(field: string): string {
    const name = FIELDS.find((one) => one === field);
    return name ? t(`permissions.fields.${name}`) : field;
  }
  const wordsOf = (field: string, value: unknown) =>
    field === 'isActive' ? t(value === true ? 'permissions.active' : 'permissions.inactive') : undefined;
  return useStaleEdit({ form, version: permission?.version, labelOf, wordsOf });
}
