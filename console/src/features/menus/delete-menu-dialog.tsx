import type { Menu } from '@apotheca/contract/menus';
import { useTranslation } from 'react-i18next';
import { useDeletePermissionMutation } from '../../api/permissions.ts';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';

interface DeleteMenuDialogProps {
  show: boolean;
  menu: Menu;
  onClose: () => void;
}

/** Asks before a menu is deleted. */
export function DeleteMenuDialog({ menu, ...dialog }: DeleteMenuDialogProps) {
  const { t } = useTranslation();
  const [send] = useDeletePermissionMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('menus.delete.title')}
      message={<p>{t('menus.delete.what', { name: menu.name })}</p>}
      confirmLabel={t('menus.delete.confirm')}
      send={() => send({ id: menu.id })}
    />
  );
}
