import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useMeQuery } from '../api/profile.ts';
import { Preloader } from '../components/display/preloader.tsx';
import { Overlay } from '../components/waiting/overlay.tsx';
import { isRecord } from '../lib/is-record.ts';
import { selectIsLoggedIn, selectSession } from '../session/session-slice.ts';
import { PATHS } from './navigation/paths.ts';
import { useAppSelector } from './state/store.ts';

/**
 * Public routes (SPEC §2.1): whoever is signed in goes to /, also right after signing in (SPEC §4). Whose session has
 * ended goes back to where they were.
 */
export function PublicOnly() {
  const { isLoggedIn, id } = useAppSelector(selectSession);
  const { state } = useLocation();
  if (isLoggedIn) return <Navigate to={addressLeft(state, id) ?? PATHS.dashboard} replace />;
  return (
    <Suspense fallback={<Preloader />}>
      <Outlet />
    </Suspense>
  );
}

/** The address from which the end of a session has led here; undefined where it was somebody else's. */
const addressLeft = (state: unknown, userId: string): string | undefined =>
  isRecord(state) && state.leftBy === userId && typeof state.address === 'string' ? state.address : undefined;

/**
 * Protected routes (SPEC §2.1): whoever is not signed in goes to /login. A spinner lies over the page while the server
 * checks the session.
 */
export function SignedInOnly() {
  const { t } = useTranslation();
  const isLoggedIn = useAppSelector(selectIsLoggedIn);
  const { isLoading } = useMeQuery(undefined, { skip: !isLoggedIn });
  if (!isLoggedIn) return <ToSignIn />;
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

/** Leads to /login, as often as it takes: `Navigate` does so once, and nobody comes back here before /login is loaded. */
function ToSignIn() {
  const { endedFor } = useAppSelector(selectSession);
  const { key, pathname, search, hash } = useLocation();
  const state = endedFor === '' ? null : { leftBy: endedFor, address: pathname + search + hash };
  return <Navigate key={key} to={PATHS.login} state={state} replace />;
}
