import { forgotPasswordForm } from '@apotheca/contract/auth';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';

/** Asks for the address for a new password; nothing is sent yet (SPEC §2.4). */
export function ForgotPasswordForm() {
  const { t } = useTranslation();
  const form = useZodForm(forgotPasswordForm, { defaultValues: { email: '' } });
  const submit = form.handleSubmit(() => notify.warning(t('recover.notYetFunctional')));
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <TextField
        label={t('recover.email')}
        error={fieldError(form, 'email')}
        type="email"
        autoComplete="email"
        {...form.register('email')}
      />
      <Button type="submit" size="large" block>
        {t('recover.requestNewPassword')}
      </Button>
    </form>
  );
}
