import { editUserForm, newUserForm, type User } from '@apotheca/contract/users';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { useGetUserOptionsQuery } from '../../api/users.ts';
import { FormModalFooter } from '../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { useZodForm } from '../../components/form/form.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';
import { useSaveUser } from './use-save-user.ts';
import { useUserStaleEdit } from './use-user-stale-edit.ts';
import { UserForm } from './user-form.tsx';
import type { UserFields, UserFormInput, UserMode } from './user-form-types.ts';
import { userFormValues } from './user-form-values.ts';
import { fullName, signInName } from './user-name.ts';

interface UserModalProps {
  show: boolean;
  /** The user to edit or view; absent: create one. */
  user?: User;
  mode: UserMode;
  onClose: () => void;
}

/** The user modal in its three modes (SPEC §2.11). */
export function UserModal({ show, user, mode, onClose }: UserModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { data: options, error, refetch } = useGetUserOptionsQuery();
  useErrorToast(error);
  const defaultValues = useMemo(() => userFormValues(user), [user]);
  const form = useZodForm<UserFormInput, UserFields>(user ? editUserForm : newUserForm, { defaultValues });
  const stale = useUserStaleEdit({ form, user, options });
  const { save, isSaving, failure } = useSaveUser({ form, user, stale, onSaved: onClose });
  const shared = { form, user, mode, notice: stale.notice, onSubmit: form.handleSubmit(save) };
  return (
    <Modal
      show={show}
      title={t(`users.modal.${mode}Title`)}
      subtitle={user && `${fullName(user)} · ${signInName(user)}`}
      size="lg"
      dirty={mode !== 'view' && form.formState.isDirty}
      busy={isSaving}
      failure={failure}
      footer={<FormModalFooter mode={mode} formId={formId} isReady={options !== undefined} isSaving={isSaving} />}
      onClose={onClose}
    >
      {/* A select can take its value only once it has the option. */}
      {options ? (
        <UserForm id={formId} options={options} {...shared} />
      ) : (
        <FormPlaceholder
          loadingText={t('users.modal.loading')}
          failedText={t('users.modal.optionsFailed')}
          isError={error !== undefined}
          onRetry={refetch}
        />
      )}
    </Modal>
  );
}
