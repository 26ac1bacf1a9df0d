import type { Backup } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteBackupMutation } from '../../../api/backups.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { localMinute } from '../../../lib/expiry.ts';
import { formatBytes } from '../../../lib/numbers.ts';
import { selectSession } from '../../../session/session-slice.ts';

interface DeleteBackupDialogProps {
  show: boolean;
  backup: Backup;
  onClose: () => void;
}

/** Asks before a backup is deleted for good. */
export function DeleteBackupDialog({ show, backup, onClose }: DeleteBackupDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [remove, { isLoading }] = useDeleteBackupMutation();
  const { failure, fail } = useFailure();

  async function handleConfirm() {
    try {
      const { result, message } = await remove({ id: backup.id, deletedBy }).unwrap();
      if (result?.isRemoved !== false) notify.success(t('databases.backups.deleting.done'));
      else notify.warning(message);
      onClose();
    } catch (error) {
      fail(error);
    }
  }
  return (
    <ConfirmDialog
      show={show}
      title={t('databases.backups.deleting.title')}
      message={t('databases.backups.deleting.question', {
        name: backup.databaseName,
        moment: localMinute(new Date(backup.createdOnUtc)),
        size: formatBytes(backup.sizeBytes),
      })}
      confirmLabel={t('databases.backups.deleting.confirm')}
      busy={isLoading}
      failure={failure}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}
