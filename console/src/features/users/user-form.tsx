import type { User, UserOptions } from '@apotheca/contract/users';
import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { FormView } from '../../components/form/form-view.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { selectSession } from '../../session/session-slice.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { AccessSection } from './access-section.tsx';
import { PersonSection } from './person-section.tsx';
import { SignInSection } from './sign-in-section.tsx';
import { useUserFields } from './user-fields.ts';
import type { UserMode, UserZodForm } from './user-form-types.ts';

interface UserFormProps {
  id: string;
  form: UserZodForm;
  user?: User;
  mode: UserMode;
  options: UserOptions;
  /** A notice above the fields, such as about another user's change. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The fields of a user (SPEC §3). */
export function UserForm({ id, form, user, mode, options, notice, onSubmit }: UserFormProps) {
  const { t } = useTranslation();
  const { id: ownId } = useSelector(selectSession);
  const fields = useUserFields(form, mode);
  const isOwn = user?.id === ownId;
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      {notice}
      {user?.hasPassword === false && (
        <div className="user-notice">
          <Notice tone="info">
            {t(getRuntimeConfig().signInProviders ? 'users.modal.noPasswordYet' : 'users.modal.noPassword')}
          </Notice>
        </div>
      )}
      <FormView form={form} isText={mode === 'view'}>
        <SignInSection fields={fields} isOwn={isOwn} />
        <PersonSection form={form} fields={fields} />
        <AccessSection form={form} fields={fields} options={options} user={user} isOwn={isOwn} />
      </FormView>
    </form>
  );
}
