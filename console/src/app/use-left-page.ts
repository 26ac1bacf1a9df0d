import { useEffect, useState } from 'react';
import { type Location, matchPath, useLocation, useNavigate } from 'react-router';
import { selectIsAway, selectSession } from '../session/session-slice.ts';
import { PATHS, PUBLIC_PATHS } from './navigation/paths.ts';
import { useAppSelector } from './state/store.ts';

interface LeftPage {
  location: Location;
  userId: string;
  /** The state of its history entry, in which an open dialog notes that something was typed. */
  entry: unknown;
}

/**
 * Leads to /login when a session ends in another way than by signing out (SPEC §8), and back when the same user has signed in again.
 * @returns the page that stays mounted meanwhile; undefined for none
 */
export function useLeftPage(): Location | undefined {
  const { id, isLoggedIn } = useAppSelector(selectSession);
  const isAway = useAppSelector(selectIsAway);
  const here = useLocation();
  const navigate = useNavigate();
  const [left, setLeft] = useState<LeftPage>();
  const isPublic = PUBLIC_PATHS.some((path) => matchPath(path, here.pathname));
  // During rendering, so that the page is not taken away for a moment.
  if (!left && isAway && !isPublic) setLeft({ location: here, userId: id, entry: window.history.state });
  // The router draws an address a moment after it has it: until then this is still the one that was left.
  const isBack = isLoggedIn && !isPublic && here !== left?.location;
  const isOtherPage = isPublic && here.pathname !== PATHS.login;
  if (left && (left.userId !== id || isBack || isOtherPage)) setLeft(undefined);

  useEffect(() => {
    if (!left) return;
    const { location, userId, entry } = left;
    if (isAway && !isPublic) {
      const address = location.pathname + location.search + location.hash;
      void navigate(PATHS.login, { replace: true, state: { leftBy: userId, address } });
    }
    if (isLoggedIn && isPublic) {
      void navigate(location, { replace: true, state: location.state });
      window.history.replaceState(entry, '');
    }
  }, [left, isAway, isLoggedIn, isPublic, navigate]);
  return left?.location;
}
