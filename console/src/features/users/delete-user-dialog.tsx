import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteUserMutation } from '../../api/users.ts';
import { TextAreaField } from '../../components/field/text-area-field.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';
import { fullName, signInName } from '../../lib/user-name.ts';
import { selectSession } from '../../session/session-slice.ts';

interface DeleteUserDialogProps {
  show: boolean;
  user: User;
  onClose: () => void;
}

/** Asks before a user is deleted, and for a reason. SPEC §2.11 forbids sending the reason: the hint says so. */
export function DeleteUserDialog({ user, ...dialog }: DeleteUserDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [send] = useDeleteUserMutation();
  // Nobody signs in with a service account: what ends are the programs that use its keys.
  const what = user.isService ? 'whatOfService' : 'what';
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('users.delete.title')}
      message={<p>{t(`users.delete.${what}`, { name: fullName(user), signIn: signInName(user) })}</p>}
      confirmLabel={t('users.delete.confirm', { name: signInName(user) })}
      send={() => send({ id: user.id, deletedBy })}
      tell={() => notify.success(t('users.deleted'))}
    >
      <TextAreaField label={t('users.delete.reason')} hint={t('users.delete.reasonHint')} />
    </DeleteRecordDialog>
  );
}
