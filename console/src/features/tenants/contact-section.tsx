import { useTranslation } from 'react-i18next';
import { TextField } from '../../components/text-field.tsx';
import { UpperCaseField } from '../../components/upper-case-field.tsx';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';
import type { TenantZodForm } from './tenant-form-types.ts';

interface ContactSectionProps {
  form: TenantZodForm;
  fields: TenantFieldProps;
}

/** Who the customer is and whom to reach there. */
export function ContactSection({ form, fields }: ContactSectionProps) {
  return (
    <FormSection id="contact">
      <TextField {...fields.text('customerCode')} autoFocus={!fields.readOnly} />
      <CodeField form={form} fields={fields} />
      <TextField {...fields.text('firstName')} />
      <TextField {...fields.text('lastName')} />
      <TextField {...fields.text('email')} type="email" />
      <TextField {...fields.text('phone')} type="tel" />
    </FormSection>
  );
}

/** The tenant code, which is copied into the database name as it is typed (SPEC §5). */
function CodeField({ form, fields }: ContactSectionProps) {
  const { t } = useTranslation();
  const { onChange, ...props } = fields.text('code');
  function handleChange(event: { target: HTMLInputElement }) {
    void onChange(event);
    form.setValue('databaseName', event.target.value.toUpperCase(), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
  }
  return <UpperCaseField {...props} className="field-code" hint={t('tenants.hints.code')} onChange={handleChange} />;
}
