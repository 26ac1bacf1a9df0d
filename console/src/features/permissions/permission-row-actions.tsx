import { type Permission, permissionRoutes } from '@apotheca/contract/permissions';
import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/button.tsx';
import { OrderedRowMenu } from '../../lists/ordered-row-menu.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { PermissionDialog } from './permission-dialog.ts';

interface PermissionRowActionsProps {
  permission: Permission;
  onOpen: (dialog: PermissionDialog) => void;
  onMove: (id: string, direction: 'up' | 'down') => void;
}

/** The buttons of one permission in the list. */
export function PermissionRowActions({ permission, onOpen, onMove }: PermissionRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { id, name, module, isBuiltIn, isFirst, isLast } = permission;
  const labels = {
    more: t('permissions.actions.more', { name }),
    moveUp: t('permissions.actions.moveUp', { name, module }),
    moveDown: t('permissions.actions.moveDown', { name, module }),
    delete: isBuiltIn ? t('permissions.actions.deleteBuiltIn') : t('permissions.actions.delete', { name }),
  };
  return (
    <>
      <IconButton
        icon={Pencil}
        label={t('permissions.actions.edit', { name })}
        refusal={refusal(permissionRoutes.edit)}
        onClick={() => onOpen({ kind: 'edit', permission })}
      />
      <OrderedRowMenu
        {...{ id, labels, isFirst, isLast, onMove }}
        refusal={refusal(permissionRoutes.move)}
        canDelete={!isBuiltIn}
        onDelete={() => onOpen({ kind: 'delete', permission })}
      />
    </>
  );
}
