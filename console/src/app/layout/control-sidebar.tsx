import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/icon-button.tsx';
import { selectLayout, toggleControlSidebar } from '../state/layout-slice.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { ControlSidebarToggles } from './control-sidebar-toggles.tsx';
import { ControlSidebarVariants } from './control-sidebar-variants.tsx';

export const CONTROL_SIDEBAR_ID = 'control-sidebar';
/** The button of the top bar that opens the panel, and gets the focus back. */
export const CONTROL_SIDEBAR_TOGGLE_ID = 'control-sidebar-toggle';

/** The layout settings, a panel that slides in on the right. Escape or its button closes it. */
export function ControlSidebar() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isOpen = !useAppSelector(selectLayout).controlSidebarCollapsed;
  const panel = useRef<HTMLElement>(null);
  const close = () => dispatch(toggleControlSidebar());

  useEffect(() => {
    if (!isOpen) return;
    panel.current?.focus();
    return () => document.getElementById(CONTROL_SIDEBAR_TOGGLE_ID)?.focus();
  }, [isOpen]);

  return (
    <aside
      id={CONTROL_SIDEBAR_ID}
      ref={panel}
      tabIndex={-1}
      className="control-sidebar"
      aria-label={t('layout.settings.title')}
      inert={!isOpen}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div className="control-sidebar-header">
        <h2>{t('layout.settings.title')}</h2>
        <IconButton label={t('layout.settings.close')} icon={X} onClick={close} />
      </div>
      <ControlSidebarToggles />
      <ControlSidebarVariants />
    </aside>
  );
}
