import type { Backup } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteBackupMutation } from '../../../api/backups.ts';
import { notify } from '../../../components/toast/toast.tsx';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';
import { localMinute } from '../../../lib/moment.ts';
import { formatBytes } from '../../../lib/numbers.ts';
import { selectSession } from '../../../session/session-slice.ts';

interface DeleteBackupDialogProps {
  show: boolean;
  backup: Backup;
  onClose: () => void;
}

/** Asks before a backup is deleted. */
export function DeleteBackupDialog({ backup, ...dialog }: DeleteBackupDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [send] = useDeleteBackupMutation();
  const key = backup.copies.length > 0 ? 'questionOfCopied' : 'question';
  const question = t(`databases.backups.deleting.${key}`, {
    name: backup.databaseName,
    moment: localMinute(new Date(backup.createdOnUtc)),
    size: formatBytes(backup.sizeBytes),
  });
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('databases.backups.deleting.title')}
      message={question}
      confirmLabel={t('databases.backups.deleting.confirm')}
      send={() => send({ id: backup.id, deletedBy })}
      tell={({ result, message }) => {
        if (result?.isRemoved === false) notify.warning(message);
        else notify.success(t('databases.backups.deleting.done'));
      }}
    />
  );
}
