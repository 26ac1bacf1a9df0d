import { createTenantForm, editTenantForm, type TENANT_LIMITS } from '@apotheca/contract/tenant-form';
import { useTranslation } from 'react-i18next';
import { fieldError } from '../../../components/form/form.tsx';
import { requiredFields } from '../../../components/form/required-fields.ts';
import type { TenantMode, TenantZodForm } from './tenant-form-types.ts';

export type FieldName = keyof typeof createTenantForm.shape;
export type TextName = Exclude<keyof typeof TENANT_LIMITS, 'emrId' | 'databaseName'>;

const REQUIRED = {
  create: requiredFields(createTenantForm),
  edit: requiredFields(editTenantForm),
  view: new Set<string>(),
};

/** A rule about both fields is shown at the second. */
const PARTNERS: Partial<Record<FieldName, FieldName[]>> = { subscriptionStartDate: ['subscriptionEndDate'] };

/** Gives each field of the tenant form its label, message and registration, by the field's name. */
export function useTenantFields(form: TenantZodForm, mode: TenantMode) {
  const { t } = useTranslation();
  const readOnly = mode === 'view';
  const field = (name: FieldName) => ({
    label: t(`tenants.fields.${name}`),
    error: fieldError(form, name),
    required: REQUIRED[mode].has(name),
  });
  return {
    readOnly,
    /** Props of a text field. No `maxLength`: it silently cuts a pasted text; the message says what is too long. */
    text: (name: TextName) => ({
      ...field(name),
      ...form.register(name),
      autoComplete: 'off',
    }),
    date: (name: 'subscriptionStartDate' | 'subscriptionEndDate') => ({
      ...field(name),
      ...form.register(name, { deps: PARTNERS[name] }),
      type: 'date',
    }),
    number: (name: 'licenseCount') => ({
      ...field(name),
      ...form.register(name, { valueAsNumber: true }),
      type: 'number',
      min: 0,
    }),
    choice: (name: 'emrId' | 'tenantStatusId' | 'databaseServerId') => ({
      ...field(name),
      ...form.register(name),
    }),
    timezone: () => ({
      ...field('timezoneId'),
      ...form.register('timezoneId'),
      value: form.watch('timezoneId'),
      onChoose: (id: string) =>
        form.setValue('timezoneId', id, { shouldDirty: true, shouldTouch: true, shouldValidate: true }),
    }),
    check: (name: 'isActive') => ({ label: field(name).label, ...form.register(name) }),
    /** Props of a field that shows a value of the form without registering it. */
    shown: field,
  };
}

export type TenantFieldProps = ReturnType<typeof useTenantFields>;
