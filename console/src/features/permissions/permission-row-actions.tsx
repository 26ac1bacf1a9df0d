import type { Permission } from '@apotheca/contract/permissions';
import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/button.tsx';
import { MenuButton } from '../../components/popup/menu-button.tsx';
import type { PermissionDialog } from './permission-dialog.ts';

interface PermissionRowActionsProps {
  permission: Permission;
  onOpen: (dialog: PermissionDialog) => void;
  onMove: (id: string, direction: 'up' | 'down') => void;
}

/** What can be done with one permission of the list. */
export function PermissionRowActions({ permission, onOpen, onMove }: PermissionRowActionsProps) {
  const { t } = useTranslation();
  const { id, name, module, isBuiltIn, isFirst, isLast } = permission;
  const remove = isBuiltIn ? t('permissions.actions.deleteBuiltIn') : t('permissions.actions.delete', { name });
  return (
    <>
      <IconButton
        icon={Pencil}
        label={t('permissions.actions.edit', { name })}
        onClick={() => onOpen({ kind: 'edit', permission })}
      />
      <MenuButton
        icon={Ellipsis}
        label={t('permissions.actions.more', { name })}
        items={[
          {
            label: t('permissions.actions.moveUp', { name, module }),
            icon: ArrowUp,
            disabled: isFirst,
            onSelect: () => onMove(id, 'up'),
          },
          {
            label: t('permissions.actions.moveDown', { name, module }),
            icon: ArrowDown,
            disabled: isLast,
            onSelect: () => onMove(id, 'down'),
          },
          {
            label: remove,
            icon: Trash2,
            danger: true,
            disabled: isBuiltIn,
            onSelect: () => onOpen({ kind: 'delete', permission }),
          },
        ]}
      />
    </>
  );
}
