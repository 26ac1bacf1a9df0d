import { useTranslation } from 'react-i18next';
import { TextAreaField } from '../../components/text-area-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { UserFieldProps } from './user-fields.ts';
import { UserSection } from './user-section.tsx';

/** Who the user is. */
export function PersonSection({ fields }: { fields: UserFieldProps }) {
  const { t } = useTranslation();
  return (
    <UserSection name="person">
      <TextField {...fields.text('fName')} />
      <TextField {...fields.text('lName')} />
      <TextField {...fields.text('mi')} />
      <TextField {...fields.text('title')} hint={fields.readOnly ? undefined : t('users.hints.title')} />
      <TextField {...fields.shown('deaNumber')} />
      <TextField {...fields.text('phone')} type="tel" />
      <TextAreaField {...fields.text('notes')} className="field-wide" />
    </UserSection>
  );
}
