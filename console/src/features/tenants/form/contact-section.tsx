import { useTranslation } from 'react-i18next';
import { TextField } from '../../../components/field/text-field.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { looksWrong } from '../../../components/form/form.tsx';
import { looksLikeEmail, looksLikePhone } from '../../../lib/contact-texts.ts';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';
import type { TenantZodForm } from './tenant-form-types.ts';

interface ContactSectionProps {
  form: TenantZodForm;
  fields: TenantFieldProps;
}

/** The customer and the contact person. */
export function ContactSection({ form, fields }: ContactSectionProps) {
  const { t } = useTranslation();
  const warningOf = (name: 'email' | 'phone', looksRight: (text: string) => boolean) =>
    looksWrong(form, name, looksRight) ? t(`tenants.warnings.${name}`) : undefined;
  const emailWarning = warningOf('email', looksLikeEmail);
  const phoneWarning = warningOf('phone', looksLikePhone);
  return (
    <FormSection id="contact">
      <TextField {...fields.text('customerCode')} autoFocus />
      <CodeField form={form} fields={fields} />
      <TextField {...fields.text('firstName')} />
      <TextField {...fields.text('lastName')} />
      <TextField {...fields.text('email')} type="email" warning={emailWarning} />
      <TextField {...fields.text('phone')} type="tel" warning={phoneWarning} />
    </FormSection>
  );
}

/** The tenant code, which is copied into the database name during typing (SPEC §5). */
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
  // A renamed database keeps its own name.
  const isDatabaseName = form.watch('code') === form.watch('databaseName');
  const hint = isDatabaseName ? t('tenants.hints.code') : undefined;
  return <UpperCaseField {...props} className="field-code" hint={hint} onChange={handleChange} />;
}
