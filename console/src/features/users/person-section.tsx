import { useTranslation } from 'react-i18next';
import { TextAreaField } from '../../components/field/text-area-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { looksWrong } from '../../components/form/form.tsx';
import { looksLikePhone } from '../../lib/contact-texts.ts';
import type { UserFieldProps } from './user-fields.ts';
import type { UserZodForm } from './user-form-types.ts';
import { UserSection } from './user-section.tsx';

/** Names and contact of the user. */
export function PersonSection({ form, fields }: { form: UserZodForm; fields: UserFieldProps }) {
  const { t } = useTranslation();
  const isPhoneWrong = looksWrong(form, 'phone', looksLikePhone);
  return (
    <UserSection name="person">
      <TextField {...fields.text('fName')} />
      <TextField {...fields.text('lName')} />
      <TextField {...fields.text('mi')} />
      <TextField {...fields.text('title')} hint={t('users.hints.title')} />
      <TextField {...fields.shown('deaNumber')} />
      <TextField {...fields.text('phone')} type="tel" warning={isPhoneWrong ? t('users.warnings.phone') : undefined} />
      <TextAreaField {...fields.text('notes')} className="field-wide" />
    </UserSection>
  );
}
