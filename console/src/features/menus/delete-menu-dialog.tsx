import type { Menu } from '@apotheca/contract/menus';
import { useTranslation } from 'react-i18next';
import { useDeletePermissionMutation } from '../../api/permissions.ts';
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx';
import { useDeleteRecord } from '../../forms/use-delete-record.ts';

interface DeleteMenuDialogProps {
  show: boolean;
  menu: Menu;
  onClose: () => void;
}

/** Asks before a menu is deleted. */
export function DeleteMenuDialog({ show, menu, onClose }: DeleteMenuDialogProps) {
  const { t } = useTranslation();
  const [send] = useDeletePermissionMutation();
  const { remove, isBusy, failure } = useDeleteRecord({ send: () => send({ id: menu.id }), onDeleted: onClose });
  return (
    <ConfirmDialog
      show={show}
      title={t('menus.delete.title')}
      message={<p>{t('menus.delete.what', { name: menu.name })}</p>}
      confirmLabel={t('menus.delete.confirm')}
      busy={isBusy}
      failure={failure}
      onConfirm={remove}
      onCancel={onClose}
    />
  );
}
