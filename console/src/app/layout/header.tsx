import { PanelLeft, Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/icon-button.tsx';
import { classNames } from '../../lib/class-names.ts';
import { Activity } from '../activity/activity.tsx';
import { GuideButton } from '../guide/guide-button.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { selectLayout, toggleControlSidebar, toggleSidebarMenu } from '../state/layout-slice.ts';
import { sidebarView } from '../state/screen-size.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { CONTROL_SIDEBAR_ID, CONTROL_SIDEBAR_TOGGLE_ID } from './control-sidebar.tsx';
import { MENU_SIDEBAR_ID } from './menu-sidebar.tsx';
import { SIDEBAR_TOGGLE_ID } from './use-drawer.ts';
import { UserMenu } from './user-menu.tsx';

/** The top bar: menu button on the left, palette, activity, guide, layout settings and the user menu on the right. */
export function Header({ inert }: { inert: boolean }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const layout = useAppSelector(selectLayout);
  const view = sidebarView(layout.screenSize, layout.menuSidebarCollapsed);
  return (
    <header
      inert={inert}
      className={classNames(
        'main-header navbar navbar-expand',
        layout.navbarVariant,
        layout.headerBorder && 'border-bottom-0',
      )}
    >
      <IconButton
        id={SIDEBAR_TOGGLE_ID}
        label={t('header.toggleMenu')}
        icon={PanelLeft}
        aria-expanded={view === 'full' || view === 'drawer-open'}
        aria-controls={MENU_SIDEBAR_ID}
        onClick={() => dispatch(toggleSidebarMenu())}
      />
      <div className="main-header-end">
        <PaletteButton />
        <Activity />
        <GuideButton />
        <IconButton
          id={CONTROL_SIDEBAR_TOGGLE_ID}
          label={t('header.settings')}
          icon={Settings}
          aria-expanded={!layout.controlSidebarCollapsed}
          aria-controls={CONTROL_SIDEBAR_ID}
          onClick={() => dispatch(toggleControlSidebar())}
        />
        <UserMenu />
      </div>
    </header>
  );
}
