import { Outlet, useLocation } from 'react-router';
import { PATHS } from '../navigation/paths.ts';
import { useRootClass } from './root-class.ts';

/** Frame of the public pages: their classes on the page root, the page itself does the rest. */
export function AuthLayout() {
  const { pathname } = useLocation();
  useRootClass(`hold-transition ${pathname === PATHS.register ? 'register-page' : 'login-page'}`);
  return <Outlet />;
}
