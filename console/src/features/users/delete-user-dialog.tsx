import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteUserMutation } from '../../api/users.ts';
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx';
import { TextAreaField } from '../../components/field/text-area-field.tsx';
import { useDeleteRecord } from '../../forms/use-delete-record.ts';
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
  const [send] = useDeleteUserMutation();
  const { remove, isBusy, failure } = useDeleteRecord({
    send: () => send({ id: user.id, deletedBy }),
    deletedText: t('users.deleted'),
    onDeleted: onClose,
  });
  return (
    <ConfirmDialog
      show={show}
      title={t('users.delete.title')}
      message={<p>{t('users.delete.what', { name: fullName(user), signIn: signInName(user) })}</p>}
      confirmLabel={t('users.delete.confirm')}
      busy={isBusy}
      failure={failure}
      onConfirm={remove}
      onCancel={onClose}
    >
      <TextAreaField label={t('users.delete.reason')} hint={t('users.delete.reasonHint')} />
    </ConfirmDialog>
  );
}
