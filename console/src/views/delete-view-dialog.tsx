import type { View } from '@apotheca/contract/views';
import { useTranslation } from 'react-i18next';
import { useDeleteViewMutation } from '../api/views.ts';
import { DeleteRecordDialog } from '../forms/delete-record-dialog.tsx';

interface DeleteViewDialogProps {
  show: boolean;
  view: View;
  onClose: () => void;
}

/** Asks before a view is deleted, which may stand on the screens of others. */
export function DeleteViewDialog({ view: { id, name, roleId }, ...dialog }: DeleteViewDialogProps) {
  const { t } = useTranslation();
  const [remove] = useDeleteViewMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('views.deletion.title')}
      message={t(roleId === null ? 'views.deletion.what' : 'views.deletion.whatShared', { name })}
      confirmLabel={t('views.deletion.confirm')}
      send={() => remove({ id })}
    />
  );
}
