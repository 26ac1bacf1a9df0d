import { forgotPasswordForm } from '@apotheca/contract/auth';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { requestPasswordLink } from '../../session/recovery.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { useRecoveryCall } from './use-recovery-call.ts';

/** Asks for the address that a link to choose a new password goes to. Where the server sends no mails, none does (SPEC §2.4). */
export function ForgotPasswordForm() {
  const { t } = useTranslation();
  const form = useZodForm(forgotPasswordForm, { defaultValues: { email: '' } });
  const { call, isLoading } = useRecoveryCall(form);
  const [answer, setAnswer] = useState<string>();
  const submit = form.handleSubmit(async (body) => {
    if (getRuntimeConfig().passwordRecovery) setAnswer(await call(requestPasswordLink(body)));
    else notify.warning(t('recover.notYetFunctional'));
  });
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      {answer !== undefined && (
        <Notice tone="success" title={answer} role="status">
          {t('recover.mailSent')}
        </Notice>
      )}
      <TextField
        label={t('recover.email')}
        error={fieldError(form, 'email')}
        type="email"
        autoComplete="email"
        {...form.register('email')}
      />
      <Button type="submit" size="large" block loading={isLoading}>
        {t('recover.requestNewPassword')}
      </Button>
    </form>
  );
}
