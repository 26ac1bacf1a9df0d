import type { Menu } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { Pencil, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { orderedRowActions } from '../../lists/ordered-row-actions.ts';
import { useRefusal } from '../../rights/rights.tsx';
import type { MenuDialog } from './menu-dialog.ts';

export interface MenuHandlers {
  onOpen: (dialog: MenuDialog) => void;
  onMove: (id: string, direction: 'up' | 'down') => void;
}

interface MenuActionsProps extends MenuHandlers {
  menu: Menu;
  /** The menu that contains it; absent: at the top. */
  parentName: string | undefined;
  isFirst: boolean;
  isLast: boolean;
}

/** The actions of one menu in the tree. */
export function MenuActions({ menu, parentName, isFirst, isLast, onOpen, onMove }: MenuActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { id, name, childMenus } = menu;
  const parent = parentName ?? t('menus.actions.topMenus');
  const inside = childMenus.length;
  const labels = {
    moveUp: t('menus.actions.moveUp', { name, parent }),
    moveDown: t('menus.actions.moveDown', { name, parent }),
    delete: inside === 0 ? t('menus.actions.delete', { name }) : t('menus.actions.deleteNotEmpty', { count: inside }),
  };
  return (
    <div className="row-actions">
      <RowActions
        name={name}
        actions={[
          {
            icon: Pencil,
            label: t('menus.actions.edit', { name }),
            refusal: refusal(permissionRoutes.edit),
            onSelect: () => onOpen({ kind: 'edit', menu }),
          },
          {
            icon: Plus,
            label: t('menus.actions.addChild', { name }),
            refusal: refusal(permissionRoutes.create),
            onSelect: () => onOpen({ kind: 'create', parent: menu }),
          },
          ...orderedRowActions({
            ...{ labels, isFirst, isLast },
            refusal: refusal(permissionRoutes.move),
            canDelete: inside === 0,
            onMove: (direction) => onMove(id, direction),
            onDelete: () => onOpen({ kind: 'delete', menu }),
          }),
        ]}
      />
    </div>
  );
}
