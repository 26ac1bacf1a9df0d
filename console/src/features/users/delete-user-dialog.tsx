import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteUserMutation } from '../../api/users.ts';
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx';
import { TextAreaField } from '../../components/field/text-area-field.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { selectSession } from '../../session/session-slice.ts';
import { fullName, signInName } from './user-name.ts';

interface DeleteUserDialogProps {
  show: boolean;
  user: User;
  onClose: () => void;
}

/** Asks before a user is deleted, and for a reason, which SPEC §2.11 does not let be sent: the hint says so. */
export function DeleteUserDialog({ show, user, onClose }: DeleteUserDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [remove] = useDeleteUserMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure();
  async function handleConfirm() {
    const outcome = await run(() => remove({ id: user.id, deletedBy }));
    if (!outcome) return;
    if (outcome.error) return fail(outcome.error);
    notify.success(t('users.deleted'));
    onClose();
  }
  return (
    <ConfirmDialog
      show={show}
      title={t('users.delete.title')}
      message={<p>{t('users.delete.what', { name: fullName(user), signIn: signInName(user) })}</p>}
      confirmLabel={t('users.delete.confirm')}
      busy={isBusy}
      failure={failure}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <TextAreaField label={t('users.delete.reason')} hint={t('users.delete.reasonHint')} />
    </ConfirmDialog>
  );
}
