import type { Menu } from '@apotheca/contract/menus';
import { ChevronRight } from 'lucide-react';
import { memo, useCallback, useDeferredValue, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/display/badge.tsx';
import { MenuActions, type MenuHandlers } from './menu-actions.tsx';
import { MenuIcon } from './menu-icon.tsx';

/**
 * This many menus of a level are drawn by the click that opens it; the rest follow immediately after, so that the click
 * stays fast.
 */
const DRAWN_FIRST = 12;

interface MenuTreeProps extends MenuHandlers {
  menus: readonly Menu[];
  /** The menu that contains them; absent: at the top. */
  parentName?: string;
  /** Id for `aria-controls` of the button that opens this level. */
  id?: string;
}

/** One level of menus, each with the menus inside it; one menu of a level is open at a time (SPEC §2.15). */
export function MenuTree({ menus, parentName, id, ...on }: MenuTreeProps) {
  const [openId, setOpenId] = useState<string>();
  const drawn = useDeferredValue(menus.length, DRAWN_FIRST);
  const toggle = useCallback((menuId: string) => setOpenId((current) => (current === menuId ? undefined : menuId)), []);
  return (
    <ul id={id} className="menu-tree">
      {menus.slice(0, drawn).map((menu, index) => (
        <MenuNode
          key={menu.id}
          menu={menu}
          parentName={parentName}
          isFirst={index === 0}
          isLast={index === menus.length - 1}
          isOpen={menu.id === openId}
          onToggle={toggle}
          {...on}
        />
      ))}
    </ul>
  );
}

interface MenuNodeProps extends MenuHandlers {
  menu: Menu;
  parentName: string | undefined;
  isFirst: boolean;
  isLast: boolean;
  isOpen: boolean;
  onToggle: (id: string) => void;
}

/** Drawn again only when it changes, not with each of its many siblings. */
const MenuNode = memo(function MenuNode({ menu, parentName, isFirst, isLast, isOpen, onToggle, ...on }: MenuNodeProps) {
  const { t } = useTranslation();
  const levelId = useId();
  const hasChildren = menu.childMenus.length > 0;
  // Collapsed menus are not drawn, so that hundreds of menus open at once.
  const isExpanded = isOpen && hasChildren;
  const face = (
    <>
      {hasChildren && <ChevronRight className="icon menu-chevron" aria-hidden="true" />}
      {menu.icon && <MenuIcon name={menu.icon} />}
      <span className="menu-name">{menu.name}</span>
    </>
  );
  return (
    <li>
      <div className="menu-row">
        {hasChildren ? (
          <button
            type="button"
            className="menu-face"
            aria-expanded={isExpanded}
            aria-controls={isExpanded ? levelId : undefined}
            onClick={() => onToggle(menu.id)}
          >
            {face}
          </button>
        ) : (
          <span className="menu-face">{face}</span>
        )}
        {!menu.isActive && <Badge tone="muted">{t('menus.inactive')}</Badge>}
        {menu.route !== null && (
          <span className="menu-route code" title={menu.route}>
            {menu.route}
          </span>
        )}
        <MenuActions menu={menu} parentName={parentName} isFirst={isFirst} isLast={isLast} {...on} />
      </div>
      {isExpanded && <MenuTree id={levelId} menus={menu.childMenus} parentName={menu.name} {...on} />}
    </li>
  );
});
