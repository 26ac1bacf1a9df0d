import { recoverPasswordForm } from '@apotheca/contract/auth';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { PasswordField } from '../../components/field/password-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';

/** Asks for a new password and its confirmation; nothing is changed yet (SPEC §2.4). */
export function RecoverPasswordForm() {
  const { t } = useTranslation();
  const form = useZodForm(recoverPasswordForm, { defaultValues: { password: '', confirmPassword: '' } });
  const submit = form.handleSubmit(() => notify.warning(t('recover.notYetFunctional')));
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <PasswordField
        label={t('recover.password')}
        error={fieldError(form, 'password')}
        autoComplete="new-password"
        {...form.register('password')}
      />
      <PasswordField
        label={t('recover.confirmPassword')}
        error={fieldError(form, 'confirmPassword')}
        autoComplete="new-password"
        {...form.register('confirmPassword')}
      />
      <Button type="submit" size="large" block>
        {t('recover.changePassword')}
      </Button>
    </form>
  );
}
