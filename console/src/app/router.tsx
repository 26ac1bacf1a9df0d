import { useEffect } from 'react';
import { matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router';
import { selectIsAway } from '../session/session-slice.ts';
import { PublicOnly, SignedInOnly } from './guards.tsx';
import { AuthLayout } from './layout/auth-layout.tsx';
import { useScrollToTop } from './layout/scroll-to-top.ts';
import { isDecodable } from './navigation/decodable.ts';
import { type LazyPage, lazyPage } from './navigation/lazy-page.tsx';
import { PATHS } from './navigation/paths.ts';
import { watchLinks } from './navigation/watch-links.ts';
import { ErrorBoundary } from './pages/error-boundary.tsx';
import { ErrorPage } from './pages/error-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { useAppSelector } from './state/store.ts';
import { useLeftPage } from './use-left-page.ts';

const RegisterPage = lazyPage(async () => (await import('./pages/register-page.tsx')).RegisterPage);
const ForgotPasswordPage = lazyPage(async () => (await import('./pages/forgot-password-page.tsx')).ForgotPasswordPage);
const RecoverPasswordPage = lazyPage(
  async () => (await import('./pages/recover-password-page.tsx')).RecoverPasswordPage,
);
const ProviderReturnPage = lazyPage(async () => (await import('./pages/provider-return-page.tsx')).ProviderReturnPage);
const SignedIn = lazyPage(async () => (await import('./signed-in.tsx')).SignedIn);
const DashboardPage = lazyPage(async () => (await import('./pages/dashboard-page.tsx')).DashboardPage);
const TenantsPage = lazyPage(async () => (await import('./pages/tenants-page.tsx')).TenantsPage);
const TenantPage = lazyPage(async () => (await import('./pages/tenant-page.tsx')).TenantPage);
const DatabasesPage = lazyPage(async () => (await import('./pages/databases-page.tsx')).DatabasesPage);
const UsersPage = lazyPage(async () => (await import('./pages/users-page.tsx')).UsersPage);
const LicencesPage = lazyPage(async () => (await import('./pages/licences-page.tsx')).LicencesPage);
const FaqsPage = lazyPage(async () => (await import('./pages/faqs-page.tsx')).FaqsPage);
const FaqSectionsPage = lazyPage(async () => (await import('./pages/faq-sections-page.tsx')).FaqSectionsPage);
const FaqQuestionsPage = lazyPage(async () => (await import('./pages/faq-questions-page.tsx')).FaqQuestionsPage);
const PermissionsPage = lazyPage(async () => (await import('./pages/permissions-page.tsx')).PermissionsPage);
const MenusPage = lazyPage(async () => (await import('./pages/menus-page.tsx')).MenusPage);
const AuditPage = lazyPage(async () => (await import('./pages/audit-page.tsx')).AuditPage);
const DatabaseServersPage = lazyPage(
  async () => (await import('./pages/database-servers-page.tsx')).DatabaseServersPage,
);
const GuidePage = lazyPage(async () => (await import('./pages/guide-page.tsx')).GuidePage);
const GuideTaskPage = lazyPage(async () => (await import('./pages/guide-task-page.tsx')).GuideTaskPage);
const ProfilePage = lazyPage(async () => (await import('./pages/profile-page.tsx')).ProfilePage);
const BlankPage = lazyPage(async () => (await import('./pages/blank-page.tsx')).BlankPage);
const SubMenuPage = lazyPage(async () => (await import('./pages/sub-menu-page.tsx')).SubMenuPage);
const NotFoundPage = lazyPage(async () => (await import('./pages/not-found-page.tsx')).NotFoundPage);

/** `handle` loads the code of the element. */
type PageRoute = RouteObject & { handle?: () => Promise<void> };

const pageAt = (path: string, Page: LazyPage): PageRoute => ({ path, element: <Page />, handle: Page.preload });

const publicRoutes: PageRoute[] = [
  // Not a chunk of its own: most visits begin here, and the fields of its form are on protected pages too.
  { path: PATHS.login, element: <SignInPage /> },
  pageAt(PATHS.providerReturn, ProviderReturnPage),
  pageAt(PATHS.register, RegisterPage),
  pageAt(PATHS.forgotPassword, ForgotPasswordPage),
  pageAt(PATHS.recoverPassword, RecoverPasswordPage),
];

const protectedRoutes: PageRoute[] = [
  pageAt(PATHS.dashboard, DashboardPage),
  pageAt(PATHS.tenants, TenantsPage),
  pageAt(PATHS.tenant, TenantPage),
  { path: PATHS.subMenu1, element: <SubMenuPage place="first" />, handle: SubMenuPage.preload },
  { path: PATHS.subMenu2, element: <SubMenuPage place="second" />, handle: SubMenuPage.preload },
  pageAt(PATHS.users, UsersPage),
  pageAt(PATHS.databases, DatabasesPage),
  pageAt(PATHS.licences, LicencesPage),
  pageAt(PATHS.permissions, PermissionsPage),
  pageAt(PATHS.profile, ProfilePage),
  pageAt(PATHS.blank, BlankPage),
  pageAt(PATHS.menus, MenusPage),
  pageAt(PATHS.faqs, FaqsPage),
  pageAt(PATHS.audit, AuditPage),
  pageAt(PATHS.databaseServers, DatabaseServersPage),
  pageAt(PATHS.guide, GuidePage),
  pageAt(PATHS.guideTask, GuideTaskPage),
  pageAt(PATHS.faq, FaqSectionsPage),
  pageAt(PATHS.section, FaqQuestionsPage),
  pageAt('*', NotFoundPage),
];

/** The route table of SPEC §2.1. Other pages, and what all protected ones need, are chunks of their own, so that /login loads little. */
const routes: PageRoute[] = [
  {
    element: <PublicOnly onTyped={() => void preloadPage(PATHS.dashboard)} />,
    children: [{ element: <AuthLayout />, children: publicRoutes }],
  },
  {
    element: <SignedInOnly />,
    children: [{ element: <SignedIn />, handle: SignedIn.preload, children: protectedRoutes }],
  },
];

/**
 * An address that cannot be decoded leads to the page for unknown addresses, as its parts could be mistaken for those
 * of another page.
 */
const nowhere: PageRoute[] = [
  {
    element: <SignedInOnly />,
    children: [{ element: <SignedIn />, children: [{ path: '*', element: <NotFoundPage /> }] }],
  },
];

/** Loads the code of the page at an address, before it is shown, and waits until it is here or has failed. */
export async function preloadPage(pathname: string): Promise<void> {
  // A browser does not load a chunk again that it could not load once.
  if (!navigator.onLine) return;
  const matches = matchRoutes(isDecodable(pathname) ? routes : nowhere, pathname) ?? [];
  await Promise.all(matches.map(({ route }) => route.handle?.()));
}

/**
 * The page of the current address, or the one that the end of a session has left, with the sign-in over it; an error outside of the
 * pages ends in the error screen.
 */
export function AppRoutes() {
  const address = useLocation();
  const left = useLeftPage();
  const isAway = useAppSelector(selectIsAway);
  const shown = left ?? address;
  useScrollToTop(shown.pathname);
  useEffect(() => watchLinks((pathname) => void preloadPage(pathname)), []);
  return (
    <ErrorBoundary fallback={({ error }) => <ErrorPage error={error} />}>
      {useRoutes(isDecodable(shown.pathname) ? routes : nowhere, shown)}
      {left && isAway && <SignInAgain />}
    </ErrorBoundary>
  );
}
