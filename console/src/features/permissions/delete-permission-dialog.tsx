import type { Permission } from '@apotheca/contract/permissions';
import { useTranslation } from 'react-i18next';
import { useDeletePermissionMutation } from '../../api/permissions.ts';
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx';
import { useDeleteRecord } from '../../forms/use-delete-record.ts';

interface DeletePermissionDialogProps {
  show: boolean;
  permission: Permission;
  onClose: () => void;
}

/** Asks before a permission is deleted. */
export function DeletePermissionDialog({ show, permission, onClose }: DeletePermissionDialogProps) {
  const { t } = useTranslation();
  const [send] = useDeletePermissionMutation();
  const { remove, isBusy, failure } = useDeleteRecord({ send: () => send({ id: permission.id }), onDeleted: onClose });
  return (
    <ConfirmDialog
      show={show}
      title={t('permissions.delete.title')}
      message={
        <>
          <p>
            {t('permissions.delete.what', { name: permission.name })}{' '}
            <span className="code">{permission.identifier}</span>
          </p>
          <p>{t('permissions.delete.effect')}</p>
        </>
      }
      confirmLabel={t('permissions.delete.confirm')}
      busy={isBusy}
      failure={failure}
      onConfirm={remove}
      onCancel={onClose}
    />
  );
}
