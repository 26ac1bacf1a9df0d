import { editPermissionForm, identifierOf } from '@apotheca/contract/permissions';
import { useTranslation } from 'react-i18next';
import { fieldError } from '../../components/form/form.tsx';
import { requiredFields } from '../../components/form/required-fields.ts';
import type { PermissionZodForm } from './permission-form-types.ts';

export type FieldName = 'id' | 'name' | 'module' | 'identifier' | 'sortOrder' | 'isActive';

const REQUIRED = requiredFields(editPermissionForm);

interface PermissionFieldsOptions {
  /** The identifier follows the name until the user types an identifier. */
  isNew: boolean;
  /** The server's code depends on it, so only its name and place can be changed. */
  isBuiltIn: boolean;
}

/** Gives each field of the permission form its label, message and registration, by the field's name. */
export function usePermissionFields(form: PermissionZodForm, { isNew, isBuiltIn }: PermissionFieldsOptions) {
  const { t } = useTranslation();
  // Read during rendering, so that the form tracks it.
  const { dirtyFields } = form.formState;
  const field = (name: FieldName) => ({
    label: t(`permissions.fields.${name}`),
    error: fieldError(form, name),
    required: name !== 'isActive' && REQUIRED.has(name),
  });
  const builtIn = isBuiltIn ? t('permissions.hints.builtIn') : undefined;

  function handleNameChange({ target }: { target: { value: string } }) {
    if (!isNew || dirtyFields.identifier) return;
    form.setValue('identifier', identifierOf(target.value), { shouldValidate: true });
  }
  return {
    id: { ...field('id'), ...form.register('id') },
    name: { ...field('name'), ...form.register('name', { onChange: handleNameChange }), autoComplete: 'off' },
    // Not registered while disabled, as the form leaves disabled fields out of its values.
    module: isBuiltIn
      ? { ...field('module'), value: form.watch('module'), disabled: true, hint: builtIn }
      : { ...field('module'), ...form.register('module') },
    identifier: {
      ...field('identifier'),
      ...form.register('identifier'),
      autoComplete: 'off',
      readOnly: isBuiltIn,
      hint: builtIn ?? t(isNew ? 'permissions.hints.identifier' : 'permissions.hints.keptIdentifier'),
    },
    sortOrder: { ...field('sortOrder'), ...form.register('sortOrder', { valueAsNumber: true }) },
    isActive: isBuiltIn
      ? { ...field('isActive'), checked: form.watch('isActive'), readOnly: true, disabled: true, hint: builtIn }
      : { ...field('isActive'), ...form.register('isActive') },
  };
}
