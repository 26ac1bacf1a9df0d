import type { Permission } from '@apotheca/contract/permissions';
import { useTranslation } from 'react-i18next';
import { useDeletePermissionMutation } from '../../api/permissions.ts';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';

interface DeletePermissionDialogProps {
  show: boolean;
  permission: Permission;
  onClose: () => void;
}

/** Asks before a permission is deleted. */
export function DeletePermissionDialog({ permission, ...dialog }: DeletePermissionDialogProps) {
  const { t } = useTranslation();
  const [send] = useDeletePermissionMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
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
      send={() => send({ id: permission.id })}
    />
  );
}
