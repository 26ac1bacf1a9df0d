import type { Menu } from '@apotheca/contract/menus';
import { useTranslation } from 'react-i18next';
import { type StaleEdit, useStaleEdit } from '../../forms/use-stale-edit.tsx';
import type { FieldName } from './menu-fields.ts';
import type { MenuZodForm } from './menu-form-types.ts';
import type { ParentOption } from './parent-options.ts';

const FIELDS: readonly FieldName[] = ['parentPermissionId', 'id', 'name', 'route', 'icon', 'sortOrder', 'isActive'];

/** The route follows the name (SPEC §4), and whether there is a route follows the parent (SPEC §7.3). */
const ROUTE_FOLLOWS = { name: 'route', parentPermissionId: 'route' };

/** Merges other users' changes to a menu into its form, and names them in the form's words. */
export function useMenuStaleEdit(form: MenuZodForm, parents: readonly ParentOption[], menu?: Menu): StaleEdit {
  const { t } = useTranslation();
  function labelOf(field: string): string {
    const name = FIELDS.find((one) => one === field);
    return name ? t(`menus.fields.${name}`) : field;
  }
  function wordsOf(field: string, value: unknown): string | undefined {
    if (field === 'parentPermissionId') return parents.find(({ id }) => id === value)?.path;
    if (field === 'isActive') return t(value === true ? 'menus.active' : 'menus.inactive');
    return undefined;
  }
  return useStaleEdit({ form, version: menu?.version, labelOf, wordsOf, followers: ROUTE_FOLLOWS });
}
