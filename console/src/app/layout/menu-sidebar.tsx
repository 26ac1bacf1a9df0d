import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IconButton } from '../../components/button/icon-button.tsx';
import { Logo } from '../../components/display/logo.tsx';
import { classNames } from '../../lib/class-names.ts';
import { MENU_ENTRIES } from '../navigation/menu-entries.ts';
import { PATHS } from '../navigation/paths.ts';
import { selectLayout } from '../state/layout-slice.ts';
import { sidebarView } from '../state/screen-size.ts';
import { useAppSelector } from '../state/store.ts';
import { MenuItem } from './menu-item.tsx';
import { useDrawer } from './use-drawer.ts';

/** The id that the button of the top bar names in `aria-controls`. */
export const MENU_SIDEBAR_ID = 'menu-sidebar';

/** Brand and menu on the left: full, as a rail of icons, or below md as a drawer over the page. */
export function MenuSidebar() {
  const { t } = useTranslation();
  const layout = useAppSelector(selectLayout);
  const view = sidebarView(layout.screenSize, layout.menuSidebarCollapsed);
  const { drawer, close } = useDrawer(view);
  const isRail = view === 'rail';
  return (
    <aside
      id={MENU_SIDEBAR_ID}
      ref={drawer}
      inert={view === 'drawer-closed'}
      className={classNames('main-sidebar', layout.sidebarSkin, layout.layoutFixed && 'main-sidebar-scrolls')}
    >
      <div className="brand">
        <Link to={PATHS.dashboard} className="brand-link" title={isRail ? t('main.product') : undefined}>
          <Logo size={28} />
          <span className="nav-name">{t('main.product')}</span>
        </Link>
        {view === 'drawer-open' && <IconButton label={t('menusidebar.close')} icon={X} onClick={close} />}
      </div>
      <nav aria-label={t('menusidebar.navigation')}>
        <ul
          className={classNames(
            'nav nav-sidebar',
            layout.menuItemFlat && 'nav-flat',
            layout.menuChildIndent && 'nav-child-indent',
          )}
        >
          {MENU_ENTRIES.map((entry) => (
            <MenuItem key={entry.label} entry={entry} isRail={isRail} />
          ))}
        </ul>
      </nav>
    </aside>
  );
}
