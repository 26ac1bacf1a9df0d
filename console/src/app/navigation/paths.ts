/** Every address of the console (SPEC §2.1). */
export const PATHS = {
  login: '/login',
  providerReturn: '/login/callback/:provider',
  register: '/register',
  forgotPassword: '/forgot-password',
  recoverPassword: '/recover-password',
  dashboard: '/',
  subMenu1: '/sub-menu-1',
  subMenu2: '/sub-menu-2',
  tenants: '/tenants',
  tenant: '/tenants/:code',
  users: '/users',
  databases: '/database',
  licences: '/licence',
  permissions: '/permission',
  profile: '/profile',
  blank: '/blank',
  menus: '/menus',
  faqs: '/faqs',
  audit: '/audit',
  databaseServers: '/database-servers',
  guide: '/guide',
  guideTask: '/guide/:task',
  faq: '/faq/:faqName/:faqId',
  section: '/section/:faqName/:sectionName/:sectionId',
} as const;

/** The pages for whoever is not signed in. */
export const PUBLIC_PATHS = [
  PATHS.login,
  PATHS.providerReturn,
  PATHS.register,
  PATHS.forgotPassword,
  PATHS.recoverPassword,
];

/** The parameter of an address that chooses the view of its page. */
export const VIEW = { param: 'view', roles: 'roles', webhooks: 'webhooks' } as const;
/** The screen at an address: its page, and which view of it. */
export function screenOf({ pathname, search }: { pathname: string; search: string }): string {
  const view = new URLSearchParams(search).get(VIEW.param);
  return view === null ? pathname : `${pathname}?${VIEW.param}=${view}`;
}

/** The roles, which are a view of Permission Management. */
export const ROLES_PATH = `${PATHS.permissions}?${VIEW.param}=${VIEW.roles}`;

/** The webhooks, which are a view of the audit trail: they are told what it notes. */
export const WEBHOOKS_PATH = `${PATHS.audit}?${VIEW.param}=${VIEW.webhooks}`;

/**
 * '.' and '..' as parts of an address mean another folder, even when they are encoded (WHATWG URL): look-alike dots
 * replace them.
 */
const DOTS: Readonly<Record<string, string>> = { '.': '\u2024', '..': '\u2025' };

const segment = (name: string): string => encodeURIComponent(DOTS[name] ?? name);

/** The page of a tenant. @param view one of its views; absent: its summary */
export function tenantPath(code: string, view?: 'database' | 'backups' | 'permissions' | 'people' | 'history'): string {
  const page = `${PATHS.tenants}/${segment(code)}`;
  return view ? `${page}?${VIEW.param}=${view}` : page;
}

/** A tenant's code as React Router reads it from the address: it takes a literal %2F for a slash. */
export const codeInAddress = (code: string): string => (DOTS[code] ?? code).replaceAll('%2F', '/');

/** A task of the guide. */
export const guideTaskPath = (task: string): string => `${PATHS.guide}/${segment(task)}`;

/** The sections of an FAQ. Only the id is read; the name is there for people who read the address. */
export const faqPath = ({ faqId, faqName }: { faqId: string; faqName: string }): string =>
  `/faq/${segment(faqName)}/${faqId}`;

/** The questions of a section. */
export const sectionPath = (section: { faqName: string; sectionId: string; sectionName: string }): string =>
  `/section/${segment(section.faqName)}/${segment(section.sectionName)}/${section.sectionId}`;
