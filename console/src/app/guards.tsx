import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { matchPath, Navigate, Outlet, useLocation } from 'react-router';
import { Preloader } from '../components/display/preloader.tsx';
import { selectHasUser, selectSession } from '../session/session-slice.ts';
import { addressLeft } from './navigation/address-left.ts';
import { PATHS } from './navigation/paths.ts';
import { useAppSelector } from './state/store.ts';

/**
 * Public routes (SPEC §2.1): a signed-in user is sent to /, also right after signing in (SPEC §4). After the end of a
 * session the user returns to the address where it ended.
 * @param props.onTyped called when the user begins to type, and so soon may be signed in
 */
export function PublicOnly({ onTyped }: { onTyped?: () => void }) {
  const { isLoggedIn, id } = useAppSelector(selectSession);
  const { state, pathname, search } = useLocation();
  // A provider leads back to the same address from a proof of who is signed in.
  const [isProof] = useState(isLoggedIn && search !== '' && matchPath(PATHS.providerReturn, pathname) !== null);
  const handleInput = useEffectEvent(() => onTyped?.());
  useEffect(() => {
    document.addEventListener('input', handleInput, { once: true });
    return () => document.removeEventListener('input', handleInput);
  }, []);
  if (isLoggedIn && !isProof) return <Navigate to={addressLeft(state, id) ?? PATHS.dashboard} replace />;
  return (
    <Suspense fallback={<Preloader />}>
      <Outlet />
    </Suspense>
  );
}

/** Protected routes (SPEC §2.1): a user who is not signed in is sent to /login. Who may come back finds the page as it was left. */
export function SignedInOnly() {
  const hasUser = useAppSelector(selectHasUser);
  const { key } = useLocation();
  // Again after each change of the address: a `Navigate` does so once, and stays until /login is loaded.
  if (!hasUser) return <Navigate key={key} to={PATHS.login} replace />;
  return (
    <Suspense fallback={<Preloader />}>
      <Outlet />
    </Suspense>
  );
}
