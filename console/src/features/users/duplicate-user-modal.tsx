import { duplicateUserForm } from '@apotheca/contract/user-form';
import type { User } from '@apotheca/contract/users';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { DialogButtons } from '../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { fullName, signInName } from '../../lib/user-name.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { useDuplicateUser } from './use-duplicate-user.ts';

interface DuplicateUserModalProps {
  show: boolean;
  user: User;
  onClose: () => void;
}

/** Asks for the names of a user's copy (SPEC §2.11). */
export function DuplicateUserModal({ show, user, onClose }: DuplicateUserModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const schema = useMemo(() => duplicateUserForm(user), [user]);
  const form = useZodForm(schema, { defaultValues: { userName: '', email: '' } });
  const { duplicate, isDuplicating, failure } = useDuplicateUser({ form, user, onClose });
  const field = (name: 'userName' | 'email', other: 'userName' | 'email') => ({
    ...form.register(name, { deps: other }),
    label: t(`users.fields.${name}`),
    error: fieldError(form, name),
    autoComplete: 'off',
  });
  return (
    <Modal
      show={show}
      title={t('users.duplicate.title')}
      subtitle={`${fullName(user)} · ${signInName(user)}`}
      dirty={form.formState.isDirty}
      busy={isDuplicating}
      failure={failure}
      retry={{ type: 'submit', form: formId }}
      footer={<DuplicateFooter {...{ formId, isDuplicating }} name={signInName(user)} />}
      onClose={onClose}
    >
      <form id={formId} className="user-names" noValidate onSubmit={form.handleSubmit(duplicate)}>
        <p>{t('users.duplicate.what', { name: fullName(user) })}</p>
        <TextField {...field('userName', 'email')} hint={t('users.hints.names')} autoFocus />
        <TextField {...field('email', 'userName')} type="email" />
        <Notice tone="info">
          {t(getRuntimeConfig().signInProviders ? 'users.duplicate.noPasswordYet' : 'users.duplicate.noPassword')}
        </Notice>
      </form>
    </Modal>
  );
}

interface DuplicateFooterProps {
  formId: string;
  isDuplicating: boolean;
  name: string;
}

function DuplicateFooter({ formId, isDuplicating, name }: DuplicateFooterProps) {
  const { t } = useTranslation();
  return (
    <DialogButtons isBusy={isDuplicating}>
      <Button type="submit" form={formId} loading={isDuplicating}>
        {t('users.duplicate.confirm', { name })}
      </Button>
    </DialogButtons>
  );
}
