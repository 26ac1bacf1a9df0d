import { PASSWORD_MAX, recoverPasswordForm } from '@apotheca/contract/auth';
import { newPasswordForm } from '@apotheca/contract/recovery';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { PasswordField } from '../../components/field/password-field.tsx';
import { PasswordStrength } from '../../components/field/password-strength.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { recoverPassword } from '../../session/recovery.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { useRecoveryCall } from './use-recovery-call.ts';

interface RecoverPasswordFormProps {
  /** The token of the link that led here; absent: none did. */
  token: string | undefined;
  forgotPasswordPath: string;
  /** Called when the password was changed. */
  onChanged: () => void;
}

/** Asks for a new password and its confirmation. Where the server sends no mails nothing is changed (SPEC §2.4). */
export function RecoverPasswordForm({ token, forgotPasswordPath, onChanged }: RecoverPasswordFormProps) {
  const { t } = useTranslation();
  const { passwordRecovery, passwordMin } = getRuntimeConfig();
  const [schema] = useState(() => (passwordRecovery ? newPasswordForm(passwordMin) : recoverPasswordForm));
  const form = useZodForm(schema, { defaultValues: { password: '', confirmPassword: '' } });
  const { call, isLoading } = useRecoveryCall(form);
  const submit = form.handleSubmit(async (passwords) => {
    if (!passwordRecovery || token === undefined) return notify.warning(t('recover.notYetFunctional'));
    const answer = await call(recoverPassword({ token, ...passwords }));
    if (answer === undefined) return;
    notify.success(answer);
    onChanged();
  });
  if (passwordRecovery && token === undefined) return <LinkMissing forgotPasswordPath={forgotPasswordPath} />;
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <PasswordField
        label={t('recover.password')}
        error={fieldError(form, 'password')}
        hint={passwordRecovery ? t('recover.length', { min: passwordMin, max: PASSWORD_MAX }) : undefined}
        autoComplete="new-password"
        below={passwordRecovery && <PasswordStrength password={form.watch('password')} />}
        {...form.register('password', { deps: 'confirmPassword' })}
      />
      <PasswordField
        label={t('recover.confirmPassword')}
        error={fieldError(form, 'confirmPassword')}
        autoComplete="new-password"
        {...form.register('confirmPassword')}
      />
      <Button type="submit" size="large" block loading={isLoading}>
        {t('recover.changePassword')}
      </Button>
    </form>
  );
}

function LinkMissing({ forgotPasswordPath }: { forgotPasswordPath: string }) {
  const { t } = useTranslation();
  return (
    <div className="auth-form">
      <Notice tone="info" title={t('recover.linkMissing')}>
        {t('recover.linkMissingWhy')}
      </Notice>
      <Link to={forgotPasswordPath}>{t('recover.requestNewPassword')}</Link>
    </div>
  );
}
