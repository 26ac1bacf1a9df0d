import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useCreateUserMutation, useEditUserMutation } from '../../api/users.ts';
import { type Stamp, useSaveRecord } from '../../forms/use-save-record.ts';
import type { StaleEdit } from '../../forms/use-stale-edit.tsx';
import type { UserFields, UserZodForm } from './user-form-types.ts';

interface SaveUserOptions {
  form: UserZodForm;
  /** The user to change; absent: one is created. */
  user?: User;
  stale: StaleEdit;
  onSaved: () => void;
}

/** Creates or changes a user. */
export function useSaveUser({ form, user, stale, onSaved }: SaveUserOptions) {
  const { t } = useTranslation();
  const [create] = useCreateUserMutation();
  const [edit] = useEditUserMutation();
  const send = (fields: UserFields, { by, version }: Stamp) =>
    user
      ? edit({ ...fields, id: user.id, version, updatedBy: by })
      : create({ ...fields, confirmPassword: fields.confirmPassword ?? '', createdBy: by });
  const savedText = t(user ? 'users.updated' : 'users.created');
  return useSaveRecord({ form, isNew: user === undefined, stale, send, savedText, onSaved });
}
