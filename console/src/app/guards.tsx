import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet } from 'react-router';
import { useMeQuery } from '../api/profile.ts';
import { selectIsLoggedIn } from '../api/session-slice.ts';
import { Overlay } from '../components/overlay.tsx';
import { Preloader } from '../components/preloader.tsx';
import { PATHS } from './paths.ts';
import { useAppSelector } from './store.ts';

/** Public routes (SPEC §2.1): whoever is signed in goes to /, also right after signing in (SPEC §4). */
export function PublicOnly() {
  const isLoggedIn = useAppSelector(selectIsLoggedIn);
  if (isLoggedIn) return <Navigate to={PATHS.dashboard} replace />;
  return (
    <Suspense fallback={<Preloader />}>
      <Outlet />
    </Suspense>
  );
}

/**
 * Protected routes (SPEC §2.1): whoever is not signed in goes to /login. A spinner lies over the page while the server
 * checks the session.
 */
export function SignedInOnly() {
  const { t } = useTranslation();
  const isLoggedIn = useAppSelector(selectIsLoggedIn);
  const { isLoading } = useMeQuery(undefined, { skip: !isLoggedIn });
  if (!isLoggedIn) return <Navigate to={PATHS.login} replace />;
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
