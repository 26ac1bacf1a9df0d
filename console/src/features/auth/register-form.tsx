import { registerForm } from '@apotheca/contract/auth';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { Checkbox } from '../../components/field/checkbox.tsx';
import { PasswordField } from '../../components/field/password-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';

/** Asks for the data of a new membership; nobody is registered yet. The terms box has no effect. */
export function RegisterForm() {
  const { t } = useTranslation();
  const form = useZodForm(registerForm, { defaultValues: { email: '', password: '', retypePassword: '' } });
  const submit = form.handleSubmit(() => notify.warning(t('recover.notYetFunctional')));
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <TextField
        label={t('register.email')}
        error={fieldError(form, 'email')}
        type="email"
        autoComplete="email"
        {...form.register('email')}
      />
      <PasswordField
        label={t('register.password')}
        error={fieldError(form, 'password')}
        autoComplete="new-password"
        {...form.register('password')}
      />
      <PasswordField
        label={t('register.retypePassword')}
        error={fieldError(form, 'retypePassword')}
        autoComplete="new-password"
        {...form.register('retypePassword')}
      />
      <div className="auth-row">
        <Checkbox label={t('register.agree')} />
      </div>
      <Button type="submit" size="large" block>
        {t('register.label')}
      </Button>
    </form>
  );
}
