import { ownPasswordForm } from '@apotheca/contract/account';
import { newPasswordOf, PASSWORD_MAX } from '@apotheca/contract/auth';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeOwnPasswordMutation } from '../../api/account.ts';
import { Button } from '../../components/button/button.tsx';
import { Card } from '../../components/display/card.tsx';
import { PasswordField } from '../../components/field/password-field.tsx';
import { PasswordStrength } from '../../components/field/password-strength.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { FailureNotice } from '../../components/notice/failure-notice.tsx';
import { useSaveRecord } from '../../forms/use-save-record.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { UsernameForPasswords } from './username-for-passwords.tsx';

const EMPTY = { currentPassword: '', password: '', confirmPassword: '' };

/** One's own new password. */
export function PasswordCard() {
  const { t } = useTranslation();
  const { passwordMin } = getRuntimeConfig();
  const [schema] = useState(() => ownPasswordForm.check(newPasswordOf(passwordMin)));
  const form = useZodForm(schema, { defaultValues: EMPTY, draft: null });
  const [change, { reset }] = useChangeOwnPasswordMutation();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: true,
    async send(passwords: typeof EMPTY) {
      const outcome = await change(passwords);
      // Otherwise the passwords stay in the store.
      reset();
      return outcome;
    },
    isShownAtFieldsOnly: true,
    onSaved: () => form.reset(EMPTY),
  });
  const text = (name: keyof typeof EMPTY) => ({
    error: fieldError(form, name),
    required: true,
    autoComplete: name === 'currentPassword' ? 'current-password' : 'new-password',
    ...form.register(name, { deps: name === 'password' ? ['confirmPassword'] : [] }),
  });
  return (
    <Card title={t('account.password.title')}>
      <form className="account-form" noValidate onSubmit={form.handleSubmit(save)}>
        <p className="text-muted">{t('account.password.what')}</p>
        {failure && <FailureNotice failure={failure} retry={{ type: 'submit' }} />}
        <UsernameForPasswords />
        <PasswordField {...text('currentPassword')} label={t('account.password.current')} />
        <PasswordField
          {...text('password')}
          label={t('account.password.new')}
          hint={t('account.password.hint', { min: passwordMin, max: PASSWORD_MAX })}
          below={<PasswordStrength password={form.watch('password')} />}
        />
        <PasswordField {...text('confirmPassword')} label={t('users.fields.confirmPassword')} />
        <div>
          <Button type="submit" loading={isSaving}>
            {t('account.password.change')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
