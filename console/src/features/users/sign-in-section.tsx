import { PASSWORD_MAX, PASSWORD_MIN } from '@apotheca/contract/auth';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../components/field/password-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import type { UserFieldProps } from './user-fields.ts';
import { UserSection } from './user-section.tsx';

interface SignInSectionProps {
  fields: UserFieldProps;
  /** The user is the one who is signed in. */
  isOwn: boolean;
}

/** User name, e-mail address and password. A view has no password fields, as passwords are never shown. */
export function SignInSection({ fields, isOwn }: SignInSectionProps) {
  const { t } = useTranslation();
  const { mode, readOnly } = fields;
  const changeHint = t(isOwn ? 'users.hints.ownPassword' : 'users.hints.password');
  const newHint = t('users.hints.newPassword', { min: PASSWORD_MIN, max: PASSWORD_MAX });
  return (
    <UserSection name="signIn">
      <TextField
        {...fields.text('userName')}
        hint={readOnly ? undefined : t('users.hints.names')}
        autoFocus={!readOnly}
      />
      <TextField {...fields.text('email')} type="email" />
      {!readOnly && (
        <>
          <PasswordField {...fields.password('password')} hint={mode === 'create' ? newHint : changeHint} />
          <PasswordField {...fields.password('confirmPassword')} />
        </>
      )}
    </UserSection>
  );
}
