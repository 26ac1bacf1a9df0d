import { type ServiceAccount, serviceAccountForm } from '@apotheca/contract/service-accounts';
import type { UserOptions } from '@apotheca/contract/users';
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
  const field = (name: keyof ServiceAccount) => ({
    ...form.register(name),
    label: t(`users.service.fields.${name}`),
    error: fieldError(form, name),
    required: REQUIRED.has(name),
    autoComplete: 'off',
  });
  return (
    <>
      <p>{t('users.service.what')}</p>
      <FormGrid>
        <TextField {...field('userName')} />
        <SelectField
          {...field('roleId')}
          options={roles.map(({ id, roleName }) => ({ value: id, label: roleName }))}
          hint={t('users.service.roleHint')}
        />
        <TextAreaField {...field('notes')} className="field-wide" />
      </FormGrid>
    </>
  );
}
