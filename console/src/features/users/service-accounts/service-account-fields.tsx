import { type ServiceAccount, serviceAccountForm } from '@apotheca/contract/service-accounts';
import type { UserOptions } from '@apotheca/contract/users';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextAreaField } from '../../../components/field/text-area-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError, type ZodForm } from '../../../components/form/form.tsx';
import { FormGrid } from '../../../components/form/form-view.tsx';
import { requiredFields } from '../../../components/form/required-fields.ts';

interface ServiceAccountFieldsProps {
  form: ZodForm<z.input<typeof serviceAccountForm>, ServiceAccount>;
  roles: UserOptions['roles'];
}

const REQUIRED = requiredFields(serviceAccountForm);

/** The fields of a service account. */
export function ServiceAccountFields({ form, roles }: ServiceAccountFieldsProps) {
  const { t } = useTranslation();
  const shown = (name: keyof ServiceAccount) => ({
    label: t(`users.service.fields.${name}`),
    error: fieldError(form, name),
    required: REQUIRED.has(name),
  });
  const text = (name: 'userName' | 'notes') => ({ ...shown(name), ...form.register(name), autoComplete: 'off' });
  return (
    <>
      <p>{t('users.service.what')}</p>
      <FormGrid>
        <TextField {...text('userName')} />
        {/* Controlled, as a native select drops a value whose option is not loaded yet. */}
        <Controller
          control={form.control}
          name="roleId"
          render={({ field }) => (
            <SelectField
              {...shown('roleId')}
              {...field}
              options={roles.map(({ id, roleName }) => ({ value: id, label: roleName }))}
              hint={t('users.service.roleHint')}
            />
          )}
        />
        <TextAreaField {...text('notes')} className="field-wide" />
      </FormGrid>
    </>
  );
}
