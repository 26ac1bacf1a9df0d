import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type Location, Navigate, Outlet, useLocation } from 'react-router';
import { useMeQuery } from '../api/profile.ts';
import { selectIsLoggedIn } from '../api/session-slice.ts';
import { Overlay } from '../components/overlay.tsx';
import { Preloader } from '../components/preloader.tsx';
import { PATHS } from './paths.ts';
import { useAppSelector } from './store.ts';

/** The page that somebody wanted before being sent to /login. */
const wantedPage = ({ state }: Location<{ from?: string } | null>): string => state?.from ?? PATHS.dashboard;

/** Public routes (SPEC §2.1): whoever is signed in goes to the page they wanted, or to /. */
export function PublicOnly() {
  const isLoggedIn = useAppSelector(selectIsLoggedIn);
  const location = useLocation();
  if (isLoggedIn) return <Navigate to={wantedPage(location)} replace />;
  return (
    <Suspense fallback={<Preloader />}>
      <Outlet />
    </Suspense>
  );
}

/**
 * Protected routes (SPEC §2.1): whoever is not signed in goes to /login, which remembers the wanted page. A spinner
 * lies over the page while the server checks the session.
 */
export function SignedInOnly() {
  const { t } = useTranslation();
  const isLoggedIn = useAppSelector(selectIsLoggedIn);
  const { isLoading } = useMeQuery(undefined, { skip: !isLoggedIn });
  const { pathname, search } = useLocation();
  if (!isLoggedIn) return <Navigate to={PATHS.login} replace state={{ from: pathname + search }} />;
  return (
    <Suspense fallback={<Preloader />}>
      <Outlet />
      {isLoading && (
        <div className="session-check">
          <Overlay label={t('layout.checkingSession')} />
        </div>
      )}
    </Suspense>
  );
}
