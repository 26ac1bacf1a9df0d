import '../../locales/pages.ts';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useLostFocus } from '../../components/data-table/use-lost-focus.ts';
import { Preloader } from '../../components/display/preloader.tsx';
import { Overlay } from '../../components/waiting/overlay.tsx';
import { selectHasUser } from '../../session/session-slice.ts';
import { DraftsOfScreen } from '../drafts/drafts-of-screen.tsx';
import { GuideHost } from '../guide/guide-host.tsx';
import { GuideProvider } from '../guide/guide-provider.tsx';
import { ErrorBoundary } from '../pages/error-boundary.tsx';
import { PageFailed } from '../pages/page-failed.tsx';
import { PaletteProvider } from '../palette/palette-provider.tsx';
import { selectLayout } from '../state/layout-slice.ts';
import { sidebarView } from '../state/screen-size.ts';
import { useAppSelector } from '../state/store.ts';
import { ControlSidebar } from './control-sidebar.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { MenuSidebar } from './menu-sidebar.tsx';
import { useRootClass } from './root-class.ts';
import { SidebarOverlay } from './sidebar-overlay.tsx';
import { useOpenedPage } from './use-opened-page.ts';
import { useWindowSize } from './use-window-size.ts';

/** The frame of the protected pages (SPEC §2.2); the preloader until the profile is loaded. */
export function MainLayout() {
  const hasUser = useAppSelector(selectHasUser);
  useRootClass('sidebar-mini');
  useWindowSize();
  if (!hasUser) return <Preloader />;
  return (
    <PaletteProvider>
      <GuideProvider>
        <LayoutParts />
      </GuideProvider>
    </PaletteProvider>
  );
}

function LayoutParts() {
  const { t } = useTranslation();
  const { screenSize, menuSidebarCollapsed } = useAppSelector(selectLayout);
  // The page behind the open drawer takes no clicks and no focus.
  const isCovered = sidebarView(screenSize, menuSidebarCollapsed) === 'drawer-open';
  const opened = useOpenedPage();
  // A link of a page goes with the page, and the focus with the link.
  const [content, setContent] = useState<HTMLElement | null>(null);
  const trackFocus = useLostFocus(content);
  return (
    <div className="wrapper">
      <a className="skip-link" href="#content">
        {t('main.skipToContent')}
      </a>
      <p className="visually-hidden" role="status">
        {opened}
      </p>
      <Header inert={isCovered} />
      <MenuSidebar />
      <main id="content" className="content-wrapper" ref={setContent} tabIndex={-1} inert={isCovered} {...trackFocus}>
        <ErrorBoundary fallback={({ error, retry }) => <PageFailed error={error} onRetry={retry} />}>
          <Suspense fallback={<Overlay />}>
            <DraftsOfScreen>
              <Outlet />
            </DraftsOfScreen>
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer inert={isCovered} />
      <ControlSidebar />
      <GuideHost />
      <SidebarOverlay />
    </div>
  );
}
