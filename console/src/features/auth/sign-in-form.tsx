import { signInBody } from '@apotheca/contract/auth';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { Checkbox } from '../../components/field/checkbox.tsx';
import { PasswordField } from '../../components/field/password-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { canUsePasskeys } from '../../transport/runtime-config.ts';
import { readRememberedUsername, rememberUsername } from './remembered-username.ts';
import { PasskeyButton } from './second-step/passkey-button.tsx';
import { SecondStepPart } from './second-step/second-step-part.tsx';
import { useCapsLock } from './use-caps-lock.ts';
import { useSignIn } from './use-sign-in.ts';

interface SignInFormProps {
  /** Of whom a sign-in is expected; absent: of who is remembered. */
  username?: string | undefined;
  forgotPasswordPath: string;
}

/** Asks for username, password and whether to remember the username (SPEC §2.3). */
export function SignInForm({ username: expected, forgotPasswordPath }: SignInFormProps) {
  const { t } = useTranslation();
  const [remembered] = useState(readRememberedUsername);
  const [remember, setRemember] = useState(remembered !== '');
  const [username] = useState(expected ?? remembered);
  const form = useZodForm(signInBody, { defaultValues: { username, password: '' } });
  const { signIn, step, leaveStep, ...sign } = useSignIn();
  const { isLoading, refusal } = sign;
  const capsLock = useCapsLock();
  const { setFocus } = form;

  useEffect(() => setFocus(username ? 'password' : 'username'), [setFocus, username]);

  const submit = form.handleSubmit(async (credentials) => {
    if (await signIn(credentials)) rememberUsername(credentials.username, remember);
    else setFocus('password', { shouldSelect: true });
  });
  const passwordError = fieldError(form, 'password');

  if (step) return <SecondStepPart step={step} onBack={leaveStep} />;

  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      {refusal && (
        <Notice tone="danger" title={t('login.failed')}>
          {refusal}
        </Notice>
      )}
      <TextField
        label={t('login.label.username')}
        error={fieldError(form, 'username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.register('username')}
      />
      <PasswordField
        label={t('login.label.password')}
        error={passwordError}
        hint={capsLock.isOn && !passwordError ? t('login.label.capsLock') : undefined}
        autoComplete="current-password"
        {...form.register('password')}
        {...capsLock.watch}
      />
      <div className="auth-row">
        <Checkbox
          label={t('login.label.rememberMe')}
          checked={remember}
          onChange={({ target }) => setRemember(target.checked)}
        />
        <Link to={forgotPasswordPath}>{t('login.label.forgotPass')}</Link>
      </div>
      <Button type="submit" size="large" block loading={isLoading}>
        {t('login.button.signIn.label')}
      </Button>
      {canUsePasskeys() && <PasskeyButton sign={sign} />}
    </form>
  );
}
