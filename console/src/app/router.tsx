import { type RouteObject, useRoutes } from 'react-router';
import { PublicOnly, SignedInOnly } from './guards.tsx';
import { AuthLayout } from './layout/auth-layout.tsx';
import { lazyPage } from './lazy-page.tsx';
import { ErrorBoundary } from './pages/error-boundary.tsx';
import { PATHS } from './paths.ts';

const SignInPage = lazyPage(async () => (await import('./pages/sign-in-page.tsx')).SignInPage);
const RegisterPage = lazyPage(async () => (await import('./pages/register-page.tsx')).RegisterPage);
const ForgotPasswordPage = lazyPage(async () => (await import('./pages/forgot-password-page.tsx')).ForgotPasswordPage);
const RecoverPasswordPage = lazyPage(
  async () => (await import('./pages/recover-password-page.tsx')).RecoverPasswordPage,
);
const MainLayout = lazyPage(async () => (await import('./layout/main-layout.tsx')).MainLayout);
const DashboardPage = lazyPage(async () => (await import('./pages/dashboard-page.tsx')).DashboardPage);
const TenantsPage = lazyPage(async () => (await import('./pages/tenants-page.tsx')).TenantsPage);
const DatabasesPage = lazyPage(async () => (await import('./pages/databases-page.tsx')).DatabasesPage);
const NotBuiltPage = lazyPage(async () => (await import('./pages/not-built-page.tsx')).NotBuiltPage);
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
  { path: PATHS.subMenu1, element: <NotBuiltPage page="subMenu" /> },
  { path: PATHS.subMenu2, element: <NotBuiltPage page="subMenu" /> },
  { path: PATHS.users, element: <NotBuiltPage page="users" /> },
  { path: PATHS.databases, element: <DatabasesPage /> },
  { path: PATHS.licences, element: <NotBuiltPage page="licences" /> },
  { path: PATHS.permissions, element: <NotBuiltPage page="permissions" /> },
  { path: PATHS.profile, element: <NotBuiltPage page="profile" /> },
  { path: PATHS.blank, element: <NotBuiltPage page="blank" /> },
  { path: PATHS.menus, element: <NotBuiltPage page="menus" /> },
  { path: PATHS.faqs, element: <NotBuiltPage page="faqs" /> },
  { path: PATHS.faq, element: <NotBuiltPage page="sections" /> },
  { path: PATHS.section, element: <NotBuiltPage page="questions" /> },
  { path: '*', element: <NotFoundPage /> },
];

/** The route table of SPEC §2.1. Pages and the main layout are chunks of their own, so that /login loads little. */
const routes: RouteObject[] = [
  { element: <PublicOnly />, children: [{ element: <AuthLayout />, children: publicRoutes }] },
  { element: <SignedInOnly />, children: [{ element: <MainLayout />, children: protectedRoutes }] },
];

/** The page of the current address; whatever breaks in it ends in the error screen. */
export function AppRoutes() {
  return <ErrorBoundary>{useRoutes(routes)}</ErrorBoundary>;
}
