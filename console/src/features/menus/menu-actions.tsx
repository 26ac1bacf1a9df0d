import type { Menu } from '@apotheca/contract/menus';
import { ArrowDown, ArrowUp, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/button.tsx';
import { MenuButton } from '../../components/popup/menu-button.tsx';
import type { MenuDialog } from './menu-dialog.ts';

export interface MenuHandlers {
  onOpen: (dialog: MenuDialog) => void;
  onMove: (id: string, direction: 'up' | 'down') => void;
}

interface MenuActionsProps extends MenuHandlers {
  menu: Menu;
  /** The menu that it is in; absent: at the top. */
  parentName: string | undefined;
  isFirst: boolean;
  isLast: boolean;
}

/** What can be done with one menu of the tree. */
export function MenuActions({ menu, parentName, isFirst, isLast, onOpen, onMove }: MenuActionsProps) {
  const { t } = useTranslation();
  const { id, name, childMenus } = menu;
  const parent = parentName ?? t('menus.actions.topMenus');
  const inside = childMenus.length;
  const remove =
    inside === 0 ? t('menus.actions.delete', { name }) : t('menus.actions.deleteNotEmpty', { count: inside });
  return (
    <div className="row-actions">
      <IconButton
        icon={Pencil}
        label={t('menus.actions.edit', { name })}
        onClick={() => onOpen({ kind: 'edit', menu })}
      />
      <IconButton
        icon={Plus}
        label={t('menus.actions.addChild', { name })}
        onClick={() => onOpen({ kind: 'create', parent: menu })}
      />
      <MenuButton
        icon={Ellipsis}
        label={t('menus.actions.more', { name })}
        items={[
          {
            label: t('menus.actions.moveUp', { name, parent }),
            icon: ArrowUp,
            disabled: isFirst,
            onSelect: () => onMove(id, 'up'),
          },
          {
            label: t('menus.actions.moveDown', { name, parent }),
            icon: ArrowDown,
            disabled: isLast,
            onSelect: () => onMove(id, 'down'),
          },
          {
            label: remove,
            icon: Trash2,
            danger: true,
            disabled: inside > 0,
            onSelect: () => onOpen({ kind: 'delete', menu }),
          },
        ]}
      />
    </div>
  );
}
