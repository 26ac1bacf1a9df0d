import { type RouteObject, useLocation, useRoutes } from 'react-router';
import { PublicOnly, SignedInOnly } from './guards.tsx';
import { KeptWorkProvider } from './kept-work.tsx';
import { AuthLayout } from './layout/auth-layout.tsx';
import { lazyPage } from './navigation/lazy-page.tsx';
import { PATHS } from './navigation/paths.ts';
import { ErrorBoundary } from './pages/error-boundary.tsx';
import { ErrorPage } from './pages/error-page.tsx';

const SignInPage = lazyPage(async () => (await import('./pages/sign-in-page.tsx')).SignInPage);
const RegisterPage = lazyPage(async () => (await import('./pages/register-page.tsx')).RegisterPage);
const ForgotPasswordPage = lazyPage(async () => (await import('./pages/forgot-password-page.tsx')).ForgotPasswordPage);
const RecoverPasswordPage = lazyPage(
  async () => (await import('./pages/recover-password-page.tsx')).RecoverPasswordPage,
);
const SignedIn = lazyPage(async () => (await import('./signed-in.tsx')).SignedIn);
const DashboardPage = lazyPage(async () => (await import('./pages/dashboard-page.tsx')).DashboardPage);
const TenantsPage = lazyPage(async () => (await import('./pages/tenants-page.tsx')).TenantsPage);
const DatabasesPage = lazyPage(async () => (await import('./pages/databases-page.tsx')).DatabasesPage);
const UsersPage = lazyPage(async () => (await import('./pages/users-page.tsx')).UsersPage);
const LicencesPage = lazyPage(async () => (await import('./pages/licences-page.tsx')).LicencesPage);
const FaqsPage = lazyPage(async () => (await import('./pages/faqs-page.tsx')).FaqsPage);
const FaqSectionsPage = lazyPage(async () => (await import('./pages/faq-sections-page.tsx')).FaqSectionsPage);
const FaqQuestionsPage = lazyPage(async () => (await import('./pages/faq-questions-page.tsx')).FaqQuestionsPage);
const PermissionsPage = lazyPage(async () => (await import('./pages/permissions-page.tsx')).PermissionsPage);
const MenusPage = lazyPage(async () => (await import('./pages/menus-page.tsx')).MenusPage);
const ProfilePage = lazyPage(async () => (await import('./pages/profile-page.tsx')).ProfilePage);
const BlankPage = lazyPage(async () => (await import('./pages/blank-page.tsx')).BlankPage);
const SubMenuPage = lazyPage(async () => (await import('./pages/sub-menu-page.tsx')).SubMenuPage);
const NotFoundPage = lazyPage(async () => (await import('./pages/not-found-page.tsx')).NotFoundPage);

const publicRoutes: RouteObject[] = [
  { path: PATHS.login, element: <SignInPage /> },
  { path: PATHS.register, element: <RegisterPage /> },
  { path: PATHS.forgotPassword, element: <ForgotPasswordPage /> },
  { path: PATHS.recoverPassword, element: <RecoverPasswordPage /> },
];

const protectedRoutes: RouteObject[] = [
  { path: PATHS.dashboard, element: <DashboardPage /> },
  { path: PATHS.tenants, element: <TenantsPage /> },
  { path: PATHS.subMenu1, element: <SubMenuPage place="first" /> },
  { path: PATHS.subMenu2, element: <SubMenuPage place="second" /> },
  { path: PATHS.users, element: <UsersPage /> },
  { path: PATHS.databases, element: <DatabasesPage /> },
  { path: PATHS.licences, element: <LicencesPage /> },
  { path: PATHS.permissions, element: <PermissionsPage /> },
  { path: PATHS.profile, element: <ProfilePage /> },
  { path: PATHS.blank, element: <BlankPage /> },
  { path: PATHS.menus, element: <MenusPage /> },
  { path: PATHS.faqs, element: <FaqsPage /> },
  { path: PATHS.faq, element: <FaqSectionsPage /> },
  { path: PATHS.section, element: <FaqQuestionsPage /> },
  { path: '*', element: <NotFoundPage /> },
];

/** The route table of SPEC §2.1. Pages, and what all protected ones need, are chunks of their own, so that /login loads little. */
const routes: RouteObject[] = [
  { element: <PublicOnly />, children: [{ element: <AuthLayout />, children: publicRoutes }] },
  { element: <SignedInOnly />, children: [{ element: <SignedIn />, children: protectedRoutes }] },
];

/**
 * An address that cannot be decoded leads to the page for unknown addresses, as its parts could be mistaken for those
 * of another page.
 */
const nowhere: RouteObject[] = [
  {
    element: <SignedInOnly />,
    children: [{ element: <SignedIn />, children: [{ path: '*', element: <NotFoundPage /> }] }],
  },
];

function isDecodable(pathname: string): boolean {
  try {
    // The result is used, as the build would remove a call whose result is unused, together with what it throws.
    return decodeURIComponent(pathname) !== '';
  } catch {
    return false;
  }
}

/** The page of the current address; an error outside of the pages ends in the error screen. */
export function AppRoutes() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary fallback={({ error }) => <ErrorPage error={error} />}>
      <KeptWorkProvider>{useRoutes(isDecodable(pathname) ? routes : nowhere)}</KeptWorkProvider>
    </ErrorBoundary>
  );
}
