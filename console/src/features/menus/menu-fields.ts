import type { Menu } from '@apotheca/contract/menus';
import { editMenuForm, identifierOf, TOP_MENU_ROUTE } from '@apotheca/contract/permissions';
import { useTranslation } from 'react-i18next';
import { fieldError } from '../../components/form/form.tsx';
import { requiredFields } from '../../components/form/required-fields.ts';
import type { MenuZodForm } from './menu-form-types.ts';
import { routeOfName, routeToSend } from './menu-route.ts';
import type { ParentOption } from './parent-options.ts';

export type FieldName = 'parentPermissionId' | 'id' | 'name' | 'route' | 'icon' | 'sortOrder' | 'isActive';

const REQUIRED = requiredFields(editMenuForm);

interface Known {
  parents: readonly ParentOption[];
  /** The identifiers in use, in lower case. */
  identifiers: ReadonlySet<string>;
}

/** Gives each field of the menu form its label, message and registration, by the field's name. @param menu as it is stored; absent: a new one */
export function useMenuFields(form: MenuZodForm, { parents, identifiers }: Known, menu?: Menu) {
  const { t } = useTranslation();
  const [identifier, parentPermissionId, name, icon] = form.watch(['identifier', 'parentPermissionId', 'name', 'icon']);
  const field = (one: FieldName) => ({
    label: t(`menus.fields.${one}`),
    error: fieldError(form, one),
    required: one !== 'isActive' && REQUIRED.has(one),
  });
  const isTaken = !menu && identifiers.has((identifier ?? '').toLowerCase());
  const isTop = routeToSend({ name, parentPermissionId }, menu) === TOP_MENU_ROUTE;

  function handleNameChange({ target }: { target: { value: string } }) {
    form.setValue('route', routeOfName(target.value, menu), { shouldValidate: true });
    // A stored menu keeps its identifier under a new name, as roles and tenants refer to it.
    if (!menu) form.setValue('identifier', identifierOf(target.value), { shouldValidate: true });
  }
  function handleParentChange({ target }: { target: { value: string } }) {
    form.setValue('route', routeOfName(form.getValues('name'), menu));
    const parent = parents.find(({ id }) => id === target.value);
    if (!parent || menu) return;
    form.setValue('icon', parent.icon, { shouldDirty: true, shouldValidate: true });
  }
  return {
    parentPermissionId: {
      ...field('parentPermissionId'),
      ...form.register('parentPermissionId', { onChange: handleParentChange }),
    },
    id: { ...field('id'), ...form.register('id') },
    name: {
      ...field('name'),
      ...form.register('name', { onChange: handleNameChange }),
      error: fieldError(form, 'name') ?? fieldError(form, 'identifier'),
      hint: identifier ? t(`menus.hints.${isTaken ? 'takenIdentifier' : 'identifier'}`, { identifier }) : undefined,
      autoComplete: 'off',
    },
    route: {
      ...field('route'),
      ...form.register('route'),
      hint: t(isTop ? 'menus.hints.topRoute' : 'menus.hints.route', { route: TOP_MENU_ROUTE }),
      readOnly: true,
    },
    icon: {
      ...field('icon'),
      ...form.register('icon'),
      hint: t('menus.hints.icon'),
      autoComplete: 'off',
      chosen: icon,
      onPick: (picked: string) =>
        form.setValue('icon', picked, { shouldDirty: true, shouldTouch: true, shouldValidate: true }),
    },
    sortOrder: { ...field('sortOrder'), ...form.register('sortOrder', { valueAsNumber: true }) },
    isActive: { ...field('isActive'), ...form.register('isActive') },
  };
}
