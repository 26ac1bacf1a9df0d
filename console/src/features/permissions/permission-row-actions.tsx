import { type Permission, permissionRoutes } from '@apotheca/contract/permissions';
import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { orderedRowActions } from '../../lists/ordered-row-actions.ts';
import { useRefusal } from '../../rights/rights.tsx';
import type { PermissionDialog } from './permission-dialog.ts';

interface PermissionRowActionsProps {
  permission: Permission;
  onOpen: (dialog: PermissionDialog) => void;
  onMove: (id: string, direction: 'up' | 'down') => void;
}

/** The actions of one permission in the list. */
export function PermissionRowActions({ permission, onOpen, onMove }: PermissionRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { id, name, module, isBuiltIn, isFirst, isLast } = permission;
  const labels = {
    moveUp: t('permissions.actions.moveUp', { name, module }),
    moveDown: t('permissions.actions.moveDown', { name, module }),
    delete: isBuiltIn ? t('permissions.actions.deleteBuiltIn') : t('permissions.actions.delete', { name }),
  };
  return (
    <RowActions
      name={name}
      actions={[
        {
          icon: Pencil,
          label: t('permissions.actions.edit', { name }),
          refusal: refusal(permissionRoutes.edit),
          onSelect: () => onOpen({ kind: 'edit', permission }),
        },
        ...orderedRowActions({
          ...{ labels, isFirst, isLast },
          refusal: refusal(permissionRoutes.move),
          canDelete: !isBuiltIn,
          onMove: (direction) => onMove(id, direction),
          onDelete: () => onOpen({ kind: 'delete', permission }),
        }),
      ]}
    />
  );
}
