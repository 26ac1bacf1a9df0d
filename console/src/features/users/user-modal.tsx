import { newPasswordOf } from '@apotheca/contract/auth';
import { editUserForm, newUserForm } from '@apotheca/contract/user-form';
import { type User, userRoutes } from '@apotheca/contract/users';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { useUserOptions } from '../../api/users.ts';
import { RecordModal } from '../../components/dialog/record-modal.tsx';
import { useKeptState } from '../../components/form/drafts.ts';
import { useZodForm } from '../../components/form/form.tsx';
import { fullName, signInName } from '../../lib/user-name.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { useSaveUser } from './use-save-user.ts';
import { useUserStaleEdit } from './use-user-stale-edit.ts';
import { UserForm } from './user-form.tsx';
import type { UserFields, UserFormInput, UserMode } from './user-form-types.ts';
import { userFormValues } from './user-form-values.ts';

interface UserModalProps {
  show: boolean;
  /** The user to edit or view; absent: create one. */
  user?: User;
  mode: UserMode;
  onClose: () => void;
}

/** The forms' rules, with the length that this installation asks of new passwords. */
function formSchemas() {
  const newPassword = newPasswordOf(getRuntimeConfig().passwordMin);
  return { edit: editUserForm.check(newPassword), create: newUserForm.check(newPassword) };
}

/** The user modal in its three modes (SPEC §2.11). */
export function UserModal({ show, user, mode: opened, onClose }: UserModalProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [mode, setMode] = useKeptState('mode', opened);
  const formId = useId();
  const { options, error, refetch } = useUserOptions(user);
  useErrorToast(error);
  const [schemas] = useState(formSchemas);
  const defaultValues = useMemo(() => userFormValues(user), [user]);
  const form = useZodForm<UserFormInput, UserFields>(user ? schemas.edit : schemas.create, { defaultValues });
  const stale = useUserStaleEdit({ form, user, options, onStale: refetch });
  const { save, isSaving, failure } = useSaveUser({ form, user, stale, onSaved: onClose });
  const shared = { form, user, mode, notice: stale.notice, onSubmit: form.handleSubmit(save) };
  const placeholder = {
    loadingText: t('users.modal.loading'),
    failedText: t('users.modal.optionsFailed'),
    isError: error !== undefined,
    onRetry: refetch,
  };
  return (
    <RecordModal
      {...{ show, mode, formId, isSaving, failure, placeholder, onClose }}
      edit={{ refusal: refusal(userRoutes.edit), onClick: () => setMode('edit') }}
      title={t(`users.modal.${mode}Title`)}
      subtitle={user && `${fullName(user)} · ${signInName(user)}`}
      size="lg"
      bodyHeight="73vh"
      dirty={form.formState.isDirty}
      isReady={options !== undefined}
    >
      {/* A select keeps its value only if it has the option. */}
      {options && <UserForm id={formId} options={options} {...shared} />}
    </RecordModal>
  );
}
