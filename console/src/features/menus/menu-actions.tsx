import type { Menu } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { Pencil, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/button.tsx';
import { OrderedRowMenu } from '../../lists/ordered-row-menu.tsx';
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

/** The buttons of one menu in the tree. */
export function MenuActions({ menu, parentName, isFirst, isLast, onOpen, onMove }: MenuActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { id, name, childMenus } = menu;
  const parent = parentName ?? t('menus.actions.topMenus');
  const inside = childMenus.length;
  const labels = {
    more: t('menus.actions.more', { name }),
    moveUp: t('menus.actions.moveUp', { name, parent }),
    moveDown: t('menus.actions.moveDown', { name, parent }),
    delete: inside === 0 ? t('menus.actions.delete', { name }) : t('menus.actions.deleteNotEmpty', { count: inside }),
  };
  return (
    <div className="row-actions">
      <IconButton
        icon={Pencil}
        label={t('menus.actions.edit', { name })}
        refusal={refusal(permissionRoutes.edit)}
        onClick={() => onOpen({ kind: 'edit', menu })}
      />
      <IconButton
        icon={Plus}
        label={t('menus.actions.addChild', { name })}
        refusal={refusal(permissionRoutes.create)}
        onClick={() => onOpen({ kind: 'create', parent: menu })}
      />
      <OrderedRowMenu
        {...{ id, labels, isFirst, isLast, onMove }}
        refusal={refusal(permissionRoutes.move)}
        canDelete={inside === 0}
        onDelete={() => onOpen({ kind: 'delete', menu })}
      />
    </div>
  );
}
