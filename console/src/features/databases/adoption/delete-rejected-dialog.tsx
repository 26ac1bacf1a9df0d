import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteRejectedRowsMutation } from '../../../api/adoptions.ts';
import { notify } from '../../../components/toast/toast.tsx';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';
import { selectSession } from '../../../session/session-slice.ts';

interface DeleteRejectedDialogProps {
  show: boolean;
  databaseName: string;
  onClose: () => void;
}

/** Asks before rejected rows are deleted. */
export function DeleteRejectedDialog({ databaseName, ...dialog }: DeleteRejectedDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [send] = useDeleteRejectedRowsMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('databases.adoption.deleting.title')}
      message={t('databases.adoption.deleting.question', { name: databaseName })}
      confirmLabel={t('databases.adoption.deleting.confirm')}
      send={() => send({ databaseName, deletedBy })}
      tell={() => notify.success(t('databases.adoption.deleting.done'))}
    />
  );
}
