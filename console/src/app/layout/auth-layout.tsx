import { Outlet, useLocation } from 'react-router';
import { PATHS } from '../navigation/paths.ts';
import { useRootClass } from './root-class.ts';

/** The frame of the public pages: it sets their classes on the page root. */
export function AuthLayout() {
  const { pathname } = useLocation();
  useRootClass(`hold-transition ${pathname === PATHS.register ? 'register-page' : 'login-page'}`);
  return <Outlet />;
}
