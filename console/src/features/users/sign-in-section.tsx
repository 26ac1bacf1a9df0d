import { PASSWORD_MAX } from '@apotheca/contract/auth';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../components/field/password-field.tsx';
import { PasswordStrength } from '../../components/field/password-strength.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
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
  const limits = { min: getRuntimeConfig().passwordMin, max: PASSWORD_MAX };
  const changeHint = t(isOwn ? 'users.hints.ownPassword' : 'users.hints.password', limits);
  const newHint = t('users.hints.newPassword', limits);
  return (
    <UserSection name="signIn">
      <TextField {...fields.text('userName')} hint={t('users.hints.names')} autoFocus />
      <TextField {...fields.text('email')} type="email" />
      {!readOnly && (
        <>
          <PasswordField
            {...fields.password('password')}
            hint={mode === 'create' ? newHint : changeHint}
            below={<PasswordStrength {...fields.newPassword()} />}
          />
          <PasswordField {...fields.password('confirmPassword')} />
        </>
      )}
    </UserSection>
  );
}
