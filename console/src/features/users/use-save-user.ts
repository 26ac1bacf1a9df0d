import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../../api/http/answer-errors.ts';
import { useCreateUserMutation, useEditUserMutation } from '../../api/users.ts';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import type { StaleEdit } from '../../forms/use-stale-edit.tsx';
import { useUnchanged } from '../../forms/use-unchanged.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { selectSession } from '../../session/session-slice.ts';
import type { UserFields, UserZodForm } from './user-form-types.ts';

interface SaveUserOptions {
  form: UserZodForm;
  /** The user to be changed; absent: one is created. */
  user?: User;
  stale: Pick<StaleEdit, 'version' | 'takeIn'>;
  onSaved: () => void;
}

/** Creates or changes a user; what the server refuses is shown at its fields, and nothing that was typed is lost. */
export function useSaveUser({ form, user, stale, onSaved }: SaveUserOptions) {
  const { t } = useTranslation();
  const { id: ownId } = useSelector(selectSession);
  const [create] = useCreateUserMutation();
  const [edit] = useEditUserMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure(form);
  const isUnchanged = useUnchanged(form);

  const send = (fields: UserFields) =>
    user
      ? edit({ ...fields, id: user.id, version: stale.version, updatedBy: ownId || null })
      : create({ ...fields, confirmPassword: fields.confirmPassword ?? '', createdBy: ownId || null });

  async function save(fields: UserFields) {
    if (user && isUnchanged()) return onSaved();
    const outcome = await run(() => send(fields));
    if (!outcome) return;
    if (outcome.error) {
      if (stale.takeIn(outcome.error)) return void showError(outcome.error);
      return fail(outcome.error);
    }
    notify.success(t(user ? 'users.updated' : 'users.created'));
    onSaved();
  }
  return { save, isSaving: isBusy, failure };
}
