import { useTranslation } from 'react-i18next';
import { TextField } from '../../components/text-field.tsx';
import { UpperCaseField } from '../../components/upper-case-field.tsx';
import { looksLikeEmail, looksLikePhone } from './contact-warnings.ts';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';
import type { TenantZodForm } from './tenant-form-types.ts';

interface ContactSectionProps {
  form: TenantZodForm;
  fields: TenantFieldProps;
}

/** Who the customer is and whom to reach there. */
export function ContactSection({ form, fields }: ContactSectionProps) {
  const { t } = useTranslation();
  const doubtOf = (name: 'email' | 'phone', looksRight: (text: string) => boolean) => {
    const { isDirty, isTouched } = form.getFieldState(name, form.formState);
    const value = form.watch(name) ?? '';
    // Not while it is typed for the first time.
    const isWritten = !fields.readOnly && value !== '' && (isTouched || !isDirty);
    return isWritten && !looksRight(value) ? t(`tenants.warnings.${name}`) : undefined;
  };
  const emailWarning = doubtOf('email', looksLikeEmail);
  const phoneWarning = doubtOf('phone', looksLikePhone);
  return (
    <FormSection id="contact">
      <TextField {...fields.text('customerCode')} autoFocus={!fields.readOnly} />
      <CodeField form={form} fields={fields} />
      <TextField {...fields.text('firstName')} />
      <TextField {...fields.text('lastName')} />
      <TextField {...fields.text('email')} type="email" warning={emailWarning} />
      <TextField {...fields.text('phone')} type="tel" warning={phoneWarning} />
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
